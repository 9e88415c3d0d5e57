package org.railyard.roce.cm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.wire.WireFormatException;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.card.DatagramListener;
import org.railyard.roce.card.RocePort;
import org.railyard.roce.loop.ProviderThread;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.CmAttribute;
import org.railyard.roce.wire.CmBody;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.CmNotice;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmReply;
import org.railyard.roce.wire.CmRequest;
import org.railyard.roce.wire.Frame;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.cm.CardCmId;
import org.railyard.verbs.card.cm.CmTable;
import org.railyard.verbs.card.cm.CmTimes;
import org.railyard.verbs.card.cm.Reach;
import org.railyard.verbs.card.cm.RemoteQps;

/**
 * The connection manager of a provider (spec 23 §5.3): which ends of connections there are, and to whom messages of
 * other managers are.
 */
public final class RoceManager implements DatagramListener {
    /** Most ends of connections, being set up or in being. */
    static final int MAX_IDS = 1 << 15;

    /** Most ends that are closed and still known, so that messages about them that come late do no harm. */
    static final int MAX_GONE = 1 << 12;

    /** Until a neighbour is looked for again, ns; doubled each time. */
    private static final long FIRST_LOOKUP_NANOS = 1_000_000;

    /** How long a neighbour has to say where it is, ns. */
    private static final long LOOKUP_LIMIT_NANOS = 3_000_000_000L;

    /**
     * What all transactions have in their upper half, so that they differ from those of other users of queue pair 1.
     */
    private static final long TRANSACTIONS = 2L << 32;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    /** A request by the node that it came from and the number it has there. */
    private record Origin(int ip, int id) {}

    /** A queue pair of a peer. */
    private record RemoteQp(int ip, long caGuid, int qpn) {}

    /** An end that is closed, by its number and the node that it was connected with. */
    private record Gone(int number, int ip) {}

    private final RoceSettings settings;
    private final RoceCounters counters;
    private final RandomGenerator random;
    private final Datagrams net;
    private final LimitedLog log;
    private final CmTable<RoceCmId, Origin> table;
    private final RemoteQps<RemoteQp, RoceCmId> remoteQps = new RemoteQps<>();
    private final List<RocePort> ports = new ArrayList<>();

    /** Ends that are closed; their peers may not know it yet, as both sides may end a connection at once. */
    private final Set<Gone> gone = new LinkedHashSet<>();

    /** Makes one without ports. */
    public RoceManager(
            ProviderThread engine,
            RoceSettings settings,
            RoceCounters counters,
            RandomGenerator random,
            Datagrams net,
            LimitedLog log) {
        this.net = net;
        this.log = log;
        this.settings = settings;
        this.counters = counters;
        this.random = random;
        this.table = new CmTable<>(
                "this machine",
                MAX_IDS,
                engine,
                new CmTimes(
                        0,
                        settings.managerTimeoutNanos(),
                        RoceSettings.MAX_MANAGER_TIMEOUT_NANOS,
                        settings.managerRetries(),
                        RoceSettings.MAX_EXTENSION_NANOS,
                        FIRST_LOOKUP_NANOS,
                        LOOKUP_LIMIT_NANOS,
                        LOOKUP_LIMIT_NANOS));
    }

    /** Takes a port in. */
    public void add(RocePort port) {
        ports.add(port);
    }

    int ackTimeout() {
        return settings.ackTimeout();
    }

    /** Tells whether there is a way from a port to an address. */
    Reach reach(RocePort from, int ip) {
        return net.reach(from.device().at(), ip);
    }

    int random24() {
        return random.nextInt() >>> Byte.SIZE;
    }

    /** Returns the port with an address; null if there is none. */
    @Nullable
    RocePort port(int ip) {
        for (RocePort each : ports) {
            if (each.device().at().ip() == ip) {
                return each;
            }
        }
        return null;
    }

