package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** NIs that come and go, nodes that stop (spec 10 §2–§3, 11 §5). */
class LifecycleTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid B = Nid.parse("10.0.0.2@tcp");
    private static final int PORTAL = 33;

    private final TestNetwork net = new TestNetwork();
    private final Recorder from = new Recorder();

    private static MdConfig memory(int bytes) {
        return MdConfig.of(Arena.ofAuto().allocate(bytes));
    }

    private LNet target(String... nids) {
        LNet node = net.node(nids);
        node.attach(
                MeConfig.any(PORTAL), memory(64).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        return node;
    }

    private void put(LNet node, Recorder recorder, Nid to) {
        node.put(node.bind(memory(8).withHandler(recorder)), true, Nid.ANY, ProcessId.of(to), PORTAL, 7, 0, 0);
    }

    private static List<Nid> peersOf(LNet node) {
        return node.peers().stream().map(PeerInfo::primaryNid).toList();
    }

    @Test
    @Requirement({"mrx-017", "snd-080", "hlt-025", "rsl-015", "rsl-078", "dyn-050"})
    void aDeviceThatFailsIsToldToThePeersAndWhenItWorksAgainToo() {
        LNet a = net.node(A.toString());
        LNet b = net.node(B.toString(), "10.0.1.2@tcp");
        net.await(a.discover(B, false));
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(b.nis().getLast().up()).isFalse();
        assertThat(a.peers().getFirst().nis().getLast().up()).isFalse();
        net.takeLog();
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(net.takeLog()).as("no change").isEmpty();
        net.device("10.0.1.2@tcp", DeviceEvent.CLEAR);
        assertThat(b.nis().getLast().up()).isTrue();
        assertThat(a.peers().getFirst().nis().getLast().up()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesOnAnNiThatIsRemovedFailOnesThatWaitForItTakeAnotherIfTheyMay(boolean requeue) {
        Settings settings = Settings.of(CompatProfile.DOCUMENTS).with(Tunable.REQUEUE_ON_NI_FAILURE, requeue);
        LNet a = net.node(settings, A.toString(), "10.0.1.1@tcp");
        target(B.toString());
        net.await(a.discover(B, false));
        net.hold(header -> header.portal() == PORTAL && header.type() == MessageType.PUT);
        for (int i = 0; i < 24; i++) {
            put(a, from, B);
        }
        net.settle();
        assertThat(a.peers().getFirst().nis().getFirst().credits()).isEqualTo(8 - 24);
        a.removeNi(A);
        assertThat(from.lines())
                .as("four of its messages were in the transport")
                .contains("SEND ESHUTDOWN");
        net.releaseAll();
        assertThat(from.lines())
                .filteredOn(line -> line.equals("SEND ESHUTDOWN"))
                .hasSize(requeue ? 4 : 12);
        assertThat(from.lines()).filteredOn(line -> line.equals("ACK")).hasSize(requeue ? 20 : 12);
        assertThat(a.peers().getFirst().nis().getFirst().credits()).isEqualTo(8);
        assertThat(a.nis().getFirst().credits()).isEqualTo(256);
        assertThat(a.messagesInUse()).isZero();
        net.close();
    }

    @Test
    void whatIsNotThereCanNotBeRemovedAndWhatIsThereNotAdded() {
        LNet a = net.node(A.toString());
        TwoNodes.expect(Errno.EEXIST, () -> a.addNi(NiRequest.ofNid(A)));
        TwoNodes.expect(Errno.ENODEV, () -> a.removeNi(B));
        TwoNodes.expect(Errno.EINVAL, () -> a.addNi(NiRequest.ofNid(Nid.parse("10.0.0.1@o2ib"))));
        TwoNodes.expect(Errno.ENETDOWN, () -> a.addNi(NiRequest.ofInterface(Net.TCP, "eth9")));
        TwoNodes.expect(Errno.EINVAL, () -> a.addNi(NiRequest.ofNid(Nid.LOOPBACK)));
        assertThat(a.nids()).containsExactly(A);
        net.close();
    }

    @Test
    void anNiThatCanNotBeStartedLeavesEverythingAsItWas() {
        LNet a = net.node(A.toString());
        target(B.toString(), "10.1.0.2@tcp1");
        net.await(a.discover(B, false));
        List<PeerInfo> before = a.peers();
        net.takeLog();
        net.whenStarting(ni -> {
            throw new ErrnoException(Errno.EADDRINUSE, "somebody else listens");
        });
        TwoNodes.expect(Errno.EADDRINUSE, () -> a.addNi(net.request("10.1.0.1@tcp1")));
        net.settle();
        assertThat(a.nids()).containsExactly(A);
        assertThat(a.peers()).isEqualTo(before);
        assertThat(net.takeLog()).isEmpty();
        net.close();
    }

    @Test
    void peersGetCreditsWithTheNetAndLoseThemWithIt() {
        LNet a = net.node(A.toString());
        target(B.toString(), "10.1.0.2@tcp1");
        net.await(a.discover(B, false));
        PeerInfo.PeerNiInfo remote = a.peers().getFirst().nis().getLast();
        assertThat(remote.nid()).isEqualTo(Nid.parse("10.1.0.2@tcp1"));
        assertThat(remote.credits()).isZero();
        a.addNi(net.request("10.1.0.1@tcp1"));
        net.settle();
        assertThat(a.peers().getFirst().nis())
                .extracting(PeerInfo.PeerNiInfo::credits)
                .containsExactly(8, 8);
        for (int i = 0; i < 4; i++) {
            put(a, from, B);
            net.settle();
        }
        assertThat(from.lines()).filteredOn(line -> line.equals("ACK")).hasSize(4);
        a.removeNi(Nid.parse("10.1.0.1@tcp1"));
        net.settle();
        assertThat(a.peers().getFirst().nis())
                .extracting(PeerInfo.PeerNiInfo::credits)
                .containsExactly(8, 0);
        put(a, from, B);
        net.settle();
        assertThat(from.lines()).endsWith("SEND", "ACK");
        net.close();
    }

    @Test
    void aPeerOutlivesOneOfItsNetsUnderAPrimaryOnAnother() {
        LNet a = net.node(A.toString(), "10.1.0.1@tcp1");
        target(B.toString(), "10.1.0.2@tcp1");
        net.await(a.discover(B, false));
        a.removeNi(A);
        net.settle();
        PeerInfo peer = a.peers().getFirst();
        assertThat(a.peers()).hasSize(1);
        assertThat(peer.nis()).hasSize(2);
        assertThat(peer.primaryNid()).isEqualTo(Nid.parse("10.1.0.2@tcp1"));
        put(a, from, Nid.parse("10.1.0.2@tcp1"));
        net.settle();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        net.close();
    }

    @Test
    void aLockedPrimaryStaysWhenItsNetGoes() {
        LNet a = net.node(A.toString(), "10.1.0.1@tcp1");
        target(B.toString(), "10.1.0.2@tcp1");
        a.addPeer(List.of(B));
        net.settle();
        a.removeNi(A);
        net.settle();
        PeerInfo peer = a.peers().getFirst();
        assertThat(peer.primaryNid()).isEqualTo(B);
        assertThat(peer.nis()).extracting(PeerInfo.PeerNiInfo::credits).containsExactly(0, 8);
        put(a, from, B);
        net.settle();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        a.addNi(net.request(A.toString()));
        net.settle();
        assertThat(a.peers().getFirst().nis())
                .extracting(PeerInfo.PeerNiInfo::credits)
                .containsExactly(8, 8);
        net.close();
    }

    @Test
    void aPrimaryOnANetThatWasNeverThereStaysWhenAnotherNetGoes() {
        LNet a = net.node(A.toString(), "10.1.0.1@tcp1");
        target("10.2.0.2@tcp2", B.toString(), "10.1.0.2@tcp1");
        net.await(a.discover(B, false));
        Nid far = Nid.parse("10.2.0.2@tcp2");
        assertThat(a.peers().getFirst().primaryNid()).isEqualTo(far);
        a.removeNi(A);
        net.settle();
        assertThat(a.peers().getFirst().primaryNid()).isEqualTo(far);
        a.removeNi(Nid.parse("10.1.0.1@tcp1"));
        net.settle();
        assertThat(peersOf(a)).doesNotContain(B, far);
        net.close();
    }

    @Test
    void aPeerGoesWithTheLastNetItIsReachedThrough() {
        LNet a = net.node(A.toString(), "10.1.0.1@tcp1");
        target(B.toString());
        net.await(a.discover(B, false));
        net.hold(header -> header.type() == MessageType.GET);
        put(a, from, Nid.parse("10.0.0.77@tcp"));
        CompletionStage<PeerInfo> waiting = a.discover(B, false);
        net.settle();
        a.removeNi(A);
        net.settle();
        assertThat(peersOf(a)).doesNotContain(B);
        assertThat(net.awaitError(waiting).errno()).isEqualTo(Errno.EHOSTUNREACH);
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        net.releaseAll();
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    void aNodeOfNoNiReachesItself() {
        LNet a = target();
        put(a, from, Nid.LOOPBACK);
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", "ACK");
        put(a, from, B);
        net.settle();
        assertThat(from.lines()).endsWith("SEND EHOSTUNREACH");
        net.close();
    }

    @Test
    void everyDescriptorSeesItsEndOnceWhateverItIsBusyWith() {
        LNet a = target(A.toString());
        LNet b = target(B.toString());
        net.await(a.discover(B, false));
        List<Recorder> recorders = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            recorders.add(new Recorder());
        }
        // Idle, attached, sending, waiting for credits, waiting for an answer, parked for discovery.
        a.bind(memory(8).withHandler(recorders.get(0)));
        a.attach(MeConfig.any(34), memory(8).withOptions(MdOption.OP_PUT).withHandler(recorders.get(1)));
        net.lose(packet -> packet.header().type() == MessageType.ACK);
        put(a, recorders.get(2), B);
        net.settle();
        net.hold(header -> header.type() != MessageType.ACK);
        for (int i = 3; i < 20; i++) {
            put(a, recorders.get(i), B);
        }
        for (int i = 20; i < 30; i++) {
            put(a, recorders.get(i), Nid.parse("10.0.0.77@tcp"));
        }
        CompletionStage<PeerInfo> discovered = a.discover(B, true);
        CompletionStage<PingReply> pinged = a.ping(B, Nid.ANY, Duration.ofSeconds(1));
        net.settle();
        a.close();
        assertThat(recorders).allSatisfy(recorder -> {
            assertThat(recorder.events().stream().filter(Event::unlinked)).hasSize(1);
            assertThat(recorder.events().getLast().unlinked()).isTrue();
        });
        assertThat(recorders.get(3).lines()).containsExactly("SEND ESHUTDOWN", "UNLINK!");
        assertThat(recorders.get(19).lines()).containsExactly("SEND ESHUTDOWN", "UNLINK!");
        assertThat(recorders.get(29).lines()).containsExactly("SEND ESHUTDOWN", "UNLINK!");
        assertThat(net.awaitError(discovered).errno()).isEqualTo(Errno.ESHUTDOWN);
        assertThat(net.awaitError(pinged).errno()).isEqualTo(Errno.ESHUTDOWN);
        assertThat(a.messagesInUse()).isZero();
        b.close();
        assertThat(net.openWorkers()).isZero();
    }

    @Test
    void aNodeThatClosesLeavesNoWorkerAndNothingToComplainOf() {
        LNet a = target(A.toString());
        a.registerNidUpdates(update -> {});
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            a.close();
            assertThat(log.lines()).isEmpty();
        }
        assertThat(net.openWorkers()).isZero();
    }

    @Test
    void closingTwiceAndCallsAfterwards() {
        LNet a = target(A.toString());
        Md md = a.bind(memory(8).withHandler(from));
        a.close();
        a.close();
        assertThat(from.lines()).containsExactly("UNLINK!");
        ProcessId to = ProcessId.of(B);
        TwoNodes.expect(Errno.ENOENT, () -> a.put(md, true, Nid.ANY, to, PORTAL, 7, 0, 0));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.bind(memory(8)));
        TwoNodes.expect(
                Errno.ESHUTDOWN, () -> a.attach(MeConfig.any(34), memory(8).withOptions(MdOption.OP_PUT)));
        TwoNodes.expect(
                Errno.ESHUTDOWN, () -> a.put(to, PORTAL, 7, Arena.ofAuto().allocate(8)));
        TwoNodes.expect(
                Errno.ESHUTDOWN, () -> a.get(to, PORTAL, 7, Arena.ofAuto().allocate(8)));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.ping(B, Nid.ANY, Duration.ofSeconds(1)));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.discover(B, false));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.addNi(NiRequest.ofNid(B)));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.removeNi(A));
        TwoNodes.expect(Errno.ESHUTDOWN, () -> a.set(Tunable.DISCOVERY, 0));
        assertThat(a.messagesInUse()).isZero();
        assertThat(a.peers()).isEmpty();
    }

    @Test
    void aNodeThatCanNotStartLeavesNothing() {
        TwoNodes.expect(Errno.EEXIST, () -> net.node(A.toString(), A.toString()));
        assertThat(net.openWorkers()).isZero();
        LNet a = net.node(A.toString());
        assertThat(a.nids()).containsExactly(A);
        net.close();
    }

    /** Such as one whose native library is not there. */
    @Test
    void aNodeWhoseTransportIsBrokenLeavesNothing() {
        net.whenStarting(ni -> {
            throw new LinkageError("broken");
        });
        assertThatThrownBy(() -> net.node(A.toString())).isInstanceOf(LinkageError.class);
        assertThat(net.openWorkers()).isZero();
    }

    @Test
    void aTransportThatFailsToStopAnNiKeepsNothingElseFromStopping() {
        LNet a = net.node(A.toString(), "10.0.1.1@tcp", "10.0.2.1@tcp");
        net.whenStopped(ni -> {
            throw new LinkageError("broken");
        });
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            a.removeNi(A);
            assertThat(a.nids()).extracting(Nid::toString).containsExactly("10.0.1.1@tcp", "10.0.2.1@tcp");
            a.close();
            assertThat(log.lines())
                    .containsExactly(
                            "SEVERE NI " + A + " was not stopped properly",
                            "SEVERE NI 10.0.1.1@tcp was not stopped properly",
                            "SEVERE NI 10.0.2.1@tcp was not stopped properly");
        }
        assertThat(net.openWorkers()).isZero();
    }

    private static WeakReference<LNet> usedAndClosed() {
        try (TestNetwork gone = new TestNetwork()) {
            LNet node = gone.node(A.toString());
            Recorder recorder = new Recorder();
            Md md = node.bind(memory(8).withHandler(recorder));
            node.put(md, false, Nid.ANY, ProcessId.of(Nid.LOOPBACK), PORTAL, 7, 0, 0);
            node.put(md, false, Nid.ANY, ProcessId.of(A), PORTAL, 7, 0, 0);
            gone.settle();
            return new WeakReference<>(node);
        }
    }

    @Test
    void aThreadThatUsedANodeDoesNotKeepItInMemory() {
        WeakReference<LNet> node = usedAndClosed();
        for (int i = 0; i < 100 && node.get() != null; i++) {
            System.gc();
        }
        assertThat(node.get()).isNull();
    }
}
