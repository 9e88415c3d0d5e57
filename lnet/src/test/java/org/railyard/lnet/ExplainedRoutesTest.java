package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.nid.Nid;

/** What a node says of the way that a message would go through routers. */
class ExplainedRoutesTest extends Routed {
    private static final String BY_1 = "tcp1 by " + NEAR_1;
    private static final String BY_2 = "tcp1 by " + NEAR_2;
    private static final String SAME = "health 1000, queued bytes 0, credits 8; last choice ";

    @BeforeEach
    void routes() {
        route(NEAR_1, 1, 2);
        route(NEAR_2, 2, 0);
        connectServer();
        assertThat(put()).containsExactly("SEND", "ACK!");
    }

    private Explanation explain(Nid source, Nid... used) {
        return client.selection().explain(SERVER, source, 100, List.of(used));
    }

    private static List<String> lines(Explanation explanation) {
        return explanation.toString().lines().toList();
    }

    private static List<Stage> stages(Explanation explanation) {
        return explanation.steps().stream().map(Explanation.Step::stage).toList();
    }

    @Test
    void aRouteAndWhatItLeadsOver() {
        Explanation explanation = explain(Nid.ANY);
        assertThat(stages(explanation)).containsExactly(Stage.NET, Stage.ROUTE, Stage.PEER_NI, Stage.LOCAL_NI);
        assertThat(lines(explanation))
                .contains(
                        "  -  tcp1  no local NI on that net",
                        "  1. " + BY_2 + "  priority 0, hops 2; to " + NEAR_2 + " with " + SAME + "3",
                        "  2. " + BY_1 + "  priority 2, hops 1; to " + NEAR_1 + " with " + SAME
                                + "0; behind by priority");
        assertThat(explanation.steps().get(3).candidates())
                .extracting(Explanation.Candidate::name)
                .containsExactly(CLIENT.toString());
        assertThat(stages(explain(CLIENT))).containsExactly(Stage.ROUTE, Stage.PEER_NI, Stage.LOCAL_NI);
    }

    @Test
    void ofEqualRoutesTheOneThatIsTakenComesFirst() {
        client.routes().delete(FAR, NEAR_1);
        client.routes().delete(FAR, NEAR_2);
        route(NEAR_1);
        route(NEAR_2);
        Explanation explanation = explain(Nid.ANY);
        assertThat(explanation.steps().get(1).candidates().getFirst().name()).isEqualTo("tcp1 by " + explanation.to());
    }

    @Test
    void aGatewayThatIsDownAndForHowLong() {
        router2.goesAway();
        net.pass(200);
        Explanation before = explain(Nid.ANY);
        net.pass(30);
        Explanation now = explain(Nid.ANY);
        assertThat(now.steps().get(1).excluded())
                .extracting(Explanation.Excluded::name, Explanation.Excluded::reason)
                .containsExactly(tuple(BY_2, Reason.GATEWAY_DOWN));
        assertThat(seconds(now)).isEqualTo(seconds(before) + 30).isBetween(30, 230);
    }

    private static int seconds(Explanation explanation) {
        String detail = explanation.steps().get(1).excluded().getFirst().detail();
        assertThat(detail).matches("route 2 of 2 for \\d+ s");
        return Integer.parseInt(detail.replaceAll(".* for | s", ""));
    }

    @Test
    void whatWasUsedMayBeUsedAgainInTheEnd() {
        Explanation other = explain(Nid.ANY, CLIENT, NEAR_2);
        assertThat(other.to()).isEqualTo(NEAR_1);
        assertThat(other.toString()).contains("route, used local NIs may be again:");
        Explanation named = explain(CLIENT, CLIENT, NEAR_1, NEAR_2);
        assertThat(stages(named)).containsExactly(Stage.ROUTE, Stage.ROUTE, Stage.PEER_NI, Stage.LOCAL_NI);
        assertThat(named.steps().getFirst().excluded())
                .extracting(Explanation.Excluded::reason)
                .containsExactly(Reason.USED, Reason.USED);
        assertThat(named.steps().get(1).note()).isEqualTo("all were used, any may be again");
        assertThat(named.to()).isEqualTo(NEAR_2);
    }

    @Test
    void whereNoRouteLeadsThatIsSaid() {
        client.routes().delete(FAR, NEAR_1);
        client.routes().delete(FAR, NEAR_2);
        net.settle();
        assertThat(explain(Nid.ANY).steps().getLast().excluded())
                .extracting(Explanation.Excluded::reason)
                .containsExactly(Reason.NO_ROUTE);
    }
}
