package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;

/** Version 1 of the protocol, on both sides: requests, refusals, credits (spec 20 §5.1, §6, §7.1, §9). */
class OldVersionTest {
    private static final int SERVICE = 987;
    private static final long STAMP = 77;
    private static final int DEPTH = Kib.V1_QUEUE_DEPTH;
    private static final int FRAGMENTS = Kib.OLD_MAX_FRAGMENTS;

    private final IbWorld world = new IbWorld(7200 * IbWorld.SECOND);
    private final SilentStack stack = new SilentStack();
    private final RawPeer peer = new RawPeer(world.node(1), IbWorld.nid(1, 0).nid4(), STAMP);

    private void start(Tunables tunables) {
        world.start(0, stack, tunables).startup(IbWorld.ni(0, 0));
    }

    private static long target() {
        return IbWorld.nid(0, 0).nid4();
    }

    private static MemorySegment request(RawPeer from, int version, long stamp, int depth, int fragments) {
        KibMessage message = from.message(target(), stamp);
        message.setConnection(version, KibType.CONNREQ, ConnectionParameters.of(depth, fragments));
        return RawPeer.bytes(message);
    }

    private CmEvent ask(RawPeer from, int port, MemorySegment data) {
        from.connect(new CmAddress(IbWorld.address(1, 0), port), new CmAddress(IbWorld.address(0, 0), SERVICE), data);
        assertThat(world.time()
                        .runUntil(
                                () -> from.had(CmEvent.Type.REJECTED) || from.had(CmEvent.Type.ESTABLISHED),
                                IbWorld.SECOND))
                .isTrue();
        return from.last();
    }

    private KibMessage accepted(MemorySegment data) throws WireFormatException {
        CmEvent event = ask(peer, 1000, data);
        assertThat(event.type()).isEqualTo(CmEvent.Type.ESTABLISHED);
        KibMessage answer = new KibMessage();
        answer.read(event.privateData(), 0, event.privateData().byteSize());
        return answer;
    }

    private RejectRecord refused(RawPeer from, int port, MemorySegment data) throws WireFormatException {
        CmEvent event = ask(from, port, data);
        assertThat(event.type()).isEqualTo(CmEvent.Type.REJECTED);
        return RejectRecord.read(event.privateData(), 0, event.privateData().byteSize());
    }

