package org.railyard.ibverbs.standin;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;

/** The connection manager of a machine. */
final class StandInEnds {
    private static final int ADDRESS_RESOLVED = 0;
    private static final int ADDRESS_ERROR = 1;
    private static final int ROUTE_RESOLVED = 2;
    private static final int CONNECT_REQUEST = 4;
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    private static final int DEVICE_REMOVAL = 11;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;
    private static final int EINVAL = 22;
    private static final int NOBODY_LISTENS = 8;
    private static final int CONSUMER = 28;
    private static final int CM_ID = 416;
    private static final int CM_EVENT = 80;
    private static final int PATH_REC = 64;
    private static final int FIRST_PORT = 40_000;
    private static final byte[] NOTHING = {};

    /** An event that waits. */
    record Event(End end, @Nullable End listening, int type, int status, byte[] data) {}

    /** An end. */
    static final class End {
        final StandInEnds machine;
        final long address;
        final EventQueue<Event> channel;
        StandInQueues.@Nullable Qp qp;

        @Nullable
        End peer;

        boolean listening;
        boolean isRequest;
        boolean reuse;
        int typeOfService;
        int unacknowledged;

        End(StandInEnds machine, long address, EventQueue<Event> channel) {
            this.machine = machine;
            this.address = address;
            this.channel = channel;
        }

        int ip() {
            return VerbsMemory.getNetInt(address + VerbsLayout.CM_ID_SOURCE + VerbsLayout.SOCKADDR_ADDRESS);
        }

        int port() {
            return VerbsMemory.getNetShort(address + VerbsLayout.CM_ID_SOURCE + VerbsLayout.SOCKADDR_PORT);
        }
    }

    private final StandInNetwork network;
    private final StandIn machine;
    private final Arena arena;
    private final Map<Long, End> ends = new LinkedHashMap<>();
    private final Map<Long, End> ofEvents = new LinkedHashMap<>();
    private int lastPort = FIRST_PORT;

    StandInEnds(StandInNetwork network, StandIn machine, Arena arena) {
        this.network = network;
        this.machine = machine;
        this.arena = arena;
    }

    End end(long address) {
        End end = ends.get(address);
        if (end == null) {
            throw new IllegalStateException("no end at " + address);
        }
        return end;
    }

    int count() {
        return ends.size();
    }

    /** Returns how many ends there are on a card. */
    int count(long context) {
        return (int) ends.keySet().stream()
                .filter(each -> VerbsMemory.getLong(each + VerbsLayout.CM_ID_VERBS) == context)
                .count();
    }

    End create(EventQueue<Event> channel) {
        End made = new End(this, arena.allocate(CM_ID, 8).address(), channel);
        ends.put(made.address, made);
        return made;
    }

    /** The card with a context is taken away: its queue pairs end, and each of its ends is told. */
    void removed(long context) {
        for (End end : List.copyOf(ends.values())) {
            if (VerbsMemory.getLong(end.address + VerbsLayout.CM_ID_VERBS) == context) {
                StandInQueues.Qp qp = end.qp;
                if (qp != null) {
                    qp.machine.fail(qp);
                }
                tell(end, DEVICE_REMOVAL, 0, NOTHING);
            }
        }
    }

    private static void tell(End end, int type, int status, byte[] data) {
        end.channel.add(new Event(end, null, type, status, data));
    }

    private static void socketAddress(long at, int ip, int port) {
        VerbsMemory.putShort(at, 2);
        VerbsMemory.putNetShort(at + VerbsLayout.SOCKADDR_PORT, port);
        VerbsMemory.putNetInt(at + VerbsLayout.SOCKADDR_ADDRESS, ip);
    }

    private void place(End end, int ip, int port) {
        socketAddress(end.address + VerbsLayout.CM_ID_SOURCE, ip, port == 0 ? ++lastPort : port);
        VerbsMemory.putLong(end.address + VerbsLayout.CM_ID_VERBS, machine.contextOf(ip));
        VerbsMemory.putByte(end.address + VerbsLayout.CM_ID_PORT, 1);
    }