    /** Returns the port that leads to an address: one in the same network, or the first that is up. */
    @Nullable
    RocePort portTowards(int ip) {
        RocePort best = null;
        for (RocePort each : ports) {
            if (each.device().isUp()) {
                if (each.device().at().reaches(ip)) {
                    return each;
                }
                best = best == null ? each : best;
            }
        }
        return best;
    }

    /** Makes an end of a connection. */
    public CmId create(CardLoop loop, CmListener listener) {
        return make(loop, listener);
    }

    private RoceCmId make(CardLoop loop, CmListener listener) {
        table.checkRoom();
        int number;
        do {
            number = random.nextInt();
        } while (number == 0 || table.find(number) != null);
        return table.add(new RoceCmId(this, table, number, loop, listener));
    }

    void forgotten(RoceCmId id) {
        if (id.remoteAddress().ip() != 0) {
            if (gone.size() >= MAX_GONE) {
                gone.remove(gone.iterator().next());
            }
            gone.add(new Gone(id.number(), id.remoteAddress().ip()));
        }
        remoteQps.forget(id);
    }

    /** Returns the number of the exchange that an end begins. */
    static long transaction(int number) {
        return TRANSACTIONS | number & LOW_HALF;
    }

    @Override
    public void onDatagram(RocePort port, int from, Frame packet) {
        try {
            CmMessage message = CmMessage.read(packet.memory(), packet.payloadOffset(), packet.payloadLength());
            counters.add(Counter.CM_RECEIVED);
            if (message.body() instanceof CmRequest request) {
                request(port, from, message.transaction(), request);
            } else {
                answer(port, from, message);
            }
        } catch (WireFormatException e) {
            counters.add(Counter.CM_REFUSED);
        }
    }

    private void answer(RocePort port, int from, CmMessage message) {
        RoceCmId id = find(from, message.body());
        if (id != null && !id.isWith(port, from)) {
            counters.add(Counter.SPOOFED);
        } else if (id != null && message.body() instanceof CmReply reply) {
            reply(port, from, message, reply, id);
        } else if (id != null) {
            receive(message, id);
        } else if (message.body() instanceof CmReply) {
            refuse(port, from, message, CmReject.OF_REPLY, CmRejectReason.INVALID_ID);
        } else if (message.body().attribute() == CmAttribute.DISCONNECT_REQUEST) {
            port.send(disconnectReply(message), port.routeTo(from));
        } else if (!isLate(from, message.body())) {
            counters.add(Counter.CM_REFUSED);
        }
    }

    private void receive(CmMessage message, RoceCmId id) {
        if (!id.receive(message.body())) {
            counters.add(Counter.CM_REFUSED);
        }
    }

    private void reply(RocePort port, int from, CmMessage message, CmReply reply, RoceCmId id) {
        RoceCmId stale = take(from, reply, id);
        if (stale != null) {
            refuse(port, from, message, CmReject.OF_REPLY, CmRejectReason.STALE_CONNECTION);
            stale.breakOff();
            id.turnedDown(CmRejectReason.STALE_CONNECTION);
        } else if (id.isOver()) {
            // Its sender repeats it until it is answered.
            refuse(port, from, message, CmReject.OF_REPLY, id.replyRejection());
        } else {
            receive(message, id);
        }
    }

    /** The end that a reply answers has the queue pair that it names; returns another one that has it, or null. */
    private @Nullable RoceCmId take(int from, CmReply reply, RoceCmId id) {
        if (!id.isAsking()) {
            return null;
        }
        RemoteQp remoteQp = new RemoteQp(from, reply.caGuid(), reply.qpn());
        RoceCmId other = remoteQps.connected(remoteQp);
        if (other == null) {
            remoteQps.note(remoteQp, id);
        }
        return other;
    }

    /** Tells whether a message is about a connection that ended here while it was on its way. */
    private boolean isLate(int from, CmBody body) {
        return gone.contains(new Gone(body.remoteId(), from)) || table.isPast(new Origin(from, body.localId()));
    }

