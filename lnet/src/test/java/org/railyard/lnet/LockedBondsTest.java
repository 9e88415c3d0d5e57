package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.testkit.Requirement;

/**
 * Peers whose primary NID is locked, and bonds of the node that they are (spec 21 §10.1, 11 §4): {@code a} has A1 and
 * A2, {@code b} holds on to what it was told.
 */
class LockedBondsTest {
    private static final List<Nid> A1 = nids(0, 1, 2);
    private static final List<Nid> A2 = nids(3, 4, 5);
    private static final int PORTAL = 33;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private LNet b;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    LockedBondsTest() {}

    private static List<Nid> nids(int... third) {
        return IntStream.of(third)
                .mapToObj(i -> Nid.parse("10.0." + i + ".1@tcp"))
                .toList();
    }

    private static List<Nid> both() {
        List<Nid> all = new ArrayList<>(A1);
        all.addAll(A2);
        return all;
    }

    @BeforeEach
    void start() {
        a = net.node(both().stream().map(Nid::toString).toArray(String[]::new));
        b = net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
        for (LNet each : List.of(a, b)) {
            each.attach(
                    MeConfig.any(PORTAL),
                    MdConfig.of(Arena.ofAuto().allocate(64))
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        }
    }

    private void bonds() {
        a.bonds().add(new Bond("A1", Bond.Kind.LOCAL, BondPolicy.DEFAULT, A1), -1);
        a.bonds().add(new Bond("A2", Bond.Kind.LOCAL, BondPolicy.DEFAULT, A2), -1);
        net.settle();
    }

    @AfterEach
    void close() {
        net.close();
        assertThat(a.messagesInUse() + b.messagesInUse()).isZero();
    }

    private static List<Nid> nidsOf(PeerInfo peer) {
        return peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList();
    }

    private PeerInfo peer(Nid nid) {
        return b.inventory().peer(nid).orElseThrow();
    }

    /** Sends to each NID of {@code a}, and back; all of it arrives. */
    private void exchange() {
        for (Nid each : both()) {
            net.await(b.put(ProcessId.of(each), PORTAL, 7, Arena.ofAuto().allocate(8)));
            net.await(b.get(ProcessId.of(each), PORTAL, 7, Arena.ofAuto().allocate(8)));
        }
        for (Nid each : b.nids()) {
            net.await(a.put(ProcessId.of(each), PORTAL, 7, Arena.ofAuto().allocate(8)));
        }
    }

    /** Lets time pass, and sees to it that nodes which have nothing to say do not ask each other for ever. */
    private void quiet() {
        net.pass(600);
        net.takeLog();
        net.pass(300);
        assertThat(net.takeLog()).hasSizeLessThan(30);
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void aConfiguredPeerOfTwoBondsKeepsItsNidsAndHearsOfOneOfThem() {
        bonds();
        b.peerConfiguration().add(A1.getFirst(), both(), true, true);
        exchange();
        net.await(b.discover(A2.getFirst(), true));
        assertThat(b.peers()).hasSize(1);
        assertThat(nidsOf(peer(A2.getLast()))).isEqualTo(both());
        assertThat(peer(A1.getFirst()).nis())
                .as("what is not announced counts as down, whatever is said to it")
                .allMatch(ni -> ni.health() == 1000 ? A1.contains(ni.nid()) : A2.contains(ni.nid()));
        quiet();
        a.removeNi(A1.getFirst());
        net.settle();
        exchange(A1.getLast());
        assertThat(peer(A1.getLast()).primaryNid()).as("locked").isEqualTo(A1.getFirst());
        a.addNi(net.request(A1.getFirst().toString()));
        net.settle();
        withoutBonds();
        net.pass(300);
        assertThat(peer(A1.getFirst()).nis()).as("known to be up again").allMatch(ni -> ni.health() == 1000);
        exchange();
    }

    private void exchange(Nid target) {
        net.await(b.put(ProcessId.of(target), PORTAL, 7, Arena.ofAuto().allocate(8)));
    }

    private void withoutBonds() {
        a.bonds().delete("A1");
        a.bonds().delete("A2");
        net.settle();
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void whatAnUpperLayerTakesForOnePeerBecomesTwo() {
        bonds();
        assertThat(b.addPeer(List.of(A1.getFirst(), A2.getFirst()))).isEqualTo(A1.getFirst());
        net.settle();
        exchange();
        assertThat(b.peers()).extracting(PeerInfo::primaryNid).containsExactly(A1.getFirst(), A2.getFirst());
        assertThat(b.peers()).extracting(LockedBondsTest::nidsOf).containsExactly(A1, A2);
        assertThat(isLocked(A1.getFirst())).isTrue();
        quiet();
        withoutBonds();
        assertThat(b.peers())
                .singleElement()
                .satisfies(one -> assertThat(nidsOf(one)).containsExactlyInAnyOrderElementsOf(both()));
        assertThat(b.primaryNid(A2.getFirst())).isCompletedWithValue(A1.getFirst());
        exchange();
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void bondsThatAreMadeLaterPartWhatWasOnePeer() {
        b.addPeer(List.of(A1.getFirst(), A2.getFirst()));
        net.settle();
        assertThat(b.peers()).hasSize(1);
        bonds();
        exchange();
        assertThat(peer(A1.getFirst()).primaryNid()).isEqualTo(A1.getFirst());
        assertThat(nidsOf(peer(A1.getFirst()))).isEqualTo(A1);
        assertThat(nidsOf(peer(A2.getFirst()))).isEqualTo(A2);
        assertThat(isLocked(A1.getFirst())).isTrue();
        quiet();
        assertThat(b.peers()).flatExtracting(PeerInfo::nis).allMatch(ni -> ni.health() == 1000);
        withoutBonds();
        assertThat(nidsOf(peer(A2.getFirst()))).containsExactlyInAnyOrderElementsOf(both());
        exchange();
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void eachBondCanBeLockedAsAPeerOfItsOwn() {
        bonds();
        b.addPeer(List.of(A1.getFirst()));
        b.addPeer(List.of(A2.getFirst()));
        exchange();
        assertThat(b.peers()).extracting(LockedBondsTest::nidsOf).containsExactly(A1, A2);
        assertThat(isLocked(A1.getFirst()) && isLocked(A2.getFirst())).isTrue();
        assertThat(b.peers()).noneMatch(each -> (each.state() & PeerState.BAD_CONFIG) != 0);
        a.bonds().change(a.bonds().find("A2").without(List.of(A2.getLast())));
        net.settle();
        assertThat(nidsOf(peer(A2.getFirst()))).isEqualTo(A2.subList(0, 2));
        a.bonds().change(a.bonds().find("A2").with(List.of(A2.getLast())));
        quiet();
        withoutBonds();
        exchange();
        assertThat(peer(A1.getFirst()).primaryNid()).as("the earliest lock").isEqualTo(A1.getFirst());
    }

    private boolean isLocked(Nid nid) {
        return (peer(nid).state() & PeerState.LOCK_PRIMARY) != 0;
    }
}
