package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.testkit.Requirement;

/** Each criterion on its own, and before those that come after it (spec 10 §8.4–§8.6). */
class CriteriaTest {
    private static final String LOSER = "10.0.0.1@tcp";
    private static final String WINNER = "10.0.1.1@tcp";

    /** Makes one of two better by one criterion. */
    private interface Edge<T> {
        void favour(Rails rails, T winner, T loser);
    }

    private record Rule<T>(Criterion criterion, Edge<T> edge) {}

    private static final List<Rule<LocalNi>> LOCAL = List.of(
            new Rule<>(Criterion.FATAL, (rails, winner, loser) -> loser.fatal = true),
            new Rule<>(Criterion.HEALTH, (rails, winner, loser) -> loser.health = winner.health - 1),
            new Rule<>(Criterion.PRIORITY, (rails, winner, loser) -> winner.priority = 7),
            new Rule<>(Criterion.DISTANCE, (rails, winner, loser) -> rails.cpu = 2 * winner.deviceCpt),
            new Rule<>(Criterion.CREDITS, (rails, winner, loser) -> loser.credits.take(new Message())),
            new Rule<>(Criterion.TURN, (rails, winner, loser) -> loser.seq = winner.seq + 1));

    private static final List<Rule<PeerNi>> REMOTE = List.of(
            new Rule<>(Criterion.HEALTH, (rails, winner, loser) -> loser.health = winner.health - 1),
            new Rule<>(Criterion.PRIORITY, (rails, winner, loser) -> winner.priority = 7),
            new Rule<>(
                    Criterion.PREFERENCE,
                    (rails, winner, loser) ->
                            rails.rule(UdspRule.of(LOSER, winner.nid().toString(), null))),
            new Rule<>(Criterion.QUEUED_BYTES, (rails, winner, loser) -> loser.queuedBytes = winner.queuedBytes + 1),
            new Rule<>(Criterion.CREDITS, (rails, winner, loser) -> loser.credits.take(new Message())),
            new Rule<>(Criterion.TURN, (rails, winner, loser) -> loser.seq = winner.seq + 1));

    private static final List<Rule<PeerNet>> NETS = List.of(
            new Rule<>(
                    Criterion.HEALTH,
                    (rails, winner, loser) -> loser.nis.forEach(ni -> ni.health = winner.health() - 1)),
            new Rule<>(Criterion.PRIORITY, (rails, winner, loser) -> winner.priority = 7),
            new Rule<>(
                    Criterion.LOCAL_HEALTH,
                    (rails, winner, loser) -> rails.here(loser).nis.forEach(ni -> ni.health = 999)),
            new Rule<>(Criterion.LOCAL_PRIORITY, (rails, winner, loser) -> rails.here(winner).priority = 7),
            new Rule<>(Criterion.TURN, (rails, winner, loser) -> loser.seq = winner.seq + 1),
            new Rule<>(
                    Criterion.LOCAL_TURN,
                    (rails, winner, loser) -> rails.here(loser).seq = rails.here(winner).seq + 1));

    static IntStream places() {
        return IntStream.range(0, 6);
    }

    private static Explanation.Candidate second(Explanation explanation, Stage stage) {
        return explanation.steps().stream()
                .filter(step -> step.stage() == stage)
                .findFirst()
                .orElseThrow()
                .candidates()
                .get(1);
    }

    private static <T> void favour(List<Rule<T>> rules, int place, Rails rails, T winner, T loser) {
        // Everything behind it speaks for the other one.
        for (int i = rules.size() - 1; i > place; i--) {
            rules.get(i).edge().favour(rails, loser, winner);
        }
        rules.get(place).edge().favour(rails, winner, loser);
    }

    @ParameterizedTest
    @MethodSource("places")
    @Requirement({"rsl-121", "rsl-123", "snd-005", "mrx-009", "mrx-010", "mrx-013", "rsl-051"})
    void localNi(int place) {
        Rails rails = new Rails(CpuLayout.grid(2, 2, 20));
        rails.set(Tunable.USE_FATAL_NI_AS_LAST_RESORT, true);
        LocalNi loser = rails.local(LOSER, 0);
        LocalNi winner = rails.local(WINNER, 1);
        rails.peer("10.0.0.9@tcp");
        favour(LOCAL, place, rails, winner, loser);
        Criterion expected = LOCAL.get(place).criterion();
        Explanation explanation = rails.explain(Rails.put("10.0.0.9@tcp"));
        assertThat(explanation.from()).isEqualTo(winner.nid());
        assertThat(second(explanation, Stage.LOCAL_NI).behind()).isEqualTo(expected);
        assertThat(rails.choose("10.0.0.9@tcp", 1)).containsExactly("1.1>0.9");
    }

