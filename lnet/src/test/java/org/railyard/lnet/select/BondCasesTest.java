package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** Which way messages go where there are bonds (spec 21 §10.1, cb-202 and cb-203). */
class BondCasesTest {
    private static final String A1 = "10.0.0.1@tcp";
    private static final String A2 = "10.0.1.1@tcp";
    private static final String B1 = "10.0.2.1@tcp";
    private static final String B2 = "10.0.3.1@tcp";
    private static final String PEER = "10.0.0.2@tcp";
    private static final String PEER_TOO = "10.0.1.2@tcp";

    private final Rails rails = new Rails();

    /** Two bonds of two NIs each on one net. */
    private void twoBonds(BondPolicy policy) {
        for (String nid : List.of(A1, A2, B1, B2)) {
            rails.local(nid);
        }
        rails.bond("a", policy, A1, A2);
        rails.bond("b", policy, B1, B2);
    }

    private Set<String> sources(String source, String target, int count) {
        Set<String> sources = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            sources.add(rails.choose(Rails.put(source, target)).replaceFirst(">.*", ""));
        }
        return sources;
    }

    private List<String> attempts(Message message, int count) {
        return attempts(rails, message, count);
    }

    private static List<String> attempts(Rails rails, Message message, int count) {
        List<String> ways = new ArrayList<>();
        ways.add(rails.choose(message));
        while (ways.size() < count) {
            ways.add(rails.again(message));
        }
        return ways;
    }

    @Test
    @Requirement({"cb-200", "cb-201", "cb-202"})
    void aNamedSourceMeansItsBondAndOutsideOfBondsItself() {
        twoBonds(BondPolicy.DEFAULT);
        rails.local("10.0.4.1@tcp");
        rails.local("10.0.5.1@tcp");
        rails.peer(PEER, PEER_TOO);
        assertThat(sources(A1, PEER, 8)).containsExactlyInAnyOrder("0.1", "1.1");
        assertThat(sources(B2, PEER, 8)).containsExactlyInAnyOrder("2.1", "3.1");
        assertThat(sources("10.0.4.1@tcp", PEER, 8))
                .as("the default bond is Multi-Rail")
                .containsExactly("4.1");
    }

    @Test
    @Requirement("cb-201")
    void oneBondOfAllNisIsAsNoBond() {
        Rails without = new Rails();
        List<String> nids = List.of(A1, A2, B1, B2);
        for (Rails each : List.of(rails, without)) {
            nids.forEach(each::local);
            each.peer(PEER, PEER_TOO);
        }
        rails.bond("all", BondPolicy.DEFAULT, A1, A2, B1, B2);
        Random random = new Random(201);
        for (int round = 0; round < 50; round++) {
            String nid = nids.get(random.nextInt(nids.size()));
            String peer = random.nextBoolean() ? PEER : PEER_TOO;
            int health = 1000 - 100 * random.nextInt(3);
            int peerHealth = 1000 - 100 * random.nextInt(3);
            for (Rails each : List.of(rails, without)) {
                each.ni(nid).health = health;
                each.peerNi(peer).health = peerHealth;
            }
            assertThat(attempts(Rails.put(PEER), 6)).isEqualTo(attempts(without, Rails.put(PEER), 6));
        }
    }

    @Test
    @Requirement("cb-202")
    void aPeerThatIsNotMultiRailKnowsOneNidAndIsSentToFromThat() {
        twoBonds(BondPolicy.DEFAULT);
        rails.old(PEER);
        assertThat(sources(A2, PEER, 4)).containsExactly("1.1");
    }

    @Test
    @Requirement({"cb-202", "cb-203"})
    void theBondWithTheBestNiIsTaken() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer(PEER, PEER_TOO);
        assertThat(sources("*", PEER, 6)).as("equal: the first").containsExactlyInAnyOrder("0.1", "1.1");
        rails.ni(A1).health = 900;
        assertThat(sources("*", PEER, 6)).as("more that are as good").containsExactlyInAnyOrder("2.1", "3.1");
        rails.ni(B1).health = 900;
        rails.ni(B2).health = 900;
        assertThat(sources("*", PEER, 6)).as("the best").containsExactly("1.1");
        rails.rule(UdspRule.of(B2, null, null));
        assertThat(sources("*", PEER, 6))
                .as("rules come before health")
                .contains("3.1")
                .doesNotContain("1.1");
        rails.ni(B1).fatal = true;
        rails.ni(B2).fatal = true;
        rails.set(Tunable.USE_FATAL_NI_AS_LAST_RESORT, true);
        assertThat(sources("*", PEER, 6)).as("but not before devices that work").containsExactly("1.1");
    }

    @Test
    @Requirement("cb-202")
    void aNidInARemoteBondMeansThatBond() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer(PEER, PEER_TOO, "10.0.2.2@tcp", "10.0.3.2@tcp");
        rails.remoteBond("r", BondPolicy.DEFAULT, "10.0.2.2@tcp", "10.0.3.2@tcp", "10.9.9.9@tcp7");
        assertThat(rails.choose("10.0.2.2@tcp", 8).stream()
                        .map(way -> way.substring(4))
                        .distinct())
                .containsExactlyInAnyOrder("2.2", "3.2");
        assertThat(rails.choose(PEER, 8).stream().map(way -> way.substring(4)).distinct())
                .as("a NID in no bond means the whole peer")
                .hasSize(4);
    }

    @Test
    @Requirement("cb-202")
    void whereThePeerHasNoNidOfItsBondTheNextNetIsTaken() {
        rails.local(A1);
        rails.local("10.1.0.1@tcp1");
        rails.bond("a", BondPolicy.DEFAULT, A1, "10.1.0.1@tcp1");
        rails.peer(PEER, "10.1.0.2@tcp1");
        rails.remoteBond("r", BondPolicy.DEFAULT, "10.1.0.2@tcp1");
        rails.peerNi("10.1.0.2@tcp1").health = 1;
        assertThat(rails.choose("10.1.0.2@tcp1", 2)).containsOnly("0.1@1>0.2@1");
        assertThat(sources(A1, "10.1.0.2@tcp1", 2)).containsExactly("0.1@1");
        assertThat(rails.explain(Rails.put(A1, "10.1.0.2@tcp1")).pathCase())
                .as("no router is in between")
                .isEqualTo(Explanation.Case.A1C);
    }

    @Test
    @Requirement("cb-202")
    void withoutAnyNidInCommonItIsARouteOrNothing() {
        twoBonds(BondPolicy.DEFAULT);
        rails.local("10.1.0.1@tcp1");
        rails.peer("10.9.0.3@tcp9", "10.9.1.3@tcp9");
        assertThat(rails.choose(Rails.put(A1, "10.9.0.3@tcp9"))).isEqualTo("EHOSTUNREACH");
        rails.peer("10.1.0.77@tcp1", "10.9.0.77@tcp9");
        rails.route("tcp9", "10.1.0.77@tcp1", 2, 0);
        assertThat(rails.choose(Rails.put("10.9.0.3@tcp9"))).isEqualTo("0.1@1>0.77@1");
        assertThat(rails.choose(Rails.put(A1, "10.9.0.3@tcp9")))
                .as("the bond of the source has no NI on the gateway's net")
                .isEqualTo("EHOSTUNREACH");
        rails.peer("10.0.0.78@tcp", "10.9.0.78@tcp9");
        rails.route("tcp9", "10.0.0.78@tcp", 2, 0);
        assertThat(sources(B1, "10.9.0.3@tcp9", 6)).containsExactlyInAnyOrder("2.1", "3.1");
        rails.remoteBond("r", BondPolicy.DEFAULT, "10.9.1.3@tcp9");
        Message message = Rails.put("10.9.1.3@tcp9");
        rails.choose(message);
        assertThat(message.path().destination()).isEqualTo(Nid.parse("10.9.1.3@tcp9"));
    }

    @Test
    @Requirement("cb-202")
    void resendsThroughRoutersStayInTheirBondBeforeTheyTryAnother() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer("10.9.0.3@tcp9");
        rails.peer("10.0.0.77@tcp", "10.9.0.77@tcp9");
        rails.route("tcp9", "10.0.0.77@tcp");
        for (int i = 0; i < 4; i++) {
            List<String> ways = attempts(Rails.put("10.9.0.3@tcp9"), 5);
            List<Integer> bonds = ways.stream()
                    .map(way -> way.startsWith("0.1") || way.startsWith("1.1") ? 1 : 2)
                    .toList();
            assertThat(ways.subList(0, 4)).as("each NI once").doesNotHaveDuplicates();
            assertThat(bonds.get(0)).isEqualTo(bonds.get(1)).isNotEqualTo(bonds.get(2));
            assertThat(bonds.get(2)).isEqualTo(bonds.get(3));
            assertThat(ways.get(4)).as("all again").endsWith(">0.77");
        }
        rails.peer("10.0.0.78@tcp", "10.9.0.78@tcp9");
        rails.route("tcp9", "10.0.0.78@tcp");
        List<String> ways = attempts(Rails.put("10.9.0.3@tcp9"), 4);
        assertThat(ways.subList(0, 2).stream().map(way -> way.substring(4)))
                .as("and both gateways")
                .containsExactlyInAnyOrder("0.77", "0.78");
        assertThat(attempts(Rails.put(B1, "10.9.0.3@tcp9"), 6))
                .as("a named source is not left")
                .allMatch(way -> way.startsWith("2.1") || way.startsWith("3.1"));
        rails.ni(A1).fatal = true;
        rails.ni(A2).fatal = true;
        assertThat(attempts(Rails.put("10.9.0.3@tcp9"), 5))
                .as("what does not work is in nobody's way")
                .allMatch(way -> way.startsWith("2.1") || way.startsWith("3.1"));
    }

    private void gateways(String... addresses) {
        rails.peer("10.9.0.3@tcp9");
        for (String address : addresses) {
            rails.peer(address + "@tcp", address.replaceFirst("10.0", "10.9") + "@tcp9");
            rails.route("tcp9", address + "@tcp");
        }
    }

    @Test
    @Requirement("cb-202")
    void resendsThroughRoutersUseEachNiWithEachGatewayOnceBondByBond() {
        twoBonds(BondPolicy.DEFAULT);
        gateways("10.0.0.77", "10.0.0.78", "10.0.0.79");
        List<String> ways = attempts(Rails.put("10.9.0.3@tcp9"), 13);
        assertThat(ways.subList(0, 12)).doesNotHaveDuplicates();
        assertThat(ways.subList(0, 6)).allMatch(way -> way.matches("[01]\\.1>.*"));
        assertThat(ways.subList(6, 12)).allMatch(way -> way.matches("[23]\\.1>.*"));
        for (int first : List.of(0, 3, 6, 9)) {
            assertThat(ways.subList(first, first + 3).stream().map(way -> way.substring(4)))
                    .as("other gateways first")
                    .containsExactlyInAnyOrder("0.77", "0.78", "0.79");
        }
        assertThat(ways.subList(0, 12)).as("then all again").contains(ways.get(12));
    }

    @Test
    void bondsOfOneNiTryEachGatewayBeforeTheyAreLeft() {
        rails.local(A1);
        rails.local(B1);
        rails.bond("a", BondPolicy.DEFAULT, A1);
        rails.bond("b", BondPolicy.DEFAULT, B1);
        gateways("10.0.0.77", "10.0.0.78");
        assertThat(attempts(Rails.put("10.9.0.3@tcp9"), 5))
                .containsExactly("0.1>0.78", "0.1>0.77", "2.1>0.78", "2.1>0.77", "0.1>0.78");
    }

    @Test
    void whatAResendThroughRoutersLeavesOutIsExplained() {
        rails.local(A1);
        rails.local(B1);
        rails.bond("a", BondPolicy.DEFAULT, A1);
        rails.bond("b", BondPolicy.DEFAULT, B1);
        gateways("10.0.0.77", "10.0.0.78");
        Message message = Rails.put("10.9.0.3@tcp9");
        attempts(message, 2);
        message.path().failed(rails.ni(A1), rails.peerNi("10.0.0.77@tcp"));
        List<Explanation.Step> routes = rails.explain(message).steps().stream()
                .filter(step -> step.stage() == Explanation.Stage.ROUTE)
                .toList();
        assertThat(routes)
                .extracting(Explanation.Step::note)
                .containsExactly(
                        "",
                        "used local NIs may be again",
                        "used peer NIs may be again",
                        "all of bond a were used, other bonds may be",
                        "used peer NIs may be again");
        assertThat(routes.subList(0, 3))
                .allSatisfy(step -> assertThat(step.excluded())
                        .extracting(Explanation.Excluded::reason)
                        .containsOnly(Explanation.Reason.USED));
    }

    @Test
    @Requirement("cb-202")
    void resendsStayInTheirBondBeforeTheyTryAnother() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer(PEER);
        List<String> ways = attempts(Rails.put(PEER), 5);
        assertThat(ways.subList(0, 2)).containsExactlyInAnyOrder("0.1>0.2", "1.1>0.2");
        assertThat(ways.subList(2, 4)).containsExactlyInAnyOrder("2.1>0.2", "3.1>0.2");
        assertThat(attempts(Rails.put(B1, PEER), 5))
                .as("a named source is not left")
                .allMatch(way -> way.startsWith("2.1") || way.startsWith("3.1"));
    }

    @Test
    @Requirement("cb-202")
    void anAnswerThatHasToMoveStaysInTheBondThatWasAsked() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer(PEER, PEER_TOO);
        List<String> ways = attempts(Rails.response(B1, PEER), 4);
        assertThat(ways.getFirst()).isEqualTo("2.1>0.2");
        assertThat(ways).allMatch(way -> way.startsWith("2.1") || way.startsWith("3.1"));
        assertThat(ways.get(1)).startsWith("3.1");
    }

    @Test
    @Requirement("cb-203")
    void anOrderedBondUsesTheFirstThatIsWell() {
        rails.local("10.1.0.1@tcp1");
        rails.local("10.1.1.1@tcp1");
        rails.local(A1);
        rails.bond("a", BondPolicy.ORDERED, A1, "10.1.1.1@tcp1", "10.1.0.1@tcp1");
        rails.peer("10.1.0.2@tcp1", PEER);
        assertThat(sources("*", PEER, 4)).containsExactly("0.1");
        assertThat(attempts(Rails.put(PEER), 3)).containsExactly("0.1>0.2", "1.1@1>0.2@1", "0.1@1>0.2@1");
        rails.ni(A1).health = 999;
        assertThat(sources("*", PEER, 4)).as("health comes first").containsExactly("1.1@1");
        rails.ni("10.1.1.1@tcp1").fatal = true;
        rails.ni(A1).health = 1000;
        assertThat(sources("*", PEER, 4)).containsExactly("0.1");
    }

    @Test
    @Requirement("cb-203")
    void ofEachNetThatNiCountsWhoseTurnItIs() {
        String elsewhere = "10.1.0.1@tcp1";
        for (BondPolicy policy : List.of(BondPolicy.ORDERED, BondPolicy.ROUND_ROBIN)) {
            for (List<String> order : List.of(List.of(A1, A2, elsewhere), List.of(elsewhere, A1, A2))) {
                Rails world = new Rails();
                order.forEach(world::local);
                world.ni(A1).seq = 5;
                world.ni(A2).seq = 1;
                world.ni(elsewhere).seq = 2;
                if (order.getFirst().equals(A1)) {
                    world.peer(PEER, "10.1.0.2@tcp1");
                } else {
                    world.peer("10.1.0.2@tcp1", PEER);
                }
                world.bond("a", policy, A1, elsewhere, A2);
                assertThat(world.choose(PEER, 1)).containsExactly(policy == BondPolicy.ORDERED ? "0.1>0.2" : "1.1>0.2");
            }
        }
    }

    @Test
    @Requirement("cb-203")
    void ofEachNetThatNidOfThePeerCountsWhoseTurnItIs() {
        String elsewhere = "10.1.0.2@tcp1";
        for (BondPolicy policy : List.of(BondPolicy.ORDERED, BondPolicy.ROUND_ROBIN)) {
            for (List<String> order : List.of(List.of(PEER, PEER_TOO, elsewhere), List.of(elsewhere, PEER, PEER_TOO))) {
                Rails world = new Rails();
                world.local(A1);
                world.local("10.1.0.1@tcp1");
                world.peer(order.toArray(String[]::new));
                world.peerNi(PEER).seq = 5;
                world.peerNi(PEER_TOO).seq = 1;
                world.peerNi(elsewhere).seq = 2;
                world.remoteBond("r", policy, PEER, elsewhere, PEER_TOO);
                assertThat(world.choose(PEER, 1)).containsExactly(policy == BondPolicy.ORDERED ? "0.1>0.2" : "0.1>1.2");
            }
        }
    }

    @Test
    @Requirement("cb-202")
    void aResendUsesEachNiOfEachBondBeforeItBeginsAgain() {
        twoBonds(BondPolicy.DEFAULT);
        rails.local("10.0.4.1@tcp");
        rails.local("10.0.5.1@tcp");
        rails.bond("c", BondPolicy.DEFAULT, "10.0.4.1@tcp", "10.0.5.1@tcp");
        rails.peer(PEER);
        rails.ni(A2).seq = 9;
        assertThat(attempts(Rails.put(PEER), 7))
                .as("its own bond first, whosever turn it is")
                .containsExactly("0.1>0.2", "1.1>0.2", "2.1>0.2", "3.1>0.2", "4.1>0.2", "5.1>0.2", "0.1>0.2");
        for (String nid : List.of(A1, A2, B1, B2, "10.0.4.1@tcp", "10.0.5.1@tcp")) {
            rails.ni(nid).fatal = true;
        }
        assertThat(rails.choose(Rails.put(PEER))).isEqualTo("EHOSTUNREACH");
    }

    @Test
    @Requirement("cb-203")
    void anOrderedRemoteBondIsSentToAtTheFirstThatIsWell() {
        rails.local(A1);
        rails.local("10.1.0.1@tcp1");
        rails.peer(PEER, PEER_TOO, "10.1.0.2@tcp1");
        rails.remoteBond("r", BondPolicy.ORDERED, "10.1.0.2@tcp1", PEER_TOO, PEER);
        assertThat(rails.choose(PEER, 3)).containsOnly("0.1@1>0.2@1");
        rails.peerNi("10.1.0.2@tcp1").health = 900;
        assertThat(rails.choose(PEER, 3)).containsOnly("0.1>1.2");
    }

    @Test
    @Requirement("cb-203")
    void roundRobinGivesEachItsTurnWhateverNetItIsOn() {
        rails.local(A1);
        rails.local(A2);
        rails.local("10.1.0.1@tcp1");
        rails.peer(PEER, "10.1.0.2@tcp1");
        rails.bond("a", BondPolicy.DEFAULT, A1, A2, "10.1.0.1@tcp1");
        assertThat(turns(12).stream().filter("0.1@1"::equals))
                .as("Multi-Rail takes turns by net")
                .hasSize(6);
        rails.settings = rails.settings.with(Tunable.BOND_POLICY, 1);
        assertThat(turns(12).stream().filter("0.1@1"::equals))
                .as("the policy for all bonds")
                .hasSize(4);
        Message waiting = Rails.put(PEER);
        rails.choose(waiting);
        assertThat(rails.ni(A1).credits.take(waiting)).isTrue();
        assertThat(turns(12).stream().filter("0.1"::equals))
                .as("credits do not matter")
                .hasSize(4);
    }

    private List<String> turns(int count) {
        return rails.choose(PEER, count).stream()
                .map(way -> way.replaceFirst(">.*", ""))
                .toList();
    }

    @Test
    @Requirement("cb-202")
    void explanationsNameTheBonds() {
        twoBonds(BondPolicy.DEFAULT);
        rails.peer(PEER, PEER_TOO);
        rails.remoteBond("r", BondPolicy.DEFAULT, PEER_TOO);
        Explanation named = rails.explain(Rails.put(A1, PEER_TOO));
        assertThat(named.toString())
                .contains(
                        "10.0.2.1@tcp  in another bond, NI is in bond b, the message in bond a",
                        "10.0.0.2@tcp  in another bond, NID is in no bond, the destination in bond r");
        assertThat(named.steps()).noneMatch(step -> step.stage() == Stage.BOND);
        rails.ni(A2).health = 900;
        Explanation open = rails.explain(Rails.put(PEER_TOO));
        assertThat(open.steps().getFirst().stage()).isEqualTo(Stage.BOND);
        assertThat(open.toString())
                .contains("1. bond b  best NI 10.0.2.1@tcp, 2 as good", "2. bond a", "behind by number of equal NIs")
                .contains("the default bond  " + Reason.NO_NI_OF_BOND.text());
        assertThat(open.from().toString()).isIn(B1, B2);
    }

    @Test
    @Requirement("cb-202")
    void aNamedSourceIsNeverLeftWhateverHappens() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            Rails world = randomWorld(random);
            List<LocalNi> nis = world.nis.all();
            List<PeerNi> targets = List.copyOf(world.peers.getFirst().nis());
            for (int i = 0; i < 60; i++) {
                LocalNi changed = nis.get(random.nextInt(nis.size()));
                changed.health = random.nextBoolean() ? 1000 : random.nextInt(1001);
                changed.fatal = random.nextInt(5) == 0;
                targets.get(random.nextInt(targets.size())).health = random.nextBoolean() ? 1000 : random.nextInt(1001);
                LocalNi source = nis.get(random.nextInt(nis.size()));
                PeerNi target = targets.get(random.nextInt(targets.size()));
                Message message = random.nextBoolean()
                        ? Rails.put(source.nid().toString(), target.nid().toString())
                        : Rails.response(source.nid().toString(), target.nid().toString());
                for (String way : attempts(world, message, 1 + random.nextInt(5))) {
                    assertThat(way).as("seed %d", seed).doesNotContain("nothing");
                }
                if (message.ni() != null && message.peerNi() != null && world.status(message, target) == 0) {
                    assertThat(message.ni().bond)
                            .as("seed %d, from %s", seed, source)
                            .isSameAs(source.bond);
                    if (target.bond != null) {
                        assertThat(message.peerNi().bond)
                                .as("seed %d, to %s", seed, target)
                                .isSameAs(target.bond);
                    }
                }
            }
        }
    }

    private static Rails randomWorld(Random random) {
        Rails world = new Rails();
        List<String> locals = new ArrayList<>();
        List<String> remotes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int net = random.nextInt(3);
            locals.add("10." + net + "." + i + ".1@tcp" + net);
            remotes.add("10." + net + "." + i + ".2@tcp" + net);
        }
        locals.forEach(world::local);
        world.peer(remotes.toArray(String[]::new));
        world.bond("a", BondPolicy.values()[random.nextInt(4)], locals.get(0), locals.get(1));
        world.bond("b", BondPolicy.values()[random.nextInt(4)], locals.get(2), locals.get(3));
        world.remoteBond("r", BondPolicy.values()[random.nextInt(4)], remotes.get(0), remotes.get(1), remotes.get(5));
        return world;
    }
}
