package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.Requirement;

/**
 * The cases in which a router is on the way (spec 10 §8.3, §8.7, §8.8). The far net is {@code tcp9}, its router has two
 * NIDs on {@code tcp}.
 */
class RoutedCasesTest {
    private static final String FAR = "10.9.0.3@tcp9";
    private static final String FAR_TOO = "10.8.0.3@tcp8";
    private static final String OLD = "10.9.0.4@tcp9";

    private final Rails rails = new Rails();

    @BeforeEach
    void rails() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.local("10.1.0.1@tcp1");
        rails.peer("10.0.0.5@tcp", "10.0.1.5@tcp", "10.9.0.5@tcp9");
        rails.peer(FAR, FAR_TOO);
        rails.old(OLD);
        rails.route("tcp9", "10.0.0.5@tcp");
    }

    private Message sent(Message message, String way) {
        assertThat(rails.choose(message)).isEqualTo(way);
        return message;
    }

    @Test
    @Requirement("rsl-106")
    void fromANamedSourceThatIsUpByARouterOnItsNet() {
        Message message = sent(Rails.put("10.0.1.1@tcp", FAR), "1.1>0.5");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(FAR));
        assertThat(rails.choose(Rails.put("10.1.0.1@tcp1", FAR)))
                .as("no router on that net")
                .isEqualTo("EHOSTUNREACH");
        assertThat(rails.explain(Rails.put("10.1.0.1@tcp1", FAR))
                        .steps()
                        .getLast()
                        .excluded())
                .extracting(excluded -> excluded.reason())
                .containsExactly(Reason.NOT_ADJACENT);
        assertThat(rails.choose(Rails.put("10.0.7.7@tcp", FAR))).isEqualTo("EINVAL");
        rails.ni("10.0.1.1@tcp").fatal = true;
        assertThat(rails.choose(Rails.put("10.0.1.1@tcp", FAR))).isEqualTo("EHOSTUNREACH");
    }

    @Test
    @Requirement("rsl-107")
    void toTheBestNidOfTheRouterAndAgainToTheOther() {
        rails.peerNi("10.0.0.5@tcp").health = 900;
        Message message = sent(Rails.put("10.0.0.1@tcp", FAR), "0.1>1.5");
        assertThat(rails.again(message)).isEqualTo("0.1>0.5");
        assertThat(rails.again(message)).as("all have been used").isEqualTo("0.1>1.5");
    }

    @Test
    @Requirement("rsl-110")
    void toAnOldPeerFromANamedSource() {
        Message message = sent(Rails.put("10.0.1.1@tcp", OLD), "1.1>0.5");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(OLD));
        assertThat(rails.peerNi(OLD).peerNet.preferred).isEqualTo(rails.ni("10.0.1.1@tcp"));
    }

    /** It stays with source and destination; only the NID of the router may be another. */
    @Test
    @Requirement("rsl-111")
    void toAnOldPeerFromANamedSourceAgain() {
        Message message = sent(Rails.put("10.0.1.1@tcp", OLD), "1.1>0.5");
        assertThat(rails.again(message)).startsWith("1.1>");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(OLD));
        rails.ni("10.0.1.1@tcp").fatal = true;
        assertThat(rails.again(message)).isEqualTo("EHOSTUNREACH");
    }

    @Test
    @Requirement({"rsl-111", "rsl-118"})
    void toAnOldPeerOverAnUnhealthyRouterThereIsAFirstAttemptOnly() {
        rails.peerNi("10.0.0.5@tcp").health = 0;
        rails.peerNi("10.0.1.5@tcp").health = 0;
        for (String source : new String[] {"*", "10.0.0.1@tcp"}) {
            Message message = sent(Rails.put(source, OLD), source.equals("*") ? "0.1>0.5" : "0.1>1.5");
            assertThat(rails.again(message)).isEqualTo("EHOSTUNREACH");
            Explanation explanation = rails.explain(message);
            assertThat(explanation.steps().getLast().excluded())
                    .extracting(Explanation.Excluded::reason)
                    .containsExactly(Reason.UNHEALTHY);
            assertThat(explanation.from()).as("no way at all").isEqualTo(Nid.ANY);
            rails.peerNi("10.0.0.5@tcp").health = 1;
            assertThat(rails.again(message)).as("what is not hopeless").startsWith("0.1>");
            rails.peerNi("10.0.0.5@tcp").health = 0;
            rails.set(Tunable.NMR_FAIL_UNHEALTHY, false);
            assertThat(rails.again(message)).startsWith("0.1>");
            rails.set(Tunable.NMR_FAIL_UNHEALTHY, true);
        }
        Message message = Rails.put(FAR);
        rails.choose(message);
        assertThat(rails.again(message)).as("a multi-rail peer").endsWith(".5");
    }

    @Test
    @Requirement("rsl-118")
    void anOldPeerBehindARouterKnowsUsByOneNid() {
        rails.ni("10.0.0.1@tcp").health = 500;
        sent(Rails.put(OLD), "1.1>0.5");
        rails.ni("10.0.0.1@tcp").health = 1000;
        assertThat(rails.choose(OLD, 2)).as("the router may be sent to by both").containsOnly("1.1>1.5", "1.1>0.5");
        rails.ni("10.0.1.1@tcp").health = 0;
        assertThat(rails.choose(OLD, 1)).containsOnly("EHOSTUNREACH");
        rails.set(Tunable.NMR_FAIL_UNHEALTHY, false);
        assertThat(rails.choose(Rails.put(OLD))).startsWith("1.1>");
    }

    @Test
    @Requirement({"rsl-115", "mrx-013"})
    void aLocalNidOfAPeerIsPreferredToARouteToAnother() {
        rails.peer("10.9.0.8@tcp9", "10.1.0.8@tcp1");
        assertThat(rails.choose("10.9.0.8@tcp9", 1)).containsOnly("0.1@1>0.8@1");
        rails.ni("10.1.0.1@tcp1").fatal = true;
        assertThat(rails.choose("10.9.0.8@tcp9", 1))
                .as("only the route is left")
                .containsOnly("0.1>0.5");
    }

    @Test
    @Requirement("rsl-120")
    void whatIsBehindTheRouterDoesNotDecideOnTheNextHop() {
        rails.peerNi(FAR).health = 0;
        rails.peerNi(FAR).queuedBytes = 1 << 20;
        assertThat(rails.choose(FAR, 4)).containsExactly("0.1>0.5", "1.1>1.5", "0.1>0.5", "1.1>1.5");
    }

    @Test
    void ofTheNetsOfAPeerTheBestThatARouteThatIsUpLeadsTo() {
        Route other = rails.route("tcp8", "10.0.1.5@tcp", 2, 0);
        Message message = sent(Rails.put(FAR), "0.1>0.5");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(FAR));
        sent(message, "1.1>1.5");
        assertThat(message.path().destination()).as("the nets take turns").isEqualTo(Nid.parse(FAR_TOO));
        assertThat(message.path().route()).isEqualTo(other);
        rails.peerNi(FAR_TOO).health = 900;
        assertThat(rails.choose(message)).startsWith("0.1");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(FAR));
        rails.peerNi("10.9.0.5@tcp9").status = PingInfo.STATUS_DOWN;
        route("tcp9").singleHop = true;
        rails.choose(message);
        assertThat(message.path().destination()).isEqualTo(Nid.parse(FAR_TOO));
        route("tcp8").gateway.peer.clear(PeerState.ROUTER_ENABLED);
        assertThat(rails.choose(message)).isEqualTo("EHOSTUNREACH");
    }

    private Route route(String net) {
        return rails.routes.to(org.railyard.lnet.nid.Net.parse(net)).getFirst();
    }

    @Test
    void gatewaysAreComparedByRuleThenPriorityHopsHealthBytesCreditsAndTurn() {
        rails.peer("10.0.0.6@tcp", "10.9.0.6@tcp9");
        Route second = rails.route("tcp9", "10.0.0.6@tcp", 2, 0);
        assertThat(behind()).isEqualTo(Criterion.HOPS);
        rails.peerNi("10.0.0.5@tcp").health = 1;
        rails.peerNi("10.0.1.5@tcp").health = 1;
        assertThat(behind()).isEqualTo(Criterion.HOPS);
        rails.route("tcp9", "10.0.0.6@tcp", 1, 0);
        rails.routes.to(second.net()).remove(second);
        assertThat(behind()).isEqualTo(Criterion.HEALTH);
        rails.peerNi("10.0.0.6@tcp").health = 1;
        assertThat(behind()).isEqualTo(Criterion.ORDER);
        assertThat(rails.choose(Rails.put(FAR))).as("of equals the last").isEqualTo("0.1>0.6");
        assertThat(behind()).isEqualTo(Criterion.TURN);
        rails.peerNi("10.0.0.6@tcp").credits.resize(100);
        assertThat(behind()).isEqualTo(Criterion.CREDITS);
        rails.peerNi("10.0.0.6@tcp").queuedBytes = 1;
        assertThat(behind()).isEqualTo(Criterion.QUEUED_BYTES);
        assertThat(rails.choose(Rails.put(FAR))).endsWith(".5");
        rails.rule(UdspRule.of(null, "10.9.*.*@tcp9", "10.0.0.6@tcp"));
        assertThat(behind()).isEqualTo(Criterion.ROUTER);
        assertThat(rails.choose(Rails.put(FAR))).endsWith("0.6");
    }

    private Criterion behind() {
        return rails.explain(Rails.put(FAR)).steps().stream()
                .filter(step -> step.stage() == Stage.ROUTE)
                .findFirst()
                .orElseThrow()
                .candidates()
                .getLast()
                .behind();
    }

    @Test
    void aPairRuleForTheNidOfARouterCounts() {
        rails.rule(UdspRule.of("10.0.1.1@tcp", "10.0.0.5@tcp", null));
        rails.peerNi("10.0.1.5@tcp").health = 900;
        assertThat(rails.choose(FAR, 3)).containsOnly("1.1>0.5");
    }

    @Test
    void aResponseGoesBackTheWayOfTheRequestWhateverItsGatewayIsWorth() {
        rails.peer("10.0.0.6@tcp");
        rails.route("tcp9", "10.0.0.6@tcp", 1, 9);
        route("tcp9").gateway.setAlive(false, 0);
        Message response = Rails.response("10.0.1.1@tcp", FAR);
        response.setSender(Nid.parse("10.0.1.5@tcp"));
        sent(response, "1.1>1.5");
        assertThat(response.path().destination()).isEqualTo(Nid.parse(FAR));
        assertThat(rails.again(response)).as("a resend has to find another").isEqualTo("EHOSTUNREACH");
        rails.peer("10.0.0.7@tcp", "10.9.0.7@tcp9");
        rails.route("tcp9", "10.0.0.7@tcp");
        assertThat(rails.again(response)).isEqualTo("0.1>0.7");
        Message stray = Rails.response("10.0.1.1@tcp", FAR);
        stray.setSender(Nid.parse("10.0.0.99@tcp"));
        sent(stray, "1.1>0.7");
    }

    /** As next to each other (snd-070): the destination stays, the NI and the NID of the router change. */
    @Test
    @Requirement("snd-070")
    void aResponseThatFailedOnTheWayToTheRouterLeavesFromAnotherNi() {
        Message message = Rails.response("10.0.0.1@tcp", FAR);
        assertThat(rails.choose(message)).startsWith("0.1>");
        assertThat(rails.again(message)).startsWith("1.1>");
        assertThat(message.path().destination()).isEqualTo(Nid.parse(FAR));
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, false);
        Message bound = Rails.response("10.0.0.1@tcp", FAR);
        assertThat(rails.choose(bound)).startsWith("0.1>");
        assertThat(rails.again(bound)).startsWith("0.1>");
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, true);
        Message old = Rails.response("10.0.0.1@tcp", OLD);
        assertThat(rails.choose(old)).startsWith("0.1>");
        assertThat(rails.again(old)).as("it knows one NID of this node").startsWith("0.1>");
    }

    @Test
    @Requirement("snd-070")
    void aResponseWhoseSourceIsGoneMayLeaveFromAnotherNi() {
        Message response = Rails.response("10.0.3.1@tcp", FAR);
        response.setSender(Nid.parse("10.0.1.5@tcp"));
        assertThat(rails.choose(response)).startsWith("0.1>");
        assertThat(rails.choose(Rails.response("10.0.3.1@tcp", OLD))).isEqualTo("EINVAL");
    }

    @Test
    void theLastRouterDeliversToTheVeryNid() {
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peer("10.1.0.2@tcp1");
        Message message = Rails.forwarded("10.1.0.2@tcp1", "10.0.0.2@tcp");
        sent(message, "0.1>0.2");
        sent(message, "1.1>0.2");
        assertThat(message.path().destination()).isEqualTo(Nid.parse("10.0.0.2@tcp"));
        rails.peerNi("10.0.0.2@tcp").health = 999;
        sent(message, "0.1>1.2");
        assertThat(message.path().destination()).isEqualTo(Nid.parse("10.0.1.2@tcp"));
        rails.peerNi("10.0.0.2@tcp").health = 1000;
        rails.peerNi("10.0.0.2@tcp").status = PingInfo.STATUS_DOWN;
        assertThat(rails.explain(message).pathCase()).isEqualTo(Explanation.Case.B1C);
        sent(Rails.forwarded(OLD, "10.0.0.2@tcp"), "1.1>0.2");
    }

    @Test
    void aRouterPassesOnWithoutAPreferenceAndNeverBackToWhereItCameFrom() {
        rails.old("10.0.0.2@tcp");
        rails.peerNi("10.0.0.2@tcp").peerNet.preferred = rails.ni("10.0.1.1@tcp");
        sent(Rails.forwarded(FAR, "10.0.0.2@tcp"), "0.1>0.2");
        assertThat(rails.peerNi("10.0.0.2@tcp").peerNet.preferred).isEqualTo(rails.ni("10.0.1.1@tcp"));
        Message further = Rails.forwarded("10.1.0.2@tcp1", FAR);
        assertThat(rails.choose(further)).endsWith(".5");
        assertThat(further.path().destination()).isEqualTo(Nid.parse(FAR));
        further.setSender(Nid.parse("10.0.1.5@tcp"));
        assertThat(rails.choose(further)).isEqualTo("EHOSTUNREACH");
        assertThat(rails.explain(further).steps().getLast().excluded())
                .extracting(excluded -> excluded.reason())
                .containsExactly(Reason.CAME_FROM);
    }

    /** A header for a nid4 hop cuts large NIDs to four bytes, and every way to an end that is nid4 has such a hop. */
    @Test
    void betweenEndsOfOneAddressFamily() {
        rails.local("2001:db8::1@tcp2");
        rails.peer("10.0.0.6@tcp", "2001:db8::6@tcp2");
        rails.route("tcp8", "10.0.0.6@tcp");
        rails.route("tcp7", "10.0.0.6@tcp");
        rails.old("10.7.0.4@tcp7");
        rails.old("2001:db8:7::4@tcp7");
        assertThat(rails.choose("10.7.0.4@tcp7", 3)).doesNotContain("2001:db8::1@tcp2>2001:db8::6@tcp2");
        assertThat(rails.choose("2001:db8:7::4@tcp7", 3)).containsOnly("2001:db8::1@tcp2>2001:db8::6@tcp2");
        assertThat(rails.choose(Rails.put("10.0.0.1@tcp", "2001:db8:7::4@tcp7")))
                .isEqualTo("EHOSTUNREACH");
        assertThat(rails.explain(Rails.put("10.0.0.1@tcp", "2001:db8:7::4@tcp7"))
                        .steps()
                        .getLast()
                        .excluded())
                .extracting(Explanation.Excluded::reason)
                .containsExactly(Reason.FAMILY);
        assertThat(rails.choose(Rails.put("2001:db8::1@tcp2", "10.7.0.4@tcp7"))).isEqualTo("EHOSTUNREACH");
    }

    @Test
    void aPeerOfTwoAddressFamiliesIsSentToByThatOfThisNode() {
        rails.route("tcp8", "10.0.0.5@tcp");
        rails.peer("2001:db8:8::7@tcp8", "10.9.0.7@tcp9");
        assertThat(rails.choose("2001:db8:8::7@tcp8", 4)).allMatch(way -> way.endsWith(".5"));
        Message message = Rails.put("2001:db8:8::7@tcp8");
        rails.choose(message);
        assertThat(message.path().destination()).isEqualTo(Nid.parse("10.9.0.7@tcp9"));
    }

    @Test
    void aRouterCutsNoNids() {
        rails.old("10.0.0.2@tcp");
        rails.local("2001:db8::1@tcp2");
        rails.old("2001:db8::2@tcp2");
        assertThat(rails.choose(Rails.forwarded("2001:db8:7::4@tcp7", "10.0.0.2@tcp")))
                .isEqualTo("EHOSTUNREACH");
        assertThat(rails.choose(Rails.forwarded("2001:db8:7::4@tcp7", FAR))).isEqualTo("EHOSTUNREACH");
        assertThat(rails.choose(Rails.forwarded("2001:db8:7::4@tcp7", "2001:db8::2@tcp2")))
                .isEqualTo("2001:db8::1@tcp2>2001:db8::2@tcp2");
    }

    @Test
    void anAnswerGoesBackByNoHopThatCutsItsTarget() {
        rails.old("2001:db8:9::4@tcp9");
        Message message = Rails.response("10.0.0.1@tcp", "2001:db8:9::4@tcp9");
        message.setSender(Nid.parse("10.0.0.5@tcp"));
        assertThat(rails.choose(message)).isEqualTo("EHOSTUNREACH");
    }
}
