package org.railyard.softverbs.cm;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.softverbs.net.FaultVerdict;
import org.railyard.softverbs.net.PortPair;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.net.Transmission;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.cm.CardCmId;
import org.railyard.verbs.card.cm.CmTable;
import org.railyard.verbs.card.cm.CmTimes;
import org.railyard.verbs.card.cm.RemoteQps;

/** The connection manager of a machine: its addresses, its connections, and messages to other managers. */
public final class SoftManager {
    /** Most connections of a machine, being set up or in being. */
    public static final int MAX_IDS = 1 << 20;

    /** Everything of the connection manager travels on this service level. */
    private static final int MANAGER_SL = 0;

    /** A management datagram with its headers. */
    private static final int DATAGRAM_BYTES = 256 + SoftSettings.PACKET_OVERHEAD + 8;

    /** None of these managers asks for more time. */
    private static final long NO_EXTENSIONS = 0;

    /** From one look for a neighbour to the next, ns, as ARP does it. */
    private static final long LOOKUP_NANOS = 1_000_000_000L;

    /** A queue pair of a peer. */
    private record RemoteQp(SoftDevice card, int qpn) {}

    /** A request by the port that it came from and the number it has there. */
    private record Origin(int fabricPort, int id) {}

    private final SimulatedFabric fabric;
    private final SoftManagers others;
    private final BooleanSupplier frozen;
    private final Map<Integer, SoftInterface> interfaces = new LinkedHashMap<>();
    private final CmTable<SoftCmId, Origin> table;
    private final RemoteQps<RemoteQp, SoftCmId> remoteQps = new RemoteQps<>();
    private int lastId;

    /**
     * Makes one without addresses.
     *
     * @param others all managers on the fabric
     * @param machine its name
     * @param maxIds most connections, being set up or in being
     * @param frozen whether the software of the machine stands still
     */
    public SoftManager(
            SimulatedFabric fabric, SoftManagers others, String machine, int maxIds, BooleanSupplier frozen) {
        this.fabric = fabric;
        this.others = others;
        this.frozen = frozen;
        SoftSettings settings = fabric.settings();
        this.table = new CmTable<>(
                machine,
                maxIds,
                fabric.time(),
                new CmTimes(
                        settings.managerDelay(),
                        settings.managerTimeout(),
                        settings.managerTimeout(),
                        settings.managerRetries(),
                        NO_EXTENSIONS,
                        LOOKUP_NANOS,
                        LOOKUP_NANOS,
                        Long.MAX_VALUE));
    }

    /** Gives the machine one more address. */
    public void add(SoftInterface at) {
        others.add(at, this);
        interfaces.put(at.ip(), at);
    }

    /** Returns the addresses of the machine. */
    public Collection<SoftInterface> interfaces() {
        return interfaces.values();
    }

    SimulatedFabric fabric() {
        return fabric;
    }

    /** Returns the interface of any machine that has an address; null if none has. */
    @Nullable
    SoftInterface anywhere(int ip) {
        return others.find(ip);
    }

    /** Returns the interface with an address; null if there is none. */
    @Nullable
    SoftInterface interfaceOf(int ip) {
        return interfaces.get(ip);
    }

    /** Returns the first interface that is up, or the first if none is; null if there is none. */
    @Nullable
    SoftInterface firstInterface() {
        SoftInterface first = null;
        for (SoftInterface each : interfaces.values()) {
            if (each.isUp()) {
                return each;
            }
            first = first == null ? each : first;
        }
        return first;
    }

    /** Makes an end of a connection. */
    public CmId create(CardLoop loop, CmListener listener) {
        return make(loop, listener);
    }

    private SoftCmId make(CardLoop loop, CmListener listener) {
        table.checkRoom();
        return table.add(new SoftCmId(this, table, ++lastId, loop, listener));
    }

    void forgotten(SoftCmId id) {
        remoteQps.forget(id);
    }

    /** A card was taken away. */
    public void deviceRemoved(VerbsDevice device) {
        for (SoftCmId id : table.all()) {
            if (id.device() == device) {
                id.tell(CmEvent.of(CmEvent.Type.DEVICE_REMOVED));
            }
        }
    }

    /** The program that owns everything has ended: the peers of its connections are told. */
    public void exit() {
        table.all().forEach(SoftCmId::leave);
        die();
    }

    /** Ends all connections without a message: the machine lost its power. */
    public void die() {
        table.die();
        remoteQps.clear();
    }

