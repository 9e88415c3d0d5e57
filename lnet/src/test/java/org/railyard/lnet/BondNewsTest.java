package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/**
 * Over which NIDs a node with bonds tells others of them (spec 21 §10.1): {@code a} has A1 and A2, of three NIDs each;
 * a peer without a stack acknowledges what it is told, and asks nothing.
 */
class BondNewsTest {
    private static final List<Nid> A1 = nids(0, 1, 2);
    private static final List<Nid> A2 = nids(3, 4, 5);
    private static final Nid P0 = Nid.parse("10.0.0.9@tcp");
    private static final Nid P1 = Nid.parse("10.0.1.9@tcp");
    private static final int FULL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY | PingInfo.RTE_DISABLED;

    private final TestNetwork net = new TestNetwork();
    private LNet a;
    private ScriptedPeer peer;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    BondNewsTest() {}

    private static List<Nid> nids(int... third) {
        return IntStream.of(third)
                .mapToObj(i -> Nid.parse("10.0." + i + ".1@tcp"))
                .toList();
    }

    @BeforeEach
    void start() {
        List<Nid> all = new ArrayList<>(A1);
        all.addAll(A2);
        a = net.node(all.stream().map(Nid::toString).toArray(String[]::new));
        peer = new ScriptedPeer(net, P0, P1).says(FULL, 1, P0, P1);
    }

    @AfterEach
    void close() {
        net.releaseAll();
        net.close();
        assertThat(a.messagesInUse()).isZero();
    }

    private void bond(String name, List<Nid> nids) {
        a.bonds().add(new Bond(name, Bond.Kind.LOCAL, BondPolicy.DEFAULT, nids), -1);
        net.settle();
    }

    private void twoBonds() {
        bond("A1", A1);
        bond("A2", A2);
    }

    private void speakTo(Nid at) {
        peer.pushes(at);
    }

    private void speakOverBothBonds() {
        twoBonds();
        net.await(a.discover(P0, false));
        speakTo(A1.getFirst());
        speakTo(A2.getFirst());
    }

    private void speakOverBothBondsUntilA2Fails() {
        speakOverBothBonds();
        failFrom(A2);
        turnBondAround("A2");
    }

    /** Returns the pushes since the last call: source, target, and what they say. */
    private List<String> pushes() {
        List<String> pushes = new ArrayList<>();
        for (TestNetwork.Packet packet : net.takeLog()) {
            if (packet.header().type() == MessageType.PUT) {
                pushes.add(packet.header().srcNid() + " > " + packet.header().destNid());
            }
        }
        return pushes;
    }

    private void turnBondAround(String name) {
        a.bonds()
                .change(new Bond(
                        name,
                        Bond.Kind.LOCAL,
                        BondPolicy.DEFAULT,
                        a.bonds().find(name).nids().reversed()));
        net.settle();
    }

    private List<Nid> lastPush() {
        return peer.lastPush().entries().stream().map(PingInfo.Entry::nid).toList();
    }

    private boolean needsDiscovery() {
        return (a.inventory().peer(P0).orElseThrow().state() & PeerState.REDISCOVER) != 0;
    }

    @Test
    @Requirement("cb-204")
    void whoeverIsAskedIsToldOfTheBondThatItAnswered() {
        twoBonds();
        net.await(a.discover(P0, false));
        assertThat(lastPush()).isEqualTo(isFrom(A1, pushes().getLast()) ? A1 : A2);
    }

    @ParameterizedTest(name = "the stack may choose another NID of the peer: {0}")
    @ValueSource(booleans = {true, false})
    @Requirement("cb-204")
    void aBondIsToldOfOverItsBestNiToTheBestNidOfThePeer(boolean mayChoose) {
        a.set(Tunable.SPEC_SRC_SELECT_PEER_NI, mayChoose ? 1 : 0);
        speakOverBothBonds();
        net.settle();
        a.setHealth(A2.get(0), 700);
        a.setHealth(A2.get(2), 900);
        a.setPeerHealth(P0, 500);
        net.takeLog();
        turnBondAround("A2");
        assertThat(pushes()).containsExactly(A2.get(1) + " > " + P1);
        assertThat(lastPush()).isEqualTo(A2.reversed());
        a.setHealth(A2.get(1), 800);
        a.setPeerHealth(P0, 1000);
        a.setPeerHealth(P1, 999);
        net.takeLog();
        turnBondAround("A2");
        assertThat(pushes()).containsExactly(A2.get(2) + " > " + P0);
    }

    @Test
    @Requirement("cb-204")
    void whoIsToldEverythingAnewIsToldOfEachBond() {
        speakOverBothBonds();
        turnBondAround("A1");
        turnBondAround("A2");
        net.takeLog();
        a.set(Tunable.DISCOVERY, 0);
        net.settle();
        assertThat(pushes())
                .as("that discovery is off, over both bonds")
                .hasSize(2)
                .anyMatch(each -> isFrom(A1, each))
                .anyMatch(each -> isFrom(A2, each));
    }

    @Test
    @Requirement("cb-204")
    void theOnlyBondThatAPeerKnowsFailsTheDiscovery() {
        twoBonds();
        net.await(a.discover(P0, false));
        List<Nid> known = isFrom(A1, pushes().getLast()) ? A1 : A2;
        failFrom(known);
        turnBondAround(known.equals(A1) ? "A1" : "A2");
        assertThat(needsDiscovery()).isTrue();
        net.fail(header -> null);
        net.pass(3);
        assertThat(needsDiscovery()).isFalse();
        assertThat(lastPush()).isEqualTo(known.reversed());
    }

