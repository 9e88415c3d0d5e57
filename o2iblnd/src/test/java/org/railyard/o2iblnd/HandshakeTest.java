package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.wire.WireFormatException;
import org.railyard.o2iblnd.peer.IbPeer;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** Requests of a scripted peer: accepted or rejected as spec 20 §5 says, in its order. */
class HandshakeTest {
    private static final long PATIENCE = 7200 * IbWorld.SECOND;
    private static final int SERVICE = 987;
    private static final long PEER_STAMP = 77;

    private final IbWorld world = new IbWorld(PATIENCE);
    private final SilentStack stack = new SilentStack();
    private final RawPeer peer = new RawPeer(world.node(1), IbWorld.nid(1, 0).nid4(), PEER_STAMP);

    private O2ibLnd start(Tunables tunables) {
        O2ibLnd lnd = world.start(0, stack, tunables);
        lnd.startup(IbWorld.ni(0, 0));
        return lnd;
    }

    private static long target() {
        return IbWorld.nid(0, 0).nid4();
    }

    private CmEvent ask(MemorySegment data, int fromPort) {
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), fromPort), new CmAddress(IbWorld.address(0, 0), SERVICE), data);
        assertThat(world.time()
                        .runUntil(
                                () -> peer.had(CmEvent.Type.REJECTED) || peer.had(CmEvent.Type.ESTABLISHED),
                                IbWorld.SECOND))
                .isTrue();
        return peer.last();
    }

    private RejectRecord refused(MemorySegment data) throws WireFormatException {
        CmEvent event = ask(data, 1000);
        assertThat(event.type()).isEqualTo(CmEvent.Type.REJECTED);
        assertThat(event.reason()).isEqualTo(28);
        return RejectRecord.read(event.privateData(), 0, event.privateData().byteSize());
    }

    private KibMessage accepted(MemorySegment data) throws WireFormatException {
        CmEvent event = ask(data, 1000);
        assertThat(event.type()).isEqualTo(CmEvent.Type.ESTABLISHED);
        KibMessage answer = new KibMessage();
        answer.read(event.privateData(), 0, event.privateData().byteSize());
        return answer;
    }

    private MemorySegment request(int depth, int fragments) {
        return RawPeer.bytes(peer.request(target(), 0, depth, fragments));
    }

    @Test
    @Requirement({"ibl-020", "ibl-040", "mod-003", "mod-004"})
    void smallerLimitsAreTakenOver() throws WireFormatException {
        start(Tunables.DEFAULT);
        KibMessage answer = accepted(request(4, 32));
        assertThat(answer.type()).isEqualTo(KibType.CONNACK);
        assertThat(answer.parameters()).isEqualTo(ConnectionParameters.of(4, 32));
        assertThat(answer.header().destinationStamp()).isEqualTo(PEER_STAMP);
        assertThat(answer.header().sourceNid()).isEqualTo(target());
        assertThat(answer.header().sourceStamp()).isNotZero();
    }

    @Test
    @Requirement("ibl-020")
    void aBigEndianRequestIsAccepted() throws WireFormatException {
        start(Tunables.DEFAULT);
        KibMessage request = peer.request(target(), 0, 8, 257);
        request.header().setOrder(ByteOrder.BIG_ENDIAN);
        assertThat(accepted(RawPeer.bytes(request)).parameters()).isEqualTo(ConnectionParameters.of(8, 257));
    }

    @Test
    @Requirement("ibl-020")
    void aPeerHasOnlySoManyConnections() throws WireFormatException {
        start(Tunables.DEFAULT);
        for (int i = 1; i <= IbPeer.MAX_CONNS; i++) {
            peer.connect(
                    new CmAddress(IbWorld.address(1, 0), i),
                    new CmAddress(IbWorld.address(0, 0), SERVICE),
                    request(1, 1));
            world.time().run(IbWorld.SECOND / 100);
            assertThat(peer.last().type()).as("connection " + i).isEqualTo(CmEvent.Type.ESTABLISHED);
        }
        peer.connect(
                new CmAddress(IbWorld.address(1, 0), IbPeer.MAX_CONNS + 1),
                new CmAddress(IbWorld.address(0, 0), SERVICE),
                request(1, 1));
        world.time().run(IbWorld.SECOND / 100);
        CmEvent last = peer.last();
        assertThat(last.type()).isEqualTo(CmEvent.Type.REJECTED);
        RejectRecord record =
                RejectRecord.read(last.privateData(), 0, last.privateData().byteSize());
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.NO_RESOURCES);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 257, 4096, MSG_QUEUE_SIZE",
        "9, 300, 4096, MSG_QUEUE_SIZE",
        "8, 300, 4096, RDMA_FRAGS",
        "8, 258, 4096, RDMA_FRAGS",
        "8, 257, 4097, FATAL",
        "8, 257, -1, FATAL",
        "0, 257, 4096, FATAL",
        "8, 0, 4096, FATAL"
    })
    @Requirement({"ibl-020", "ibl-040", "mod-005", "mod-051"})
    void limitsThatAreTooLargeAreRejectedWithOnesOwn(int depth, int fragments, int size, RejectReason why)
            throws WireFormatException {
        start(Tunables.DEFAULT);
        KibMessage request = peer.message(target(), 0);
        request.setConnection(Kib.V2, KibType.CONNREQ, new ConnectionParameters(depth, fragments, size));
        RejectRecord record = refused(RawPeer.bytes(request));
        assertThat(RejectReason.of(record.why())).isEqualTo(why);
        assertThat(record.limits()).isEqualTo(ConnectionParameters.of(8, 257));
        assertThat(record.version()).isEqualTo(Kib.V2);
        assertThat(record.incarnation()).isNotZero();
    }

    /** Offset and bytes that make a good request a bad one. */
    @ParameterizedTest
    @CsvSource({
        "0, 63697245, FATAL", "0, 45726963, FATAL", "0, 00000000, FATAL", "4, 1300, FATAL", "4, 1000, FATAL",
        "6, d0, FATAL", "6, c1, FATAL", "6, ff, FATAL", "8, 00010000, FATAL", "8, 00000000, FATAL",
        "12, 01000000, FATAL", "16, ffffffffffffffff, FATAL", "40, 0100000000000000, CONN_STALE"
    })
    @Requirement("ibl-020")
    void whatIsNoRequestIsRejected(int at, String patch, RejectReason why) throws WireFormatException {
        start(Tunables.DEFAULT);
        MemorySegment data = request(8, 257);
        byte[] bytes = HexFormat.of().parseHex(patch);
        MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, at, bytes.length);
        RejectRecord record = refused(data);
        assertThat(RejectReason.of(record.why())).isEqualTo(why);
        assertThat(record.version()).isEqualTo(Kib.V2);
        assertThat(peer.had(CmEvent.Type.ESTABLISHED)).isFalse();
    }

    @Test
    @Requirement("ibl-020")
    void aRequestForSomebodyElseIsRejectedWithoutLimits() throws WireFormatException {
        start(Tunables.DEFAULT);
        RejectRecord record =
                refused(RawPeer.bytes(peer.request(IbWorld.nid(2, 0).nid4(), 0, 8, 257)));
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.FATAL);
        assertThat(record.incarnation()).isZero();
        assertThat(record.limits()).isEqualTo(ConnectionParameters.of(0, 0));
    }

    @Test
    @Requirement("ibl-020")
    void privilegedPortsMayBeRequired() throws WireFormatException {
        start(Tunables.DEFAULT.with(O2ibTunable.REQUIRE_PRIVILEGED_PORT, 1));
        CmEvent event = ask(request(8, 257), 1024);
        assertThat(event.type()).isEqualTo(CmEvent.Type.REJECTED);
        assertThat(RejectRecord.read(event.privateData(), 0, 24).limits()).isEqualTo(ConnectionParameters.of(0, 0));
        assertThat(ask(request(8, 257), 1023).type()).isEqualTo(CmEvent.Type.ESTABLISHED);
    }

    @Test
    @Requirement("ibl-020")
    void aPeerThatStartedAnewIsStaleOnce() throws WireFormatException {
        start(Tunables.DEFAULT);
        accepted(request(8, 257));
        RawPeer later = new RawPeer(world.node(1), IbWorld.nid(1, 0).nid4(), PEER_STAMP + 1);
        MemorySegment data = RawPeer.bytes(later.request(target(), 0, 8, 257));
        later.connect(new CmAddress(IbWorld.address(1, 0), 999), new CmAddress(IbWorld.address(0, 0), SERVICE), data);
        assertThat(world.time().runUntil(() -> later.had(CmEvent.Type.REJECTED), IbWorld.SECOND))
                .isTrue();
        assertThat(RejectRecord.read(later.last().privateData(), 0, 24).why())
                .isEqualTo(RejectReason.CONN_STALE.code());
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .as("the connection of the life before")
                .isTrue();
        later.connect(new CmAddress(IbWorld.address(1, 0), 998), new CmAddress(IbWorld.address(0, 0), SERVICE), data);
        assertThat(world.time().runUntil(() -> later.had(CmEvent.Type.ESTABLISHED), IbWorld.SECOND))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "GARBAGE",
        "WRONG_STAMP",
        "WRONG_NID",
        "TOO_MANY_CREDITS",
        "STRAY_PUT_ACK",
        "STRAY_PUT_DONE",
        "STRAY_GET_DONE",
        "CONNREQ"
    })
    @Requirement("ibl-010")
    void aPeerThatBreaksTheRulesLosesItsConnection(String rule) throws WireFormatException {
        start(Tunables.DEFAULT);
        KibMessage answer = accepted(request(8, 257));
        long stamp = answer.header().sourceStamp();
        KibMessage bad = peer.message(target(), rule.equals("WRONG_STAMP") ? stamp + 1 : stamp);
        bad.setNoop(Kib.V2);
        switch (rule) {
            case "WRONG_NID" -> bad.header().setDestination(target() + 1, stamp);
            case "TOO_MANY_CREDITS" -> bad.header().setCredits(1);
            case "STRAY_PUT_ACK" -> {
                RdmaDescriptor sink = new RdmaDescriptor();
                sink.add(1, 1);
                bad.setPutAck(Kib.V2, 1, 2, sink);
            }
            case "STRAY_PUT_DONE" -> bad.setCompletion(Kib.V2, KibType.PUT_DONE, 5, 0);
            case "STRAY_GET_DONE" -> bad.setCompletion(Kib.V2, KibType.GET_DONE, 5, 0);
            case "CONNREQ" -> bad.setConnection(Kib.V2, KibType.CONNREQ, ConnectionParameters.of(8, 257));
            default -> {
                // A NOOP, with something else wrong.
            }
        }
        MemorySegment bytes = RawPeer.bytes(bad);
        if (rule.equals("GARBAGE")) {
            bytes.fill((byte) 0x5A);
        }
        peer.send(bytes, bad.header().bytes());
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .isTrue();
        assertThat(accepted(RawPeer.bytes(peer.request(target(), stamp, 8, 257)))
                        .type())
                .as("and may come again")
                .isEqualTo(KibType.CONNACK);
    }

    @Test
    void aSilentPeerHearsOfUsNowAndThen() throws WireFormatException {
        start(Tunables.DEFAULT);
        accepted(request(8, 257));
        assertThat(world.time().runUntil(() -> !peer.received().isEmpty(), 102 * IbWorld.SECOND))
                .isTrue();
        assertThat(peer.received().getFirst().type()).isEqualTo(KibType.NOOP);
    }
}