    int bind(End end, long address) {
        int wanted = VerbsMemory.getNetInt(address + VerbsLayout.SOCKADDR_ADDRESS);
        int port = VerbsMemory.getNetShort(address + VerbsLayout.SOCKADDR_PORT);
        if (wanted != 0 && !machine.has(wanted)) {
            return EADDRNOTAVAIL;
        }
        boolean taken = port != 0
                && ends.values().stream()
                        .anyMatch(each -> each != end
                                && each.ip() == wanted
                                && each.port() == port
                                && !(each.reuse && end.reuse)
                                && !(end.reuse && each.listening));
        if (taken) {
            return EADDRINUSE;
        }
        place(end, wanted, port);
        return 0;
    }

    private @Nullable End listener(int ip, int port) {
        return ends.values().stream()
                .filter(each -> each.listening && each.ip() == ip && each.port() == port)
                .findFirst()
                .orElse(null);
    }

    int listen(End end) {
        if (listener(end.ip(), end.port()) != null) {
            return EADDRINUSE;
        }
        end.listening = true;
        return 0;
    }

    int resolveAddress(End end, long address) {
        int to = VerbsMemory.getNetInt(address + VerbsLayout.SOCKADDR_ADDRESS);
        VerbsMemory.copy(address, end.address + VerbsLayout.CM_ID_DESTINATION, VerbsLayout.SOCKADDR_IN);
        if (network.find(to) == null) {
            tell(end, ADDRESS_ERROR, -110, NOTHING);
            return 0;
        }
        if (end.ip() == 0) {
            place(end, machine.firstIp(), end.port());
        }
        tell(end, ADDRESS_RESOLVED, 0, NOTHING);
        return 0;
    }

    int resolveRoute(End end) {
        long path = arena.allocate(PATH_REC, 8).address();
        int infiniBand = 2;
        VerbsMemory.putNetShort(path + VerbsLayout.PATH_DLID, 7);
        VerbsMemory.putNetShort(path + VerbsLayout.PATH_SLID, 3);
        VerbsMemory.putByte(path + VerbsLayout.PATH_SL, end.typeOfService >> 5);
        VerbsMemory.putByte(path + VerbsLayout.PATH_MTU, 4);
        VerbsMemory.putByte(path + VerbsLayout.PATH_RATE, infiniBand);
        VerbsMemory.putLong(end.address + VerbsLayout.CM_ID_PATH_REC, path);
        VerbsMemory.putInt(end.address + VerbsLayout.CM_ID_NUM_PATHS, 1);
        tell(end, ROUTE_RESOLVED, 0, NOTHING);
        return 0;
    }

    private static byte[] privateData(long parameters, int size) {
        int length = VerbsMemory.getByte(parameters + VerbsLayout.CONN_PARAM_LENGTH);
        return Arrays.copyOf(VerbsMemory.getBytes(VerbsMemory.getLong(parameters), length), size);
    }

    int connect(End end, long parameters) {
        int to = VerbsMemory.getNetInt(end.address + VerbsLayout.CM_ID_DESTINATION + VerbsLayout.SOCKADDR_ADDRESS);
        int port = VerbsMemory.getNetShort(end.address + VerbsLayout.CM_ID_DESTINATION + VerbsLayout.SOCKADDR_PORT);
        StandIn target = network.find(to);
        StandInQueues.Qp qp = end.qp;
        if (target == null || qp == null) {
            return EINVAL;
        }
        qp.rnrRetry = VerbsMemory.getByte(parameters + VerbsLayout.CONN_PARAM_RNR_RETRY);
        StandInEnds there = target.ends();
        End listening = there.listener(to, port);
        if (listening == null) {
            tell(end, REJECTED, NOBODY_LISTENS, new byte[148]);
            return 0;
        }
        End made = there.create(listening.channel);
        there.place(made, to, port);
        made.isRequest = true;
        made.peer = end;
        end.peer = made;
        socketAddress(made.address + VerbsLayout.CM_ID_DESTINATION, end.ip(), end.port());
        made.channel.add(new Event(made, listening, CONNECT_REQUEST, 0, privateData(parameters, 56)));
        return 0;
    }