    @ParameterizedTest
    @CsvSource({"8, 256", "8, 257", "2, 1"})
    @Requirement({"ibl-020", "ibl-040"})
    void requestsAreAcceptedInTheirVersion(int depth, int fragments) throws WireFormatException {
        start(Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 32));
        KibMessage answer = accepted(request(peer, Kib.V1, 0, depth, fragments));
        assertThat(answer.type()).isEqualTo(KibType.CONNACK);
        assertThat(answer.header().version()).isEqualTo(Kib.V1);
        assertThat(answer.parameters()).isEqualTo(ConnectionParameters.of(depth, fragments));
    }

    @ParameterizedTest
    @CsvSource({"9, 256", "8, 258", "1, 256", "0, 256", "8, 0"})
    @Requirement({"ibl-020", "ibl-040"})
    void refusalsOfVersionOneDoNotNegotiate(int depth, int fragments) throws WireFormatException {
        start(Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 32));
        RejectRecord record = refused(peer, 1000, request(peer, Kib.V1, 0, depth, fragments));
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.FATAL);
        assertThat(record.version()).isEqualTo(Kib.V1);
    }

    @Test
    @Requirement("ibl-020")
    void whoTakesThisNodeForAnOldOneIsToldThatItIsNot() throws WireFormatException {
        start(Tunables.DEFAULT);
        RejectRecord record = refused(peer, 1000, request(peer, Kib.V1, -1, DEPTH, FRAGMENTS));
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.CONN_STALE);
        assertThat(record.version()).isEqualTo(Kib.V2);
        assertThat(record.incarnation()).isNotZero();
    }

    @Test
    @Requirement("ibl-020")
    void aPeerThatSpeaksAnotherVersionThanBeforeIsStaleOnce() throws WireFormatException {
        start(Tunables.DEFAULT);
        accepted(request(peer, Kib.V1, 0, DEPTH, FRAGMENTS));
        RawPeer upgraded = new RawPeer(world.node(1), IbWorld.nid(1, 0).nid4(), STAMP);
        RejectRecord record = refused(upgraded, 999, request(upgraded, Kib.V2, 0, 8, 257));
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.CONN_STALE);
        assertThat(world.time().runUntil(() -> peer.had(CmEvent.Type.DISCONNECTED), IbWorld.SECOND))
                .as("the connection in the old version")
                .isTrue();
        assertThat(ask(upgraded, 998, request(upgraded, Kib.V2, 0, 8, 257)).type())
                .isEqualTo(CmEvent.Type.ESTABLISHED);
    }

    @Test
    @Requirement("ibl-050")
    void aNoopOfThePeerGivesItsCreditBack() throws WireFormatException {
        start(Tunables.DEFAULT);
        long stamp =
                accepted(request(peer, Kib.V1, 0, DEPTH, FRAGMENTS)).header().sourceStamp();
        KibMessage noop = peer.message(target(), stamp);
        noop.setNoop(Kib.V1);
        for (int i = 0; i < 7; i++) {
            peer.send(RawPeer.bytes(noop), noop.header().bytes());
            world.time().run(IbWorld.SECOND / 100);
        }
        assertThat(peer.received()).as("from seven on").hasSize(1);
        KibMessage answer = peer.received().getFirst();
        assertThat(answer.type()).isEqualTo(KibType.NOOP);
        assertThat(answer.header().version()).isEqualTo(Kib.V1);
        assertThat(answer.header().credits()).isEqualTo(7);
    }

    @Test
    @Requirement("ibl-020")
    void anOldNodeRefusesWhatIsNewer() throws WireFormatException {
        start(Tunables.DEFAULT.with(O2ibTunable.PROTOCOL, 1));
        RejectRecord record = refused(peer, 1000, request(peer, Kib.V2, 0, 8, 257));
        assertThat(RejectReason.of(record.why())).isEqualTo(RejectReason.FATAL);
        assertThat(record.version()).isEqualTo(Kib.V1);
        assertThat(accepted(request(peer, Kib.V1, -1, DEPTH, FRAGMENTS))
                        .header()
                        .version())
                .as("there is nothing that it could be upgraded from")
                .isEqualTo(Kib.V1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 1 << 20})
    @Requirement({"ibl-030", "ibl-040", "ibl-050"})
    void twoNodesTalkWhicheverOfThemIsOld(int length) {
        Side modern = Side.ordinary(world, 0);
        Side old = Side.ordinary(world, 1, Map.of("protocol", 1));
        modern.sendWell(old, 50, length);
        old.sendWell(modern, 50, length);
        modern.sendWell(old, 50, length);
        assertThat(modern.routes(old)).extracting(RouteView::agreed).containsExactly(ConnectionParameters.of(8, 256));
        assertThat(old.routes(modern)).extracting(RouteView::agreed).containsExactly(ConnectionParameters.of(8, 256));
    }

    @Test
    @Requirement({"ibl-030", "ibl-050"})
    void theOldNodeMayAskFirst() {
        Side modern = Side.ordinary(world, 0);
        Side old = Side.ordinary(world, 1, Map.of("protocol", 1));
        old.sendWell(modern, 50, 4096);
        modern.sendWell(old, 50, 4096);
        assertThat(modern.lnd().routes()).hasSize(1);
    }

    @Test
    @Requirement({"ibl-030", "cb-050"})
    void groupsTalkWithOldGroups() {
        Side modern = Side.group(world, 0, 2).knows(1, 0, 1);
        Side old = Side.group(world, 1, 2, Map.of("protocol", 1)).start().knows(0, 0, 1);
        modern.sendWell(old, 60, 4096);
        old.sendWell(modern, 60, 4096);
        assertThat(modern.messages(old)).isEqualTo(List.of(30L, 30L));
        assertThat(old.messages(modern)).isEqualTo(List.of(30L, 30L));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void thereAreTwoVersions(int version) {
        O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT.with(O2ibTunable.PROTOCOL, version));
        assertThatThrownBy(() -> lnd.resolve(NiRequest.ofInterface(Net.parse("o2ib"), "ib0")))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("protocol: given " + version + ", expected 1 or 2");
    }
}
