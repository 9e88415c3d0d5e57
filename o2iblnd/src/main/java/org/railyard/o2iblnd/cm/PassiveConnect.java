package org.railyard.o2iblnd.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.tune.Negotiation;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.RaceOrder;
import org.railyard.o2iblnd.wire.AdvertisedAddresses;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibHeader;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.VerbsException;

/** Requests of others for connections: checked in the order of spec 20 §5, accepted or rejected. */
final class PassiveConnect {
    private static final int FIRST_UNPRIVILEGED_PORT = 1024;

    private final LongFunction<ListeningInterface> interfaces;
    private final KibMessage message = new KibMessage();
    /** What the reject says: this node's version, or that of the request once it is clear that it is for this node. */
    private int version;

    /**
     * Makes one for the interfaces with one address.
     *
     * @param interfaces gives the interface whose NI has a NID, some other one if none has
     */
    PassiveConnect(LongFunction<ListeningInterface> interfaces) {
        this.interfaces = interfaces;
    }

    /** A request came. */
    void request(CmId id, MemorySegment data) {
        message.header().setDestination(0, 0);
        RejectReason why = check(id, data);
        if (why != null) {
            NiContext ni = member().ni();
            boolean known = why != RejectReason.FATAL || message.header().destinationNid() == ni.nid4();
            reject(id, ni, why, known);
        }
    }

    /** Returns the interface of the NI that the request is for; of some other one if there is none here. */
    private ListeningInterface member() {
        return interfaces.apply(message.header().destinationNid());
    }

    private void reject(CmId id, NiContext ni, RejectReason why, boolean known) {
        try {
            tell(id, ni, why, known);
        } finally {
            id.close();
        }
    }

    private void tell(CmId id, NiContext ni, RejectReason why, boolean known) {
        ConnectionParameters own = Negotiation.Limits.of(ni.tunables(version)).parameters();
        RejectRecord record =
                RejectRecord.of(version, why, known ? ni.stamp() : 0, known ? own : ConnectionParameters.of(0, 0));
        MemorySegment data = Arena.ofAuto().allocate(RejectRecord.BYTES);
        record.write(data, 0);
        ni.context().rejectsSent().count(why);
        try {
            id.reject(data);
        } catch (VerbsException e) {
            // The caller has given up meanwhile: nobody hears it. The end goes all the same.
            ni.warn("gone", "a caller was not told that it is rejected: " + e.getMessage());
        }
    }

    private @Nullable RejectReason check(CmId id, MemorySegment data) {
        NiContext ni = member().ni();
        version = ni.tunables().version();
        if (ni.tunable(O2ibTunable.REQUIRE_PRIVILEGED_PORT) != 0
                && id.remoteAddress().port() >= FIRST_UNPRIVILEGED_PORT) {
            ni.warn("port", id.remoteAddress() + " asks from a port that is not privileged");
            return RejectReason.FATAL;
        }
        if (KibHeader.orderOf(data, 0, data.byteSize(), Kib.FUTURE_MAGIC) != null) {
            return RejectReason.FATAL;
        }
        ByteOrder order = KibHeader.orderOf(data, 0, data.byteSize(), Kib.MAGIC);
        if (order != null && !Kib.isKnownVersion(KibHeader.versionOf(data, 0, order))) {
            return RejectReason.FATAL;
        }
        try {
            message.read(data, 0, data.byteSize());
            message.verify(data, 0);
        } catch (WireFormatException e) {
            ni.warn("request", id.remoteAddress() + ": " + e.getMessage());
            return RejectReason.FATAL;
        }
        ListeningInterface asked = member();
        ni = asked.ni();
        version = ni.tunables().version();
        if (message.header().destinationNid() != ni.nid4() || message.header().version() > version) {
            return RejectReason.FATAL;
        }
        long wanted = message.header().destinationStamp();
        // In a node that speaks version 1 only, a refusal has no room to tell the incarnation that there is now.
        if (wanted != 0 && wanted != ni.stamp() && version != Kib.V1) {
            return RejectReason.CONN_STALE;
        }
        version = message.header().version();
        if (message.type() != KibType.CONNREQ) {
            return RejectReason.FATAL;
        }
        return checkParameters(id, asked);
    }