    int accept(End end, long parameters) {
        End peer = end.peer;
        StandInQueues.Qp qp = end.qp;
        if (peer == null || qp == null || !end.isRequest) {
            return EINVAL;
        }
        end.isRequest = false;
        StandInQueues.Qp other = peer.qp;
        if (other == null) {
            return EINVAL;
        }
        qp.rnrRetry = VerbsMemory.getByte(parameters + VerbsLayout.CONN_PARAM_RNR_RETRY);
        qp.peer = other;
        other.peer = qp;
        qp.ready = true;
        other.ready = true;
        tell(peer, ESTABLISHED, 0, privateData(parameters, 196));
        tell(end, ESTABLISHED, 0, NOTHING);
        return 0;
    }

    int reject(End end, long data, int length) {
        End peer = end.peer;
        if (peer == null || !end.isRequest) {
            return EINVAL;
        }
        end.isRequest = false;
        end.peer = null;
        peer.peer = null;
        tell(peer, REJECTED, CONSUMER, Arrays.copyOf(VerbsMemory.getBytes(data, length), 148));
        return 0;
    }

    int disconnect(End end) {
        End peer = end.peer;
        StandInQueues.Qp qp = end.qp;
        if (qp == null || !qp.ready) {
            return EINVAL;
        }
        qp.machine.fail(qp);
        if (peer == null) {
            return 0;
        }
        // The peer hears of it now, and this side when the peer answers, which is the same call.
        end.peer = null;
        tell(peer, DISCONNECTED, 0, NOTHING);
        return 0;
    }

    int destroy(End end) {
        if (end.unacknowledged > 0) {
            throw new IllegalStateException("an end with " + end.unacknowledged + " events would never be given back");
        }
        if (end.qp != null) {
            throw new IllegalStateException("an end that still has a queue pair is given back");
        }
        ends.remove(end.address);
        // As the kernel does: who called and was not heard of yet is turned down.
        end.channel.removeAll(event -> event.listening == end).forEach(event -> destroy(event.end));
        End peer = end.peer;
        if (peer != null) {
            if (end.isRequest) {
                tell(peer, REJECTED, CONSUMER, new byte[148]);
                peer.peer = null;
            } else {
                tell(peer, DISCONNECTED, 0, NOTHING);
            }
            if (peer.peer == end) {
                peer.peer = null;
            }
        }
        return 0;
    }

    /** Writes an event as C has it; 0 if its end is gone. */
    long write(Event event) {
        if (!ends.containsKey(event.end.address)) {
            return 0;
        }
        long at = arena.allocate(CM_EVENT, 8).address();
        VerbsMemory.putLong(at + VerbsLayout.CM_EVENT_ID, event.end.address);
        End listening = event.listening;
        VerbsMemory.putLong(at + VerbsLayout.CM_EVENT_LISTEN_ID, listening == null ? 0 : listening.address);
        VerbsMemory.putInt(at + VerbsLayout.CM_EVENT_TYPE, event.type);
        VerbsMemory.putInt(at + VerbsLayout.CM_EVENT_STATUS, event.status);
        if (event.data.length > 0) {
            long data = arena.allocate(event.data.length).address();
            VerbsMemory.putBytes(data, event.data);
            VerbsMemory.putLong(at + VerbsLayout.CM_EVENT_PRIVATE_DATA, data);
            VerbsMemory.putByte(at + VerbsLayout.CM_EVENT_PRIVATE_LENGTH, event.data.length);
        }
        End owner = listening == null ? event.end : listening;
        owner.unacknowledged++;
        ofEvents.put(at, owner);
        return at;
    }

    void acknowledge(long event) {
        End owner = ofEvents.remove(event);
        if (owner == null) {
            throw new IllegalStateException("an event is acknowledged twice");
        }
        owner.unacknowledged--;
    }
}
