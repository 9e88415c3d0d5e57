package org.railyard.o2iblnd.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.ni.RejectCounts;
import org.railyard.o2iblnd.tune.Negotiation;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.VerbsException;

/**
 * One attempt to connect with a peer, from the search for its address to CONNACK or a reject (spec 20 §2.2, §5.3, §6).
 *
 * <pre>
 * State      may become  when
 * NEW        ADDRESS     it begins: the address is resolved
 * ADDRESS    ROUTE       the address is resolved
 * ROUTE      REQUESTED   the route is resolved; CONNREQ is sent
 * REQUESTED  CONNECTED   an acceptable CONNACK came
 * all        ENDED       it failed, was rejected, took too long or is not wanted any more
 * </pre>
 *
 * <p>CONNECTED and ENDED are final: later events are about the connection, if there is one.
 */
public final class ActiveConnect {
    /** How long the search for an address, or for a path, may take, ns. */
    static final long RESOLVE_NANOS = 5_000_000_000L;

    private static final int PRIVILEGED_PORTS = 1023;
    private static final int NO_LOCAL_LINK = 101;

    private enum State {
        NEW,
        ADDRESS,
        ROUTE,
        REQUESTED,
        CONNECTED,
        ENDED;

        boolean isFinal() {
            return this == CONNECTED || this == ENDED;
        }

        boolean mayBecome(State next) {
            return !isFinal() && (next == ENDED || next.ordinal() == ordinal() + 1);
        }
    }

    private final ConnectPeer peer;
    private final NiContext ni;
    private final long deadline;
    private final int version;
    private final CmId id;
    private @Nullable IbConn conn;
    private ConnectionParameters asked;
    private State state = State.NEW;

    /** Prepares a connection to a peer that has to be there before a deadline, ns of monotonic time. */
    public ActiveConnect(ConnectPeer peer, long deadline) {
        this.peer = peer;
        this.ni = peer.ni();
        this.deadline = deadline;
        this.version = peer.version();
        this.asked = peer.limits();
        this.id = ni.context().verbs().createId(ni.loop(), this::onCmEvent);
    }

    /** Returns the connection, null until there is one. */
    @Nullable
    public IbConn conn() {
        return conn;
    }