    /** Returns the end that a message is for; null if there is none. */
    private @Nullable RoceCmId find(int from, CmBody body) {
        RoceCmId id = table.find(body.remoteId());
        // Who asked for a connection and gives up does not know our number unless our reply has come.
        return id == null && body instanceof CmReject reject && reject.reason() == CmRejectReason.TIMEOUT
                ? table.madeFor(new Origin(from, reject.localId()))
                : id;
    }

    private static CmMessage disconnectReply(CmMessage to) {
        int ours = to.body().remoteId();
        int theirs = to.body().localId();
        return new CmMessage(to.transaction(), CmNotice.of(CmAttribute.DISCONNECT_REPLY, ours, theirs));
    }

    private static CmMessage reject(CmMessage message, int what, int reason) {
        int ours = message.body().remoteId();
        int theirs = message.body().localId();
        return new CmMessage(message.transaction(), new CmReject(ours, theirs, what, reason, 0, MemorySegment.NULL));
    }

    private void refuse(RocePort port, int to, CmMessage message, int what, int reason) {
        port.send(reject(message, what, reason), port.routeTo(to));
    }

    private void request(RocePort port, int from, long transaction, CmRequest request) {
        if (request.sourceIp() != from
                || request.destinationIp() != port.device().at().ip()) {
            counters.add(Counter.SPOOFED);
            return;
        }
        Origin origin = new Origin(from, request.localId());
        if (table.answersPast(origin)) {
            // Also as long as the end that was made for it is not closed.
            return;
        }
        RoceCmId known = table.madeFor(origin);
        CmMessage message = new CmMessage(transaction, request);
        RemoteQp remoteQp = new RemoteQp(from, request.caGuid(), request.qpn());
        RoceCmId stale = remoteQps.connected(remoteQp);
        CardCmId<?, ?> listener =
                table.addresses().listener(new CmAddress(request.destinationIp(), request.destinationPort()));
        if (known != null) {
            known.requestedAgain();
        } else if (stale != null) {
            // The peer has given the number to another connection, so that the old one is over.
            CmMessage no = reject(message, CmReject.OF_REQUEST, CmRejectReason.STALE_CONNECTION);
            Runnable answer = () -> port.send(no, port.routeTo(from));
            table.noteEnd(origin, answer);
            answer.run();
            stale.breakOff();
        } else if (listener == null) {
            refuse(port, from, message, CmReject.OF_REQUEST, CmRejectReason.INVALID_SERVICE_ID);
        } else if (mtuBytes(request.mtuCode()) > port.device().at().pathMtu()) {
            refuseLargePackets(port, from, message, request);
        } else if (table.isFull()) {
            refuse(port, from, message, CmReject.OF_REQUEST, CmRejectReason.NO_RESOURCES);
        } else {
            RoceCmId id = make(listener.loop(), listener.listener());
            table.note(origin, id);
            remoteQps.note(remoteQp, id);
            id.requested(port, transaction, request);
            listener.tellRequest(new CmEvent(CmEvent.Type.CONNECT_REQUEST, 0, request.privateData(), id), id);
        }
    }

    private void refuseLargePackets(RocePort port, int from, CmMessage message, CmRequest request) {
        LocalInterface at = port.device().at();
        log.log(
                "mtu " + from,
                "refused a connection with " + LocalInterface.text(from) + ": its packets of "
                        + mtuBytes(request.mtuCode()) + " bytes are larger than the " + at.pathMtu() + " that "
                        + at.systemName() + " takes, whose MTU is " + at.mtu()
                        + " (reject reason 26); give the interfaces of all nodes the same MTU");
        refuse(port, from, message, CmReject.OF_REQUEST, CmRejectReason.INVALID_MTU);
    }

    /** Returns the packet size of a code, bytes. */
    static int mtuBytes(int code) {
        return 128 << code;
    }

    /** Returns the code of a packet size. */
    static int mtuCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes) - 7;
    }

    /** Tells all peers once that their connections end. Those that do not hear it notice when they send. */
    public void leaveAll() {
        table.all().forEach(RoceCmId::leave);
    }

    /** Ends all connections without a message. */
    public void die() {
        table.die();
        remoteQps.clear();
        gone.clear();
    }
}