    private @Nullable RejectReason checkParameters(CmId id, ListeningInterface member) {
        NiContext ni = member.ni();
        ConnectionParameters asked = message.parameters();
        RejectReason refused = Negotiation.refuse(Negotiation.Limits.accepting(ni.tunables(version)), asked);
        if (refused != null) {
            return version == Kib.V1 ? RejectReason.FATAL : refused;
        }
        if (asked.queueDepth() < Negotiation.leastQueueDepth(version)
                || asked.maxFragments() < 1
                || Integer.compareUnsigned(asked.maxMessageBytes(), Kib.MESSAGE_BYTES) > 0) {
            return RejectReason.FATAL;
        }
        Nid source = Nid.ofNid4(message.header().sourceNid());
        if (!source.isOn(ni.ni().net())) {
            ni.warn(
                    "net",
                    id.remoteAddress() + " says that it is " + source + ", expected a NID on "
                            + ni.ni().net());
            return RejectReason.FATAL;
        }
        ConnectPeer peer = member.peer(source, id.remoteAddress().ip());
        if (peer == null || peer.isFull()) {
            return RejectReason.NO_RESOURCES;
        }
        long stamp = message.header().sourceStamp();
        if (peer.differs(version, stamp)) {
            peer.learn(version, stamp);
            return RejectReason.CONN_STALE;
        }
        if (peer.isConnecting()
                && RaceOrder.of(ni.tunable(O2ibTunable.RACE_ORDER)).isLower(peer.nid4(), ni.nid4())
                && peer.countRace()) {
            return RejectReason.CONN_RACE;
        }
        peer.learn(version, stamp);
        return accept(member, peer, id, asked);
    }

    private @Nullable RejectReason accept(
            ListeningInterface member, ConnectPeer peer, CmId id, ConnectionParameters asked) {
        NiContext ni = peer.ni();
        IbConn conn;
        try {
            conn = new IbConn(peer, ni, peer.card(), id, asked, version);
        } catch (VerbsException e) {
            ni.warn("queues", peer + ": no connection: " + e.getMessage());
            return RejectReason.NO_RESOURCES;
        }
        member.accepted(conn);
        peer.accepting(conn);
        message.setConnection(version, KibType.CONNACK, conn.parameters());
        message.header().setOrder(ByteOrder.LITTLE_ENDIAN);
        message.header().setCredits(0);
        message.header().setDestination(peer.nid4(), peer.stamp());
        message.header().setSource(ni.nid4(), ni.stamp());
        try {
            id.accept(
                    new ConnectParameters(ni.tunable(O2ibTunable.RETRY_COUNT), ni.tunable(O2ibTunable.RNR_RETRY_COUNT)),
                    answer(member, conn));
        } catch (VerbsException e) {
            ni.warn("accept", peer + ": no connection: " + e.getMessage());
            tell(id, ni, RejectReason.NO_RESOURCES, true);
            conn.close(CloseReason.PEER_CLOSED);
        }
        return null;
    }

    /**
     * Writes the CONNACK and, if that is wanted, behind it the addresses of the group (spec 21 cb-090) and that this
     * node knows of several messages in one (spec 20 §23).
     */
    private MemorySegment answer(ListeningInterface member, IbConn conn) {
        NiContext ni = member.ni();
        List<Integer> ips =
                ni.isBonded() && ni.tunable(O2ibTunable.ADVERTISE_IPS) != 0 ? member.addresses() : List.of();
        int more = ips.isEmpty() ? 0 : AdvertisedAddresses.bytesOf(ips);
        boolean unpacks = version != Kib.V1 && ni.tunable(O2ibTunable.PACK) != 0;
        MemorySegment data =
                Arena.ofAuto().allocate(unpacks ? Packing.ACCEPTANCE_BYTES : AdvertisedAddresses.OFFSET + more);
        message.write(data, 0);
        if (unpacks) {
            conn.unpack();
            Packing.writeAcceptance(data);
        }
        if (more > 0) {
            AdvertisedAddresses.write(data, ips);
        }
        return data;
    }

    /** Something happened to a connection that was accepted. */
    void event(IbConn conn, CmEvent event) {
        switch (event.type()) {
            case ESTABLISHED -> {
                if (conn.state() == IbConn.State.CONNECTING) {
                    conn.established(conn.parameters());
                }
            }
            case DISCONNECTED, REJECTED -> conn.close(CloseReason.PEER_CLOSED);
            case UNREACHABLE, CONNECT_ERROR -> {
                if (!conn.isEstablished()) {
                    conn.close(CloseReason.PEER_CLOSED);
                }
            }
            case DEVICE_REMOVED -> conn.close(CloseReason.DEVICE);
            default -> {
                // Not about a connection that was accepted.
            }
        }
    }
}