    /** Sends a message to the manager of another machine, or of this one. */
    void send(SoftCmMessage message) {
        PortPair route = new PortPair(message.from().port(), message.to().port(), MANAGER_SL);
        FaultVerdict verdict = fabric.judge(message.kind(), route);
        String from = route.from().toString();
        fabric.trace("cm " + message.kind(), from, message.fromId(), message.toId());
        SoftManager other = others.of(message.to());
        fabric.send(new Transmission(
                message.kind(),
                route,
                DATAGRAM_BYTES,
                fabric.time().now() + fabric.settings().managerDelay(),
                0,
                verdict,
                new Transmission.Sender() {
                    @Override
                    public void arrives() {
                        if (verdict.rejected()) {
                            other.refuse(message, CmRejectReason.NO_RESOURCES);
                        } else {
                            other.receive(message);
                        }
                    }

                    @Override
                    public void isLost() {
                        fabric.trace("cm lost", from, message.fromId(), message.toId());
                    }
                }));
    }

    private void refuse(SoftCmMessage message, int reason) {
        send(new SoftCmMessage(
                TrafficKind.CM_REJECT,
                false,
                message.to(),
                message.from(),
                0,
                message.fromId(),
                SoftCmMessage.Offer.NONE,
                reason,
                MemorySegment.NULL));
    }

    private void receive(SoftCmMessage message) {
        if (frozen.getAsBoolean() || message.to().device().isBroken()) {
            return;
        }
        if (message.kind() == TrafficKind.CM_REQUEST) {
            request(message);
            return;
        }
        SoftCmId id = find(message);
        if (id != null && message.kind() == TrafficKind.CM_REPLY) {
            reply(message, id);
        } else if (id != null) {
            id.receive(message);
        } else if (message.kind() == TrafficKind.CM_REPLY) {
            refuse(message, CmRejectReason.INVALID_ID);
        } else if (message.kind() == TrafficKind.CM_DISCONNECT && !message.answer()) {
            send(SoftCmMessage.disconnectAnswer(message));
        }
    }

    private void reply(SoftCmMessage message, SoftCmId id) {
        SoftCmId stale = take(message, id);
        if (stale != null) {
            refuseStale(message, stale);
            id.turnedDown(CmRejectReason.STALE_CONNECTION);
        } else if (id.isOver()) {
            // Its sender repeats it until it is answered.
            refuse(message, id.replyRejection());
        } else {
            id.receive(message);
        }
    }

    /** The end that a reply answers has the queue pair that it names; returns another one that has it, or null. */
    private @Nullable SoftCmId take(SoftCmMessage reply, SoftCmId id) {
        if (!id.isAsking()) {
            return null;
        }
        RemoteQp remoteQp = remoteQp(reply);
        SoftCmId other = remoteQps.connected(remoteQp);
        if (other == null) {
            remoteQps.note(remoteQp, id);
        }
        return other;
    }

    private static RemoteQp remoteQp(SoftCmMessage message) {
        return new RemoteQp(message.from().device(), message.offer().qpn());
    }

    /** The peer has given the number of a queue pair to another connection, so that the old one is over. */
    private void refuseStale(SoftCmMessage message, SoftCmId stale) {
        refuse(message, CmRejectReason.STALE_CONNECTION);
        stale.breakOff();
    }

    /** Returns the end that a message is for; null if there is none. */
    private @Nullable SoftCmId find(SoftCmMessage message) {
        SoftCmId id = table.find(message.toId());
        // Who asked for a connection and gives up does not know our number unless our reply has come.
        return id == null && message.kind() == TrafficKind.CM_REJECT && message.reason() == CmRejectReason.TIMEOUT
                ? table.madeFor(origin(message))
                : id;
    }

    private static Origin origin(SoftCmMessage message) {
        return new Origin(message.from().port().fabricPort(), message.fromId());
    }

    private void request(SoftCmMessage message) {
        Origin origin = origin(message);
        if (table.answersPast(origin)) {
            // Also as long as the end that was made for it is not closed.
            return;
        }
        SoftCmId known = table.madeFor(origin);
        RemoteQp remoteQp = remoteQp(message);
        SoftCmId stale = remoteQps.connected(remoteQp);
        CardCmId<?, ?> listener = table.addresses().listener(message.offer().destination());
        if (known != null) {
            known.requestedAgain();
        } else if (stale != null) {
            table.noteEnd(origin, () -> refuse(message, CmRejectReason.STALE_CONNECTION));
            refuseStale(message, stale);
        } else if (listener == null) {
            refuse(message, CmRejectReason.INVALID_SERVICE_ID);
        } else if (table.isFull()) {
            refuse(message, CmRejectReason.NO_RESOURCES);
        } else {
            SoftCmId id = make(listener.loop(), listener.listener());
            table.note(origin, id);
            remoteQps.note(remoteQp, id);
            id.requested(message);
            listener.tellRequest(message.asRequest(id), id);
        }
    }
}
