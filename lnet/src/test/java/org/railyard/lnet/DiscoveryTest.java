package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

class DiscoveryTest {
    private static final Nid A0 = Nid.parse("10.0.0.1@tcp");
    private static final Nid A1 = Nid.parse("10.0.1.1@tcp");
    private static final Nid B0 = Nid.parse("10.0.0.2@tcp");
    private static final Nid B1 = Nid.parse("10.0.1.2@tcp");

    @Test
    @Requirement({"dyn-005", "dyn-020", "dyn-025", "dyn-030", "dyn-035", "dyn-040", "cfg-085", "mrx-015"})
    void firstPutPingsAndPushesEachWayOnceAndThenGoesOut() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
            LNet b = net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
            b.attach(
                    MeConfig.of(33, 7), MdConfig.of(Arena.ofAuto().allocate(64)).withOptions(MdOption.OP_PUT));
            net.takeLog();

            assertThat(net.await(a.put(ProcessId.of(B0), 33, 7, Arena.ofAuto().allocate(64)))
                            .mlength())
                    .isEqualTo(64);

            assertThat(net.takeLines())
                    .containsExactlyInAnyOrder(
                            "GET 10.0.0.1@tcp > 10.0.0.2@tcp",
                            "REPLY 10.0.0.2@tcp > 10.0.0.1@tcp 64",
                            "PUT 10.0.0.1@tcp > 10.0.0.2@tcp 64",
                            "ACK 10.0.0.2@tcp > 10.0.0.1@tcp",
                            "PUT 10.0.1.2@tcp > 10.0.1.1@tcp 64",
                            "ACK 10.0.1.1@tcp > 10.0.1.2@tcp",
                            "PUT 10.0.1.1@tcp > 10.0.1.2@tcp 64",
                            "ACK 10.0.1.2@tcp > 10.0.1.1@tcp");
            PeerInfo seen = a.peers().getFirst();
            assertThat(seen.primaryNid()).isEqualTo(B0);
            assertThat(seen.multiRail()).isTrue();
            assertThat(seen.state()).isEqualTo(273);
            assertThat(seen.nis()).extracting(PeerInfo.PeerNiInfo::nid).containsExactly(B0, B1);
            assertThat(b.peers().getFirst().nis())
                    .extracting(PeerInfo.PeerNiInfo::nid)
                    .containsExactly(A0, A1);
        }
    }

    @Test
    void aNodeThatHasAnotherOnesNidIsTold() {
        try (TestNetwork net = new TestNetwork();
                LogTap log = new LogTap("org.railyard.lnet")) {
            LNet twin = net.node("10.0.0.2@tcp", "10.1.0.5@tcp1");
            LNet node = net.node("10.0.0.1@tcp", "10.1.0.5@tcp1");
            net.await(node.discover(Nid.parse("10.1.0.5@tcp1"), false));
            assertThat(log.lines()).as("this node itself").noneMatch(line -> line.contains("says that it has"));
            net.await(node.discover(B0, false));
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("peer 10.0.0.2@tcp says that it has [10.1.0.5@tcp1], as this node"))
                    .anyMatch(line -> line.contains("peer 10.0.0.1@tcp says that it has [10.1.0.5@tcp1], as this node")
                            || line.contains("more like this"));
            twin.checkInvariants();
        }
    }

    @Test
    @Requirement({"dyn-045", "cfg-020", "mrx-022"})
    void addingAndRemovingAnNiIsPushed() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
            LNet b = net.node("10.0.0.2@tcp");
            net.await(a.discover(B0, false));
            net.takeLog();

            b.addNi(org.railyard.lnet.lnd.NiRequest.ofNid(B1));
            net.settle();
            assertThat(net.takeLog())
                    .extracting(p -> p.header().type())
                    .containsExactly(MessageType.PUT, MessageType.ACK);
            assertThat(a.peers().getFirst().nis())
                    .extracting(PeerInfo.PeerNiInfo::nid)
                    .containsExactly(B0, B1);

            b.removeNi(B1);
            net.settle();
            assertThat(a.peers().getFirst().nis())
                    .extracting(PeerInfo.PeerNiInfo::nid)
                    .containsExactly(B0);
        }
    }

    @Test
    @Requirement({"mrx-002", "bck-025"})
    void nodeWithDiscoveryOffIsKnownByTheOneNidUsed() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            net.node(
                    Settings.of(CompatProfile.DOCUMENTS).with(Tunable.DISCOVERY, false),
                    "10.0.0.2@tcp",
                    "10.0.1.2@tcp");
            net.takeLog();
            PeerInfo peer = net.await(a.discover(B0, false));
            assertThat(net.takeLog())
                    .extracting(p -> p.header().type())
                    .containsExactly(MessageType.GET, MessageType.REPLY);
            assertThat(peer.multiRail()).isFalse();
            assertThat(peer.nis()).extracting(PeerInfo.PeerNiInfo::nid).containsExactly(B0);
        }
    }

    @Test
    @Requirement({"dyn-010", "bck-025", "rsl-119", "rsl-049"})
    void nonMultiRailPeerIsPingedOnceNeverPushedToAndKeepsItsSource() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
            LNet old = net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), "10.0.0.2@tcp");
            old.attach(
                    MeConfig.of(33, 7),
                    MdConfig.of(Arena.ofAuto().allocate(64)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
            net.takeLog();
            for (int i = 0; i < 4; i++) {
                net.await(a.put(ProcessId.of(B0), 33, 7, Arena.ofAuto().allocate(64)));
            }
            assertThat(net.takeLog().stream()
                            .filter(p -> p.header().destNid().equals(B0))
                            .map(p -> p.header().type() + " " + p.header().srcNid()))
                    .hasSize(5)
                    .allMatch(line -> line.endsWith(" 10.0.0.1@tcp"));
        }
    }

    @Test
    void turningDiscoveryOffTellsThePeersWhichRebuildUs() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
            LNet b = net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
            net.await(a.discover(B0, false));
            b.set(Tunable.DISCOVERY, 0);
            net.settle();
            PeerInfo peer = a.peers().getFirst();
            assertThat(peer.multiRail()).isFalse();
            assertThat(peer.nis()).extracting(PeerInfo.PeerNiInfo::nid).containsExactly(B0);
        }
    }

    @Test
    @Requirement("dyn-055")
    void receivingAloneDoesNotDiscover() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            LNet b = net.node("10.0.0.2@tcp");
            PingReply reply = net.await(a.ping(B0, Nid.ANY, Duration.ofSeconds(1)));
            assertThat(reply.multiRail()).isFalse();
            assertThat(reply.nids()).containsExactly(B0);
            assertThat(net.takeLines())
                    .containsExactly("GET 10.0.0.1@tcp > 10.0.0.2@tcp", "REPLY 10.0.0.2@tcp > 10.0.0.1@tcp 48");
            assertThat(b.peers().getFirst().state()).isZero();
        }
    }

    @Test
    void twoProvisionalPeersOfOneNodeAreMerged() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
            net.await(a.ping(B1, Nid.ANY, Duration.ofSeconds(1)));
            net.await(a.ping(B0, Nid.ANY, Duration.ofSeconds(1)));
            assertThat(a.peers()).hasSize(2);
            PeerInfo peer = net.await(a.discover(B1, false));
            assertThat(a.peers()).hasSize(1);
            assertThat(peer.primaryNid()).isEqualTo(B0);
            assertThat(peer.nis()).extracting(PeerInfo.PeerNiInfo::nid).containsExactlyInAnyOrder(B0, B1);
        }
    }

    @Test
    void lostPingFailsTheDiscoveryAndTheNextUseTriesAgain() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            LNet b = net.node("10.0.0.2@tcp");
            b.attach(
                    MeConfig.any(33),
                    MdConfig.of(Arena.ofAuto().allocate(64)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
            net.lose(packet -> packet.header().type() == MessageType.GET);
            CompletionStage<PutResult> put =
                    a.put(ProcessId.of(B0), 33, 7, Arena.ofAuto().allocate(8));
            net.settle();
            net.pass(151);
            assertThat(net.awaitError(put).errno()).isEqualTo(Errno.ETIMEDOUT);
            assertThat(a.peers().getFirst().state() & 32).isEqualTo(32);
            net.lose(packet -> false);
            assertThat(net.await(a.put(ProcessId.of(B0), 33, 7, Arena.ofAuto().allocate(8)))
                            .mlength())
                    .isEqualTo(8);
        }
    }

    @Test
    void peerWithManyNidsIsPingedAgainWithALargerBuffer() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            String[] nids = new String[40];
            for (int i = 0; i < nids.length; i++) {
                nids[i] = "10.9." + i + ".2@tcp";
            }
            net.node(nids);
            net.takeLog();
            PeerInfo peer = net.await(a.discover(Nid.parse("10.9.0.2@tcp"), false));
            assertThat(peer.nis()).hasSize(40);
            assertThat(net.takeLog().stream()
                            .filter(p -> p.header().type() == MessageType.GET)
                            .map(p -> p.header().sinkLength()))
                    .containsExactly(PingInfo.MIN_BUFFER, 16 + 41 * 16);
        }
    }

    @Test
    void forcedDiscoveryOfAKnownPeerPingsAndPushesOnce() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp");
            net.node("10.0.0.2@tcp");
            net.await(a.discover(B0, false));
            net.takeLog();
            net.await(a.discover(B0, false));
            assertThat(net.takeLog())
                    .extracting(p -> p.header().type())
                    .containsExactly(MessageType.GET, MessageType.REPLY);
            net.await(a.discover(B0, true));
            assertThat(net.takeLog())
                    .extracting(p -> p.header().type())
                    .containsExactly(MessageType.GET, MessageType.REPLY, MessageType.PUT, MessageType.ACK);
        }
    }
}
