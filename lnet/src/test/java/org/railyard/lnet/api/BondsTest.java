package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/**
 * Bonds as they are made, changed and seen by other nodes (spec 21 §10.1): the node {@code a} has A1 and A2, of three
 * NIDs each, as in the example there.
 */
class BondsTest {
    private static final List<Nid> A1 = nids(0, 1, 2);
    private static final List<Nid> A2 = nids(3, 4, 5);
    private static final Nid B0 = Nid.parse("10.0.0.2@tcp");
    private static final Nid B1 = Nid.parse("10.0.1.2@tcp");
    private static final int PORTAL = 33;

    private final TestNetwork net = new TestNetwork();

    @AfterEach
    void close() {
        net.close();
    }

    private static List<Nid> nids(int... third) {
        return IntStream.of(third)
                .mapToObj(i -> Nid.parse("10.0." + i + ".1@tcp"))
                .toList();
    }

    private static Bond local(String name, List<Nid> nids) {
        return new Bond(name, Bond.Kind.LOCAL, BondPolicy.DEFAULT, nids);
    }

    /** The node with six NIDs and no bonds yet. */
    private LNet sixNids(Settings settings) {
        List<Nid> all = new ArrayList<>(A1);
        all.addAll(A2);
        LNet node = net.node(settings, all.stream().map(Nid::toString).toArray(String[]::new));
        sink(node);
        return node;
    }

    private LNet twoBonds() {
        LNet node = sixNids(Settings.of(CompatProfile.DOCUMENTS));
        node.bonds().add(local("A1", A1), -1);
        node.bonds().add(local("A2", A2), -1);
        return node;
    }

    private LNet other(Settings settings) {
        LNet node = net.node(settings, B0.toString(), B1.toString());
        sink(node);
        return node;
    }