    @Test
    @Requirement("cb-204")
    void oneOfTwoBondsDoesNotFailTheDiscovery() {
        speakOverBothBondsUntilA2Fails();
        assertThat(needsDiscovery()).isFalse();
        net.takeLog();
        turnBondAround("A1");
        assertThat(lastPush()).as("the other one goes on").isEqualTo(A1.reversed());
        net.fail(header -> null);
        net.pass(60);
        assertThat(pushes()).as("come back to").anyMatch(each -> isFrom(A2, each));
        assertThat(lastPush()).isEqualTo(A2.reversed());
    }

    @Test
    void newsOfOneBondAreAnOccasionToTryTheOtherAgain() {
        speakOverBothBondsUntilA2Fails();
        net.fail(header -> null);
        net.takeLog();
        turnBondAround("A1");
        assertThat(pushes()).anyMatch(each -> isFrom(A1, each)).anyMatch(each -> isFrom(A2, each));
    }

    /** Questions leave from one bond while the other one is not well. */
    private void askFrom(List<Nid> bond) {
        A1.forEach(nid -> a.setHealth(nid, bond.equals(A1) ? 1000 : 500));
        A2.forEach(nid -> a.setHealth(nid, bond.equals(A2) ? 1000 : 500));
    }

    private static boolean isFrom(List<Nid> bond, String push) {
        return bond.contains(Nid.parse(push.split(" ")[0]));
    }

    /** Turns bonds around while the peer is asked over one of them; returns the pushes that follow. */
    private List<String> turnAroundWhileAsking(List<Nid> asked, String... bonds) {
        askFrom(asked);
        net.hold(header -> header.type() == MessageType.GET);
        CompletionStage<PeerInfo> found = a.discover(P0, false);
        net.settle();
        List.of(bonds).forEach(this::turnBondAround);
        net.takeLog();
        net.releaseAll();
        net.await(found);
        return pushes();
    }

    @Test
    void ofNewsInBothBondsThoseOfTheOneThatWasAnsweredComeFirst() {
        speakOverBothBonds();
        for (List<Nid> asked : List.of(A1, A2)) {
            List<String> pushes = turnAroundWhileAsking(asked, "A1", "A2");
            assertThat(pushes).hasSize(2);
            assertThat(isFrom(asked, pushes.getFirst())).isTrue();
            assertThat(isFrom(asked, pushes.getLast())).isFalse();
        }
    }

    /** Over the bond that was answered they would not be true. */
    @Test
    @Requirement("cb-204")
    void newsOfABondGoOverItThoughTheQuestionWentOverTheOther() {
        speakOverBothBonds();
        List<String> pushes = turnAroundWhileAsking(A2, "A1");
        assertThat(pushes).hasSize(1);
        assertThat(isFrom(A1, pushes.getFirst())).isTrue();
        assertThat(lastPush()).isEqualTo(A1.reversed());
    }

    @Test
    @Requirement("cb-204")
    void whoKnowsABondThatHasNoNisLeftIsToldOfNoOther() {
        twoBonds();
        net.await(a.discover(P0, false));
        List<Nid> known = isFrom(A1, pushes().getLast()) ? A1 : A2;
        known.forEach(a::removeNi);
        net.settle();
        net.takeLog();
        a.set(Tunable.DISCOVERY, 0);
        net.settle();
        assertThat(pushes()).isEmpty();
    }

    @Test
    @Requirement("cb-204")
    void whoIsOnTheNetsOfOneBondOnlyHearsOfItThoughTheOtherHasNisLeft() {
        Nid near = Nid.parse("10.0.0.3@tcp");
        Nid far = Nid.parse("10.0.1.3@tcp1");
        LNet router = net.node(near.toString(), far.toString());
        net.await(router.discover(P0, false));
        assertThat(lastPush()).containsExactly(near, far);
        router.bonds().add(new Bond("near", Bond.Kind.LOCAL, BondPolicy.DEFAULT, List.of(near)), -1);
        net.settle();
        assertThat(lastPush()).containsExactly(near);
    }

    private void failFrom(List<Nid> sources) {
        net.fail(header -> header.type() == MessageType.PUT && sources.contains(header.srcNid())
                ? new TestNetwork.Failure(Errno.EIO, HealthStatus.REMOTE_ERROR)
                : null);
    }

    @Test
    @Requirement("cb-204")
    void whoWasNeverSpokenToHearsNothingOfBonds() {
        a.peerConfiguration().add(P0, List.of(P1), true, false);
        net.settle();
        net.takeLog();
        twoBonds();
        net.pass(5);
        assertThat(pushes()).isEmpty();
    }

    @Test
    @Requirement("cb-204")
    void withoutBondsTheNodeItselfHearsWhatIsTheCaseNow() {
        twoBonds();
        int with = a.descriptorsInUse();
        a.bonds().delete("A1");
        a.bonds().delete("A2");
        a.addNi(net.request("10.0.7.1@tcp"));
        net.settle();
        assertThat(a.descriptorsInUse()).as("two bonds and loopback").isEqualTo(with - 3);
        assertThat(net.await(a.ping(Nid.LOOPBACK, Nid.ANY, Duration.ofSeconds(1)))
                        .nids())
                .hasSize(7);
        twoBonds();
        assertThat(a.descriptorsInUse()).isEqualTo(with);
        assertThat(net.await(a.ping(Nid.LOOPBACK, Nid.ANY, Duration.ofSeconds(1)))
                        .nids())
                .hasSize(7);
    }
}