    /** The only place where the state changes. */
    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("attempt for " + peer + " is " + state + ", which can not become " + next);
        }
        state = next;
    }

    /** Begins with the search for the peer's address. */
    public void begin() {
        become(State.ADDRESS);
        try {
            bind();
            id.resolveAddress(new CmAddress(peer.ip(), ni.tunable(O2ibTunable.SERVICE)), RESOLVE_NANOS);
        } catch (VerbsException e) {
            fail(Errno.ENETDOWN, e.getMessage());
        }
    }

    /** Searches downward for a privileged port that is free. */
    private void bind() {
        if (ni.tunable(O2ibTunable.USE_PRIVILEGED_PORT) == 0) {
            id.bind(new CmAddress(peer.localIp(), 0), true);
            return;
        }
        for (int port = PRIVILEGED_PORTS; port > 0; port--) {
            try {
                id.bind(new CmAddress(peer.localIp(), port), true);
                return;
            } catch (VerbsException e) {
                boolean isTaken = e.code() == VerbsException.Code.EADDRINUSE
                        // Somebody has it on all addresses.
                        || e.code() == VerbsException.Code.EADDRNOTAVAIL;
                if (!isTaken || port == 1) {
                    throw e;
                }
            }
        }
    }

    private void onCmEvent(CmId which, CmEvent event) {
        if (state.isFinal()) {
            IbConn up = conn;
            if (up != null && event.type() == CmEvent.Type.DISCONNECTED) {
                up.close(CloseReason.PEER_CLOSED);
            } else if (up != null && event.type() == CmEvent.Type.DEVICE_REMOVED) {
                up.close(CloseReason.DEVICE);
            }
            return;
        }
        switch (event.type()) {
            case ADDRESS_RESOLVED -> resolveRoute();
            case ROUTE_RESOLVED -> request();
            case ADDRESS_ERROR, ROUTE_ERROR ->
                fail(
                        event.reason() == NO_LOCAL_LINK ? Errno.ENETDOWN : Errno.EHOSTUNREACH,
                        event.type().toString());
            case UNREACHABLE -> fail(Errno.ETIMEDOUT, event.type().toString());
            case DEVICE_REMOVED -> fail(Errno.ENETDOWN, event.type().toString());
            case CONNECT_ERROR -> fail(Errno.ECONNABORTED, event.type().toString());
            case DISCONNECTED -> fail(Errno.ECONNRESET, event.type().toString());
            case REJECTED -> rejected(event);
            case ESTABLISHED -> accepted(event);
            case CONNECT_REQUEST, TIMEWAIT_EXIT -> {
                // Not about an attempt.
            }
        }
    }

    private void resolveRoute() {
        become(State.ROUTE);
        try {
            id.resolveRoute(ni.tunable(O2ibTunable.TOS), RESOLVE_NANOS);
        } catch (VerbsException e) {
            fail(Errno.ENETDOWN, e.getMessage());
        }
    }

    private void request() {
        become(State.REQUESTED);
        KibMessage message = new KibMessage();
        message.setConnection(version, KibType.CONNREQ, asked);
        message.header().setSource(ni.nid4(), ni.stamp());
        message.header().setDestination(peer.nid4(), peer.stamp());
        MemorySegment data = Arena.ofAuto().allocate(PrivateData.REQUEST_BYTES);
        message.write(data, 0);
        try {
            conn = new IbConn(peer, ni, peer.card(), id, asked, version);
            id.connect(
                    new ConnectParameters(
                            ni.tunable(O2ibTunable.RETRY_COUNT),
                            ni.tunable(O2ibTunable.RNR_RETRY_COUNT),
                            ni.tunable(O2ibTunable.IB_MTU)),
                    data);
        } catch (VerbsException e) {
            fail(Errno.ENOMEM, e.getMessage());
        }
    }

    private void accepted(CmEvent event) {
        KibMessage message = new KibMessage();
        IbConn made = conn;
        try {
            message.read(event.privateData(), 0, event.privateData().byteSize());
        } catch (WireFormatException e) {
            fail(Errno.EPROTO, e.getMessage());
            return;
        }
        ConnectionParameters agreed = message.parameters();
        boolean acceptable = message.type() == KibType.CONNACK
                && message.header().version() == version
                && agreed.queueDepth() >= Negotiation.leastQueueDepth(version)
                && agreed.queueDepth() <= asked.queueDepth()
                && agreed.maxFragments() >= 1
                && agreed.maxFragments() <= asked.maxFragments()
                && Integer.compareUnsigned(agreed.maxMessageBytes(), Kib.MESSAGE_BYTES) <= 0;
        if (made == null || !acceptable) {
            fail(Errno.EPROTO, "the answer " + message.type() + " with " + agreed + " is not one to " + asked);
            return;
        }
        if (message.header().destinationNid() != ni.nid4()
                || message.header().destinationStamp() != ni.stamp()
                || message.header().sourceNid() != peer.nid4()) {
            fail(Errno.ESTALE, "the answer is for another NI");
            return;
        }
        become(State.CONNECTED);
        peer.learn(version, message.header().sourceStamp());
        peer.setLimits(agreed);
        made.established(agreed);
        if (version != Kib.V1 && ni.tunable(O2ibTunable.PACK) != 0 && Packing.isInAcceptance(event.privateData())) {
            made.packAndTell();
        }
        peer.learnAddresses(event.privateData());
    }

    private void rejected(CmEvent event) {
        RejectCounts counts = ni.context().rejectsReceived();
        if (event.reason() != CmRejectReason.CONSUMER_DEFINED) {
            counts.countCm(event.reason());
        }
        if (event.reason() == CmRejectReason.STALE_CONNECTION) {
            peer.forgetVersion();
            again(false);
            return;
        }
        if (event.reason() != CmRejectReason.CONSUMER_DEFINED) {
            rejectedByManager(event.reason());
            return;
        }
        RejectRecord record;
        try {
            record = RejectRecord.read(
                    event.privateData(), 0, event.privateData().byteSize());
        } catch (WireFormatException e) {
            counts.count(null);
            fail(
                    Errno.ECONNREFUSED,
                    "rejected for reason " + CmRejectReason.text(event.reason()) + ", without a reason of LNet"
                            + (isEmpty(event.privateData()) ? "" : ": " + e.getMessage()));
            return;
        }
        RejectReason why = RejectReason.of(record.why());
        counts.count(why);
        if (why == null || !Kib.isKnownVersion(record.version())) {
            fail(Errno.ECONNREFUSED, "rejected for reason " + record.why() + " by version " + record.version());
            return;
        }
        rejected(why, record);
    }

    private void rejectedByManager(int reason) {
        String text = "rejected for reason ";
        if (reason == CmRejectReason.INVALID_SERVICE_ID) {
            CmAddress service = new CmAddress(peer.ip(), ni.tunable(O2ibTunable.SERVICE));
            fail(new ConnectFailure(Errno.EHOSTUNREACH, text + reason + ": nobody listens at " + service, true));
        } else {
            fail(Errno.ECONNREFUSED, text + CmRejectReason.text(reason));
        }
    }

    private static boolean isEmpty(MemorySegment data) {
        for (long i = 0; i < data.byteSize(); i++) {
            if (data.get(ValueLayout.JAVA_BYTE, i) != 0) {
                return false;
            }
        }
        return true;
    }

    private void rejected(RejectReason why, RejectRecord record) {
        switch (why) {
            case CONN_RACE, CONN_STALE -> inVersionOf(record);
            case CONN_UNCOMPAT, FATAL -> {
                // Nodes that speak version 1 only know no better reason for a request in version 2.
                boolean other =
                        record.version() != version && (why != RejectReason.FATAL || record.version() == Kib.V1);
                if (other && record.version() <= ni.tunables().version()) {
                    ni.warn(
                            "version " + peer,
                            peer + " speaks version " + Kib.number(record.version()) + " of the protocol");
                    inVersionOf(record);
                } else {
                    fail(Errno.ECONNREFUSED, "rejected: " + why);
                }
            }
            case RDMA_FRAGS, MSG_QUEUE_SIZE -> {
                ConnectionParameters next =
                        Negotiation.retry(Negotiation.Limits.of(ni.tunables(version)), asked, why, record.limits());
                if (next == null || version == Kib.V1) {
                    fail(
                            Errno.ECONNREFUSED,
                            why + " with limits " + record.limits() + ": no smaller limit to try again with");
                } else {
                    ni.warn(
                            "limits " + why + " " + peer,
                            peer + " has smaller limits, which count (" + why + "): " + record.limits());
                    peer.setLimits(next);
                    again(false);
                }
            }
            case NO_RESOURCES, INVALID_SRV_ID, EARLY -> fail(Errno.ECONNREFUSED, "rejected: " + why);
        }
    }

    /** Tries again as the node is now that refused. */
    private void inVersionOf(RejectRecord record) {
        int spoken = Math.min(record.version(), ni.tunables().version());
        boolean other = spoken != peer.version();
        if (spoken == Kib.V1) {
            peer.learnOldVersion();
        } else {
            peer.learn(spoken, record.incarnation());
        }
        again(other);
    }

    private void again(boolean otherVersion) {
        drop(CloseReason.PEER_CLOSED);
        peer.again(this, otherVersion);
    }

    private void fail(Errno why, @Nullable String what) {
        fail(new ConnectFailure(why, String.valueOf(what), false));
    }

    private void fail(ConnectFailure why) {
        ni.warn("connect " + peer, peer + ": no connection: " + why.text());
        drop(CloseReason.PEER_CLOSED);
        peer.failed(this, why);
    }

    private void drop(CloseReason reason) {
        become(State.ENDED);
        IbConn made = conn;
        if (made == null) {
            id.close();
        } else {
            made.close(reason);
        }
    }

    /** Ends without telling the peer record. */
    public void abort(CloseReason reason) {
        if (!state.isFinal()) {
            drop(reason);
        }
    }

    /** Fails if it has taken too long. */
    public void check(long now) {
        if (!state.isFinal() && now >= deadline) {
            // Whoever was not found in time is not there; and silence says nothing about the interface of this node.
            boolean found = state != State.ADDRESS && state != State.ROUTE;
            fail(found ? Errno.ETIMEDOUT : Errno.EHOSTUNREACH, "no answer in time");
        }
    }
}