    private static void sink(LNet node) {
        node.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(64))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
    }

    private List<Nid> ping(LNet from, Nid target) {
        return net.await(from.ping(target, Nid.ANY, Duration.ofSeconds(5))).nids();
    }

    private static int sequence(TestNetwork net, LNet from, Nid target) {
        return net.await(from.ping(target, Nid.ANY, Duration.ofSeconds(5)))
                .info()
                .sequence();
    }

    private static List<List<Nid>> peersOf(LNet node) {
        return node.peers().stream()
                .map(peer -> peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList())
                .toList();
    }

    /** Sends PUTs and returns the NIDs that they left from. */
    private Set<Nid> sources(LNet node, Nid self, Nid target, int count) {
        Md md = node.bind(MdConfig.of(Arena.ofAuto().allocate(8)));
        net.settle();
        net.takeLog();
        for (int i = 0; i < count; i++) {
            node.put(md, false, self, ProcessId.of(target), PORTAL, 7, 0, 0);
            net.settle();
        }
        Set<Nid> sources = new LinkedHashSet<>();
        net.takeLog().stream()
                .filter(p -> p.header().type() == MessageType.PUT && p.header().portal() == PORTAL)
                .forEach(p -> sources.add(p.header().srcNid()));
        return sources;
    }

    private static void assertRefused(ThrowingCallable change, Errno errno, String... says) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContainingAll(says);
    }

    @Test
    @Requirement("cb-200")
    void bondsAreMadeChangedAndDeletedWhileTheNodeRuns() {
        LNet a = twoBonds();
        Bonds bonds = a.bonds();
        Nid remote = Nid.parse("10.0.9.9@tcp");
        bonds.add(new Bond("r", Bond.Kind.REMOTE, BondPolicy.ORDERED, List.of(remote, A1.getFirst())), -1);
        assertThat(bonds.list()).extracting(Bond::name).containsExactly("A1", "A2", "r");
        assertRefused(() -> bonds.add(local("A1", List.of()), -1), Errno.EEXIST, "'A1'");
        assertRefused(() -> bonds.add(local("A3", List.of(A1.get(1))), -1), Errno.EEXIST, "10.0.1.1@tcp", "bond A1");
        assertRefused(() -> bonds.change(bonds.find("A2").with(A1)), Errno.EEXIST, "bond A1");
        assertRefused(() -> bonds.find("A1").with(List.of(A1.get(1))), Errno.EEXIST, "already");
        assertRefused(() -> bonds.find("A1").without(List.of(remote)), Errno.ENOENT, "10.0.9.9@tcp");
        assertRefused(() -> bonds.change(local("r", A1.subList(0, 0))), Errno.EINVAL, "remote");
        assertRefused(() -> bonds.find("none"), Errno.ENOENT, "'none'");
        assertRefused(() -> bonds.delete("none"), Errno.ENOENT, "'none'");
        assertThat(bonds.list()).hasSize(3);

        bonds.change(bonds.find("A1").without(A1.subList(0, 2)));
        bonds.change(bonds.find("A2").with(A1.subList(0, 1)).with(BondPolicy.ROUND_ROBIN));
        assertThat(bonds.find("A2").nids()).hasSize(4).endsWith(A1.getFirst());
        bonds.delete("r");
        bonds.add(new Bond("r", Bond.Kind.REMOTE, BondPolicy.DEFAULT, List.of()), 1);
        assertThat(bonds.list()).extracting(Bond::name).containsExactly("A1", "r", "A2");
    }

    @Test
    @Requirement("cb-200")
    void namesAndNumbersHaveLimits() {
        for (String name : List.of("", "default", "-a", "a b", "a".repeat(Bond.MAX_NAME + 1), "ä")) {
            assertRefused(() -> local(name, List.of()), Errno.EINVAL, "'" + name + "'");
        }
        assertRefused(() -> local("a", List.of(B0, B0)), Errno.EINVAL, "twice");
        assertRefused(() -> local("a", List.of(Nid.LOOPBACK)), Errno.EINVAL, "0@lo");
        List<Nid> many = IntStream.rangeClosed(0, Bond.MAX_NIDS)
                .mapToObj(i -> Nid.parse("10.7." + i / 256 + "." + i % 256 + "@tcp"))
                .toList();
        assertRefused(() -> local("a", many), Errno.ENOSPC, "256");
        LNet a = net.node("10.0.0.1@tcp");
        for (int i = 0; i < Bonds.MAX_BONDS; i++) {
            a.bonds().add(local("b" + i, List.of()), -1);
        }
        assertRefused(() -> a.bonds().add(local("one-more", List.of()), -1), Errno.ENOSPC, "64");
    }

    @Test
    @Requirement({"cb-201", "cb-204", "cb-205"})
    void aPingIsAnsweredWithTheBondThatItCameInOn() {
        LNet a = twoBonds();
        Nid alone = Nid.parse("10.0.9.1@tcp");
        a.addNi(NiRequest.ofNid(alone));
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        assertThat(ping(b, A1.getFirst())).isEqualTo(A1);
        assertThat(ping(b, A2.getLast())).isEqualTo(A2);
        assertThat(ping(b, alone)).as("the default bond").containsExactly(alone);
        assertThat(ping(a, Nid.LOOPBACK)).as("the node itself").hasSize(7);
        a.bonds().change(local("A1", A1.reversed()));
        assertThat(ping(b, A1.getFirst())).as("in the order of the list").isEqualTo(A1.reversed());
    }

    @Test
    @Requirement("cb-204")
    void aChangeOfABondRaisesItsSequenceNumberOnly() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        int first = sequence(net, b, A1.getFirst());
        int second = sequence(net, b, A2.getFirst());
        a.removeNi(A2.getLast());
        assertThat(sequence(net, b, A1.getFirst())).isEqualTo(first);
        int changed = sequence(net, b, A2.getFirst());
        assertThat(changed).isGreaterThan(second);
        a.bonds().change(a.bonds().find("A1").with(BondPolicy.ORDERED));
        assertThat(sequence(net, b, A1.getFirst())).as("nobody else's business").isEqualTo(first);
        a.bonds().change(a.bonds().find("A2").without(List.of(A2.getFirst())));
        assertThat(sequence(net, b, A2.get(1))).isGreaterThan(changed);
        assertThat(sequence(net, b, A1.getFirst())).isEqualTo(first);
    }

    @Test
    @Requirement({"cb-204", "cb-205", "cb-202"})
    void oneNodeIsTwoPeersToAnotherThatReachesItThroughTwoBonds() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        LNet c = net.node("10.0.0.3@tcp");
        net.await(b.discover(A1.get(1), false));
        assertThat(peersOf(b)).containsExactly(A1);
        net.await(b.discover(A2.get(2), false));
        assertThat(peersOf(b)).hasSize(2);
        assertThat(peersOf(b).getFirst()).isEqualTo(A1);
        assertThat(peersOf(b).getLast()).containsExactlyInAnyOrderElementsOf(A2);
        assertThat(b.peers()).extracting(PeerInfo::primaryNid).containsExactly(A1.getFirst(), A2.getFirst());
        net.await(c.discover(A2.getFirst(), false));
        assertThat(peersOf(c)).as("who asks one bond never hears of the other").containsExactly(A2);
        assertThat(peersOf(a))
                .as("both are one peer to the node itself")
                .hasSize(2)
                .contains(List.of(B0, B1));

        assertThat(sources(b, Nid.ANY, A1.getFirst(), 4)).containsExactlyInAnyOrder(B0, B1);
        assertThat(sources(a, A2.get(1), B0, 9)).containsExactlyInAnyOrderElementsOf(A2);
        assertThat(sources(a, A1.get(1), B0, 9)).containsExactlyInAnyOrderElementsOf(A1);
        assertThat(sources(a, Nid.ANY, B0, 9)).as("the first of equal bonds").containsExactlyInAnyOrderElementsOf(A1);
    }

    @Test
    @Requirement("cb-204")
    void newsOfABondGoToThoseWhoTalkedToItOverThatBond() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        LNet c = net.node("10.0.0.3@tcp");
        net.await(b.discover(A1.getFirst(), false));
        net.await(b.discover(A2.getFirst(), false));
        net.await(c.discover(A2.getFirst(), false));
        net.takeLog();
        Nid more = Nid.parse("10.0.8.1@tcp");
        a.bonds().change(a.bonds().find("A1").with(List.of(more)));
        a.addNi(NiRequest.ofNid(more));
        net.settle();
        assertThat(net.takeLog().stream().filter(p -> p.header().type() == MessageType.PUT))
                .as("the other bond's peers hear nothing")
                .hasSize(1)
                .allMatch(p -> p.header().srcNid().toString().matches("10\\.0\\.[0128]\\.1@tcp"));
        assertThat(peersOf(b).getFirst()).hasSize(4).endsWith(more);
        assertThat(peersOf(b).getLast()).isEqualTo(A2);
        a.bonds().change(a.bonds().find("A2").without(List.of(A2.getLast())));
        net.settle();
        assertThat(net.takeLog().stream()
                        .filter(p -> p.header().type() == MessageType.PUT)
                        .map(p -> p.header().destNid().toString().replaceFirst("10\\.0\\.[01]\\.2", "b")))
                .containsExactlyInAnyOrder("b@tcp", "10.0.0.3@tcp");
        assertThat(peersOf(c)).containsExactly(A2.subList(0, 2));
        assertThat(peersOf(b).getLast()).isEqualTo(A2.subList(0, 2));
    }

    @Test
    @Requirement({"cb-204", "cb-205", "cb-201"})
    void peersThatKnewTheWholeNodeLearnOfItsBondsAndBack() {
        LNet a = sixNids(Settings.of(CompatProfile.DOCUMENTS));
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        assertThat(peersOf(b)).hasSize(1);
        assertThat(peersOf(b).getFirst()).hasSize(6);
        a.bonds().add(local("A2", A2), -1);
        net.settle();
        assertThat(peersOf(b)).as("the rest is the default bond").containsExactly(A1);
        a.bonds().add(local("A1", A1.reversed()), -1);
        net.settle();
        assertThat(peersOf(b)).as("now it has a name").hasSize(1);
        assertThat(peersOf(b).getFirst())
                .containsExactlyInAnyOrderElementsOf(A1)
                .startsWith(A1.getLast());
        assertThat(sources(b, Nid.ANY, A2.getFirst(), 2))
                .as("who uses it finds it")
                .hasSize(2);
        assertThat(peersOf(b)).hasSize(2);

        a.bonds().delete("A1");
        a.bonds().delete("A2");
        net.settle();
        assertThat(peersOf(b)).as("one node again").hasSize(1);
        assertThat(peersOf(b).getFirst()).containsExactlyInAnyOrderElementsOf(a.nids());
    }

    @Test
    @Requirement("cb-204")
    void whoDiscoversNothingKeepsWhatItKnewUntilItAsks() {
        LNet a = sixNids(Settings.of(CompatProfile.DOCUMENTS));
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        b.set(Tunable.DISCOVERY, 0);
        net.settle();
        net.takeLog();
        a.bonds().add(local("A2", A2), -1);
        net.settle();
        assertThat(net.takeTypes())
                .as("nobody is pushed to that does not want it")
                .isEmpty();
        assertThat(peersOf(b).getFirst()).hasSize(6);
        b.set(Tunable.DISCOVERY, 1);
        net.await(b.discover(A1.getFirst(), false));
        assertThat(peersOf(b)).as("it asked on any of them, and knows one bond").hasSize(1);
        assertThat(peersOf(b).getFirst()).isIn(A1, A2);
        net.await(b.discover(A1.getFirst(), false));
        net.await(b.discover(A2.getFirst(), false));
        assertThat(peersOf(b)).containsExactlyInAnyOrder(A1, A2);
    }

    @Test
    @Requirement({"cb-200", "cb-204"})
    void niOfABondComesAndGoes() {
        LNet a = net.node(A1.getFirst().toString());
        sink(a);
        a.bonds().add(local("A1", A1), -1);
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        assertThat(peersOf(b)).containsExactly(A1.subList(0, 1));
        a.addNi(NiRequest.ofNid(A1.getLast()));
        a.addNi(NiRequest.ofNid(A2.getFirst()));
        net.settle();
        assertThat(peersOf(b)).containsExactly(List.of(A1.getFirst(), A1.getLast()));
        a.removeNi(A1.getFirst());
        net.settle();
        assertThat(peersOf(b).getFirst()).contains(A1.getLast());
        assertThat(a.bonds().find("A1").nids())
                .as("the bond stays as it was said")
                .isEqualTo(A1);
        assertThat(ping(b, A1.getLast())).containsExactly(A1.getLast());
        a.addNi(NiRequest.ofNid(A1.getFirst()));
        net.settle();
        assertThat(ping(b, A1.getLast())).containsExactly(A1.getFirst(), A1.getLast());
    }

    @Test
    @Requirement("cb-201")
    void bondsOfPeersAloneChangeNothingThatIsSaid() {
        LNet a = sixNids(Settings.of(CompatProfile.DOCUMENTS));
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        int sequence = sequence(net, b, A1.getFirst());
        net.takeLog();
        a.bonds().add(new Bond("r", Bond.Kind.REMOTE, BondPolicy.DEFAULT, List.of(B1)), -1);
        net.settle();
        assertThat(net.takeTypes()).isEmpty();
        assertThat(ping(b, A2.getFirst())).hasSize(6);
        assertThat(sequence(net, b, A1.getFirst())).isEqualTo(sequence);
        net.takeLog();
        Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)));
        for (int i = 0; i < 4; i++) {
            a.put(md, false, Nid.ANY, ProcessId.of(B1), PORTAL, 7, 0, 0);
        }
        net.settle();
        assertThat(net.takeLog()).hasSize(4).allMatch(p -> p.header().destNid().equals(B1));
    }

    @Test
    @Requirement("cb-204")
    void aBondThatCanNotBeToldOfDoesNotHoldUpTheOther() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        net.await(b.discover(A2.getFirst(), false));
        net.fail(header ->
                A2.contains(header.srcNid()) ? new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED) : null);
        a.bonds().change(a.bonds().find("A2").without(List.of(A2.getLast())));
        net.settle();
        net.pass(1);
        assertThat(sources(a, A1.getFirst(), B0, 3)).as("messages go on").hasSize(3);
        assertThat(peersOf(b).getLast()).isEqualTo(A2);
        net.fail(header -> null);
        net.pass(200);
        assertThat(peersOf(b).getLast()).as("come back to").isEqualTo(A2.subList(0, 2));
    }

    @Test
    @Requirement("cb-202")
    void aMessageThatFailsIsSentAgainWithinItsBond() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        net.await(b.discover(A2.getFirst(), false));
        Set<Nid> tried = new LinkedHashSet<>();
        net.fail(header -> {
            if (header.type() == MessageType.PUT && header.portal() == PORTAL) {
                tried.add(header.srcNid());
                return new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED);
            }
            return null;
        });
        net.awaitError(a.put(ProcessId.of(B0), PORTAL, 7, Arena.ofAuto().allocate(8)));
        assertThat(tried).hasSize(3).isSubsetOf(A1);
    }

    @Test
    @Requirement("cb-204")
    void recoveryPingsAreAnsweredByTheBondAndHeal() {
        LNet a = twoBonds();
        LNet b = other(Settings.of(CompatProfile.DOCUMENTS));
        net.await(b.discover(A1.getFirst(), false));
        net.await(b.discover(A2.getFirst(), false));
        b.setPeerHealth(A2.getFirst(), 900);
        a.setHealth(A1.getLast(), 900);
        net.pass(300);
        assertThat(b.peers().getLast().nis()).hasSize(3).allMatch(ni -> ni.health() == 1000);
        assertThat(a.nis()).allMatch(ni -> ni.health() == 1000);
        assertThat(peersOf(b)).containsExactly(A1, A2);
    }

    @Test
    @Requirement("cb-204")
    void aNodeThatIsNotMultiRailOrDoesNotDiscoverAnswersByBondAllTheSame() {
        for (Tunable off : List.of(Tunable.DISCOVERY, Tunable.MULTI_RAIL)) {
            try (TestNetwork own = new TestNetwork()) {
                LNet a = own.node(
                        Settings.of(CompatProfile.DOCUMENTS).with(off, false),
                        "10.0.0.1@tcp",
                        "10.0.1.1@tcp",
                        "10.0.3.1@tcp");
                a.bonds().add(local("A1", A1), -1);
                LNet b = own.node(B0.toString());
                PingReply reply = own.await(b.ping(A1.getFirst(), Nid.ANY, Duration.ofSeconds(5)));
                assertThat(reply.nids()).containsExactly(A1.get(0), A1.get(1));
                assertThat(own.await(b.ping(A2.getFirst(), Nid.ANY, Duration.ofSeconds(5)))
                                .nids())
                        .containsExactly(A2.getFirst());
            }
        }
    }
}
