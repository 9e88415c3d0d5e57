package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.LNet;
import org.railyard.lnet.TwoNodes;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/** Which NI a message leaves from and which NID it goes to (spec 10 §8, 01 §6). */
class SelectionTest {
    private static final int PORTAL = 33;
    private static final Settings OLD = Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false);

    private final TestNetwork net = new TestNetwork();
    private final Recorder from = new Recorder();

    @AfterEach
    void close() {
        net.close();
    }

    private static Nid nid(String text) {
        return Nid.parse(text);
    }

    private static ProcessId to(String text) {
        return ProcessId.of(nid(text));
    }

    private LNet target(Settings settings, String... nids) {
        LNet node = net.node(settings, nids);
        node.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(1 << 20))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        return node;
    }

    private LNet target(String... nids) {
        return target(Settings.of(CompatProfile.DOCUMENTS), nids);
    }

    private Md source(LNet node, int bytes) {
        return node.bind(MdConfig.of(Arena.ofAuto().allocate(bytes)).withHandler(from));
    }

    /**
     * Sends PUTs one at a time; returns the ways they went, {@code source>destination} by the last parts of their
     * addresses.
     */
    private List<String> ways(LNet node, Nid self, String target, int count) {
        net.settle();
        net.takeLog();
        Md md = source(node, 8);
        List<String> ways = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            node.put(md, false, self, to(target), PORTAL, 7, 0, 0);
            net.settle();
            net.takeLog().stream()
                    .filter(p ->
                            p.header().type() == MessageType.PUT && p.header().portal() == PORTAL)
                    .forEach(p -> ways.add(
                            brief(p.header().srcNid()) + ">" + brief(p.header().destNid())));
        }
        return ways;
    }

    /** {@code 10.0.1.2@tcp} becomes 1.2, {@code 10.1.0.2@tcp1} becomes 0.2@1. */
    private static String brief(Nid nid) {
        return nid.toString()
                .replaceFirst("10\\.\\d+\\.(\\d+\\.\\d+)@tcp", "$1@")
                .replaceFirst("@$", "");
    }

    private List<String> ways(LNet node, String target, int count) {
        return ways(node, Nid.ANY, target, count);
    }

    @Test
    @Requirement({"snd-060", "snd-075", "rsl-112", "mrx-004"})
    void equalRailsTakeTurnsInStep() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        List<String> ways = ways(a, "10.0.0.2@tcp", 6);
        assertThat(ways.get(0)).isNotEqualTo(ways.get(1));
        assertThat(ways.subList(0, 2)).isEqualTo(ways.subList(2, 4)).isEqualTo(ways.subList(4, 6));
        assertThat(ways).allMatch(way -> way.equals("0.1>0.2") || way.equals("1.1>1.2"));
    }

    @Test
    @Requirement({"mrx-005", "mrx-013"})
    void netsTakeTurnsToo() {
        LNet a = net.node("10.0.0.1@tcp", "10.1.0.1@tcp1");
        target("10.0.0.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        assertThat(ways(a, "10.0.0.2@tcp", 4))
                .containsOnly("0.1>0.2", "0.1@1>0.2@1")
                .hasSize(4);
    }

    @Test
    @Requirement("mrx-006")
    void theNiFollowsTheNetOfThePeer() {
        LNet a = net.node("10.0.0.1@tcp", "10.1.0.1@tcp1");
        target("10.0.0.2@tcp");
        target("10.1.0.3@tcp1");
        assertThat(ways(a, "10.0.0.2@tcp", 2)).containsOnly("0.1>0.2");
        assertThat(ways(a, "10.1.0.3@tcp1", 2)).containsOnly("0.1@1>0.3@1");
    }

    @Test
    @Requirement({"rsl-079", "rsl-121", "snd-080"})
    void anNiWithAFatalErrorIsNeverChosen() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.device("10.0.0.1@tcp", DeviceEvent.FATAL);
        assertThat(a.nis().getFirst().up()).isFalse();
        assertThat(ways(a, "10.0.0.2@tcp", 4)).hasSize(4).allMatch(way -> way.startsWith("1.1>"));
        net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
        from.clear();
        assertThat(ways(a, "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        net.device("10.0.0.1@tcp", DeviceEvent.CLEAR);
        assertThat(ways(a, "10.0.0.2@tcp", 2)).hasSize(2).allMatch(way -> way.startsWith("0.1>"));
    }

    @Test
    @Requirement({"rsl-123", "rsl-017"})
    void aHealthierPeerNiIsPreferred() {
        LNet a = net.node(
                Settings.of(CompatProfile.DOCUMENTS).with(Tunable.HEALTH_RECOVERY_INCREMENT, 0), "10.0.0.1@tcp");
        LNet b = target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(b.nis().getLast().up()).isFalse();
        PeerInfo.PeerNiInfo down = a.peers().getFirst().nis().getLast();
        assertThat(down.health()).isEqualTo(900);
        assertThat(down.up()).isFalse();
        assertThat(ways(a, "10.0.1.2@tcp", 4)).containsOnly("0.1>0.2").hasSize(4);
        net.device("10.0.1.2@tcp", DeviceEvent.CLEAR);
        // A recovery ping gives back what the failure took.
        net.pass(2);
        assertThat(ways(a, "10.0.1.2@tcp", 4)).contains("0.1>0.2", "0.1>1.2");
    }

    @Test
    @Requirement("mrx-024")
    void anNiWhoseTransportReportsAFailureIsLeftAlone() {
        LNet a = net.node(
                Settings.of(CompatProfile.DOCUMENTS).with(Tunable.HEALTH_RECOVERY_INCREMENT, 0),
                "10.0.0.1@tcp",
                "10.0.1.1@tcp");
        target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        assertThat(ways(a, "10.0.0.2@tcp", 2)).anyMatch(way -> way.startsWith("0.1>"));
        net.failNext(1, HealthStatus.LOCAL_DROPPED, header -> header.srcNid().equals(nid("10.0.0.1@tcp")));
        assertThat(ways(a, "10.0.0.2@tcp", 6)).hasSize(6).allMatch(way -> way.startsWith("1.1>"));
        assertThat(a.nis()).extracting(NiInfo::health).containsExactly(900, 1000);
    }

    @Test
    @Requirement("rsl-018")
    void aHealthierNetIsPreferred() {
        LNet a = net.node("10.0.0.1@tcp", "10.1.0.1@tcp1");
        target("10.0.0.2@tcp", "10.0.1.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.device("10.0.0.2@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, "10.0.0.2@tcp", 4))
                .as("as long as one peer NI of a net is well, so is the net")
                .containsOnly("0.1>1.2", "0.1@1>0.2@1")
                .hasSize(4);
        net.device("10.0.1.2@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, "10.0.0.2@tcp", 4)).containsOnly("0.1@1>0.2@1").hasSize(4);
    }

    @Test
    @Requirement("snd-035")
    void fewerQueuedBytesWinAtThePeer() {
        LNet a = net.node("10.0.0.1@tcp");
        target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.takeLog();
        List<String> ways = new ArrayList<>();
        net.hold(header -> {
            if (header.type() == MessageType.PUT && header.portal() == PORTAL) {
                ways.add(header.payloadLength() + ">" + header.destNid());
            }
            return true;
        });
        for (int length : new int[] {1000, 300, 300, 300, 10}) {
            a.put(source(a, length), false, Nid.ANY, to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        String first = ways.getFirst().substring(ways.getFirst().indexOf('>'));
        String other = first.equals(">10.0.0.2@tcp") ? ">10.0.1.2@tcp" : ">10.0.0.2@tcp";
        assertThat(ways)
                .as("372 + 372 < 1072 < 372 * 3")
                .containsExactly("1000" + first, "300" + other, "300" + other, "300" + other, "10" + first);
        net.releaseAll();
    }

    @Test
    @Requirement("snd-030")
    void moreCreditsWinHere() {
        net.withTunables(8, 20);
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target("10.0.0.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        List<String> ways = new ArrayList<>();
        net.hold(header -> {
            if (header.portal() == PORTAL) {
                ways.add(header.srcNid().toString());
            }
            return header.portal() == PORTAL;
        });
        for (int i = 0; i < 3; i++) {
            a.put(source(a, 1), false, nid("10.0.0.1@tcp"), to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
        }
        for (int i = 0; i < 3; i++) {
            a.put(source(a, 1), false, Nid.ANY, to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
        }
        net.settle();
        assertThat(ways.subList(3, 6)).containsOnly("10.0.1.1@tcp");
        net.releaseAll();
    }

    @Test
    @Requirement("rsl-104")
    void aNamedSourceIsUsedAndThePeersBestNidOnItsNet() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1");
        target("10.0.0.2@tcp", "10.0.1.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        List<String> ways = ways(a, nid("10.0.1.1@tcp"), "10.0.0.2@tcp", 4);
        assertThat(ways).containsOnly("1.1>0.2", "1.1>1.2").hasSize(4);
        from.clear();
        assertThat(ways(a, nid("10.0.1.1@tcp"), "10.1.0.2@tcp1", 1)).isEmpty();
        net.device("10.0.1.1@tcp", DeviceEvent.FATAL);
        assertThat(ways(a, nid("10.0.1.1@tcp"), "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(ways(a, nid("10.0.9.1@tcp"), "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH", "SEND EHOSTUNREACH", "SEND EINVAL");
    }

    @Test
    @Requirement("rsl-108")
    void aNamedSourceSticksToAPeerThatIsNotMultiRail() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target(OLD, "10.0.0.2@tcp");
        // Known by one message: no local NI is preferred before the first one that is sent.
        assertThat(ways(a, nid("10.0.1.1@tcp"), "10.0.0.2@tcp", 1)).containsExactly("1.1>0.2");
        assertThat(ways(a, nid("10.0.0.1@tcp"), "10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
    }

    @Test
    @Requirement({"rsl-117", "rsl-119"})
    void thePreferredNiOfAnOldPeerIsItsOnlyOne() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target(OLD, "10.0.0.2@tcp");
        assertThat(ways(a, "10.0.0.2@tcp", 4)).containsOnly("0.1>0.2").hasSize(4);
        net.device("10.0.0.1@tcp", DeviceEvent.FATAL);
        from.clear();
        assertThat(ways(a, "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        a.removeNi(nid("10.0.0.1@tcp"));
        assertThat(ways(a, "10.0.0.2@tcp", 2)).as("that NI is no more").containsOnly("1.1>0.2");
    }

    @Test
    void anIncomingMessageMakesItsNiThePreferredOne() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        LNet old = target(OLD, "10.0.0.2@tcp");
        assertThat(ways(old, "10.0.1.1@tcp", 1)).containsExactly("0.2>1.1");
        assertThat(ways(a, "10.0.0.2@tcp", 4)).containsOnly("1.1>0.2").hasSize(4);
    }

    @Test
    @Requirement("snd-045")
    void answersGoBackTheWayTheRequestCame() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        target("10.0.0.2@tcp", "10.0.1.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.takeLog();
        for (int i = 0; i < 8; i++) {
            a.put(source(a, 8), true, Nid.ANY, to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
            a.get(source(a, 8), nid("10.0.1.1@tcp"), to("10.0.0.2@tcp"), PORTAL, 7, 0);
            net.settle();
        }
        List<TestNetwork.Packet> log = net.takeLog();
        List<String> requests = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (TestNetwork.Packet packet : log) {
            LNetHeader header = packet.header();
            switch (header.type()) {
                case PUT, GET -> requests.add(header.srcNid() + " " + header.destNid());
                default -> answers.add(header.destNid() + " " + header.srcNid());
            }
        }
        assertThat(answers).containsExactlyInAnyOrderElementsOf(requests).hasSize(16);
    }

    @Test
    @Requirement("snd-070")
    void anAnswerWhoseSourceIsGoneTakesAnotherNi() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
        LNet b = net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
        b.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(8))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(event -> {
                            if (event.kind() == EventKind.PUT) {
                                net.device(event.targetNid().toString(), DeviceEvent.FATAL);
                            }
                        }));
        net.await(b.discover(nid("10.0.0.1@tcp"), false));
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        a.put(source(a, 8), true, nid("10.0.0.1@tcp"), to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
        net.settle();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        assertThat(from.only(EventKind.ACK).sourceNid())
                .isNotEqualTo(from.only(EventKind.SEND).targetNid());
    }

    @Test
    void aNid4DestinationIsReachedFromItsOwnFamilyOnly() {
        LNet a = net.node("2001:db8::1@tcp", "10.0.0.1@tcp");
        target("10.0.0.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        assertThat(ways(a, "10.0.0.2@tcp", 4)).containsOnly("0.1>0.2").hasSize(4);
        from.clear();
        assertThat(ways(a, nid("2001:db8::1@tcp"), "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
        from.clear();
        a.removeNi(nid("10.0.0.1@tcp"));
        assertThat(ways(a, "10.0.0.2@tcp", 1)).isEmpty();
        assertThat(from.lines()).containsExactly("SEND EHOSTUNREACH");
    }

    @Test
    void aLargeDestinationIsReachedFromEitherFamily() {
        LNet a = net.node("10.0.0.1@tcp");
        LNet b = target("2001:db8::2@tcp");
        net.await(a.discover(nid("2001:db8::2@tcp"), false));
        Md md = source(a, 8);
        a.put(md, true, Nid.ANY, to("2001:db8::2@tcp"), PORTAL, 7, 0, 0);
        net.settle();
        assertThat(from.lines()).containsExactly("SEND", "ACK");
        assertThat(b.peers().getFirst().primaryNid()).isEqualTo(nid("10.0.0.1@tcp"));
    }

    @Test
    void ofTwoFamiliesEachKeepsToItself() {
        LNet a = net.node("10.0.0.1@tcp", "2001:db8::1@tcp");
        target("10.0.0.2@tcp", "2001:db8::2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        net.takeLog();
        for (int i = 0; i < 12; i++) {
            a.put(source(a, 8), false, Nid.ANY, to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        assertThat(net.takeLog())
                .hasSize(12)
                .noneMatch(p ->
                        !p.header().srcNid().isNid4() && p.header().destNid().isNid4());
    }

    @Test
    void aNetOnWhichNothingReachesThePeerIsPassedOver() {
        LNet a = net.node("10.0.0.1@tcp", "2001:db8::1@tcp1");
        target("10.0.0.2@tcp", "10.1.0.2@tcp1");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        assertThat(ways(a, "10.0.0.2@tcp", 4)).containsOnly("0.1>0.2").hasSize(4);
    }

    @Test
    void ownNidsAreReachedThroughTheTransport() {
        LNet a = target("10.0.0.1@tcp", "10.0.1.1@tcp");
        net.takeLog();
        a.put(source(a, 8), true, Nid.ANY, to("10.0.1.1@tcp"), PORTAL, 7, 0, 0);
        net.settle();
        assertThat(from.lines()).containsExactlyInAnyOrder("SEND", "ACK");
        assertThat(net.takeLog()).isNotEmpty();
        PeerInfo self = a.peers().getFirst();
        assertThat(self.state()).isEqualTo(273);
        assertThat(self.nis())
                .extracting(PeerInfo.PeerNiInfo::nid)
                .containsExactly(nid("10.0.0.1@tcp"), nid("10.0.1.1@tcp"));
    }

    @Test
    void anNiIsNotChosenBeforeItsTransportHasStartedIt() {
        LNet a = net.node("10.0.0.1@tcp");
        target("10.0.0.2@tcp");
        net.await(a.discover(nid("10.0.0.2@tcp"), false));
        List<String> ways = new ArrayList<>();
        net.whenStarting(ni -> ways.addAll(ways(a, "10.0.0.2@tcp", 3)));
        a.addNi(net.request("10.0.1.1@tcp"));
        assertThat(ways).containsOnly("0.1>0.2").hasSize(3);
        assertThat(from.lines()).containsOnly("SEND");
        net.whenStarting(ni -> {});
        assertThat(ways(a, "10.0.0.2@tcp", 2)).contains("1.1>0.2");
    }

    @Test
    void aPushedStatusOfAStrangerChangesNothing() {
        LNet a = net.node("10.0.0.1@tcp");
        Nid stranger = nid("10.0.0.9@tcp");
        PingInfo info = PingInfo.of(PingInfo.NI_STATUS, 12345, 1, List.of(new PingInfo.Entry(stranger, 0)));
        LNetHeader header = new LNetHeader();
        header.setPut(info.bytes(), Wire.NO_COOKIE, Wire.NO_COOKIE, 0, Wire.PING_MATCH_BITS, 0, 0);
        header.setRoute(nid("10.0.0.1@tcp"), 12345, stranger, 12345);
        byte[] bytes = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(bytes), 0);
        net.takeLog();
        net.inject(header, bytes);
        net.settle();
        assertThat(net.takeLog()).as("not multi-rail: ignored").isEmpty();
        assertThat(a.peers().getFirst().multiRail()).isFalse();
    }

    @Test
    void distances() {
        LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1");
        assertThat(a.distance(Nid.LOOPBACK)).isEqualTo(new Distance(0, 0, Nid.LOOPBACK));
        assertThat(a.distance(nid("10.0.1.1@tcp"))).isEqualTo(new Distance(0, 1, nid("10.0.1.1@tcp")));
        assertThat(a.distance(nid("10.0.7.7@tcp"))).isEqualTo(new Distance(1, 2, nid("10.0.0.1@tcp")));
        assertThat(a.distance(nid("10.0.7.7@tcp1"))).isEqualTo(new Distance(1, 4, nid("10.1.0.1@tcp1")));
        TwoNodes.expect(Errno.EHOSTUNREACH, () -> a.distance(nid("10.0.7.7@tcp2")));
        LNet far =
                net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.LOCAL_NID_DIST_ZERO, false), "10.0.0.2@tcp");
        assertThat(far.distance(nid("10.0.0.2@tcp")).hops()).isEqualTo(1);
    }

    @Test
    void nidsAreListedNetByNetInTheOrderOfConfiguration() {
        LNet a = net.node("10.0.0.1@tcp", "10.1.0.1@tcp1", "10.0.1.1@tcp");
        assertThat(a.nids()).containsExactly(nid("10.0.0.1@tcp"), nid("10.0.1.1@tcp"), nid("10.1.0.1@tcp1"));
    }
}