    /** An NI that lacks credits on one partition is sent less, whatever partition the next message is counted on. */
    @Test
    @Requirement("snd-030")
    void creditsOfAllPartitionsCount() {
        Rails rails = new Rails(CpuLayout.grid(2, 2, 20));
        LocalNi loser = rails.local(LOSER);
        LocalNi winner = rails.local(WINNER);
        List<String> targets = List.of("10.0.0.8@tcp", "10.0.0.9@tcp");
        targets.forEach(rails::peer);
        for (String sentTo : targets) {
            winner.seq = loser.seq + 1;
            Message sent = Rails.put(sentTo);
            assertThat(rails.choose(sent)).as("whose turn it is").startsWith("0.1>");
            loser.credits.take(sent);
            for (String next : targets) {
                winner.seq = loser.seq + 1;
                assertThat(rails.choose(next, 1).getFirst()).startsWith("1.1>");
            }
            loser.credits.giveBack(sent);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    @Requirement({"snd-035", "snd-060", "mrx-009", "mrx-013", "rsl-050", "rsl-051"})
    void peerNi(int place) {
        Rails rails = new Rails();
        rails.local(LOSER);
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        favour(REMOTE, place, rails, rails.peerNi("10.0.1.2@tcp"), rails.peerNi("10.0.0.2@tcp"));
        Explanation explanation = rails.explain(Rails.put("10.0.0.2@tcp"));
        assertThat(second(explanation, Stage.PEER_NI).behind())
                .isEqualTo(REMOTE.get(place).criterion());
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>1.2");
    }

    @ParameterizedTest
    @MethodSource("places")
    @Requirement({"mrx-005", "rsl-122", "rsl-018"})
    void net(int place) {
        Rails rails = new Rails();
        rails.local("10.0.0.1@tcp");
        rails.local("10.1.0.1@tcp1");
        rails.peer("10.0.0.2@tcp", "10.1.0.2@tcp1");
        PeerNet loser = rails.peerNi("10.0.0.2@tcp").peerNet;
        PeerNet winner = rails.peerNi("10.1.0.2@tcp1").peerNet;
        favour(NETS, place, rails, winner, loser);
        Explanation explanation = rails.explain(Rails.put("10.0.0.2@tcp"));
        assertThat(second(explanation, Stage.NET).behind())
                .isEqualTo(NETS.get(place).criterion());
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1@1>0.2@1");
    }

    @Test
    void equalsKeepTheirOrder() {
        Rails rails = new Rails();
        rails.local(LOSER);
        rails.local(WINNER);
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        Explanation explanation = rails.explain(Rails.put("10.0.1.2@tcp"));
        assertThat(explanation.from()).hasToString(LOSER);
        assertThat(explanation.to()).hasToString("10.0.0.2@tcp");
        assertThat(second(explanation, Stage.LOCAL_NI).behind()).isEqualTo(Criterion.ORDER);
        assertThat(second(explanation, Stage.PEER_NI).behind()).isEqualTo(Criterion.ORDER);
    }

    @Test
    void queuedBytesDoNotCountInTheOtherProfile() {
        Rails rails = new Rails();
        rails.set(Tunable.PEER_NI_USE_TXQNOB, false);
        rails.local(LOSER);
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peerNi("10.0.0.2@tcp").queuedBytes = 1 << 20;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
        rails.peerNi("10.0.0.2@tcp").seq = 0;
        rails.peerNi("10.0.0.2@tcp").credits.take(new Message());
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>1.2");
    }

    @Test
    void policiesCountBeforeHealthIfSoWished() {
        Rails rails = new Rails();
        rails.local("10.0.0.1@tcp").priority = 1;
        rails.local("10.0.1.1@tcp").priority = 0;
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.ni("10.0.1.1@tcp").health = 500;
        rails.peerNi("10.0.1.2@tcp").health = 500;
        rails.peerNi("10.0.1.2@tcp").priority = 3;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
        rails.set(Tunable.UDSP_BEFORE_HEALTH, true);
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("1.1>1.2");
    }

    @Test
    void policiesCountBeforeTheHealthOfNetsIfSoWished() {
        Rails rails = new Rails();
        rails.local("10.0.0.1@tcp");
        rails.local("10.1.0.1@tcp1").health = 400;
        rails.peer("10.0.0.2@tcp", "10.1.0.2@tcp1");
        rails.nis.nets().getLast().priority = 0;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
        rails.set(Tunable.UDSP_BEFORE_HEALTH, true);
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1@1>0.2@1");
        rails.peerNi("10.0.0.2@tcp").health = 400;
        rails.peerNi("10.0.0.2@tcp").peerNet.priority = 0;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
    }

    @Test
    void prioritiesAreUnsigned() {
        Rails rails = new Rails();
        rails.local("10.0.0.1@tcp").priority = (int) UdspRule.MAX_PRIORITY;
        rails.local("10.0.1.1@tcp").priority = 5;
        rails.local("10.0.2.1@tcp");
        rails.peer("10.0.0.2@tcp");
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("1.1>0.2");
        rails.ni("10.0.1.1@tcp").fatal = true;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
    }
}
