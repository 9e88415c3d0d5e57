package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Message;
import org.railyard.testkit.Requirement;

/** Resends leave out what was used before (spec 10 §12.3, §12.4). */
class AvoidanceTest {
    private final Rails rails = new Rails();

    private List<String> attempts(Message message, int count) {
        List<String> ways = new ArrayList<>();
        ways.add(rails.choose(message));
        while (ways.size() < count) {
            ways.add(rails.again(message));
        }
        return ways;
    }

    @Test
    @Requirement({"rsl-113", "rsl-034", "snd-050", "rsl-038"})
    void bothSidesChange() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp").health = 300;
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peerNi("10.0.1.2@tcp").health = 300;
        assertThat(attempts(Rails.put("10.0.0.2@tcp"), 2)).containsExactly("0.1>0.2", "1.1>1.2");
        rails.set(Tunable.RESEND_AVOID_USED_PATHS, false);
        assertThat(attempts(Rails.put("10.0.0.2@tcp"), 2)).as("health only").containsExactly("0.1>0.2", "0.1>0.2");
    }

    @Test
    @Requirement("rsl-114")
    void everyNidIsTriedBeforeOneIsTriedAgain() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp", "10.0.2.2@tcp");
        rails.peerNi("10.0.2.2@tcp").health = 1;
        List<String> ways = attempts(Rails.put("10.0.0.2@tcp"), 6);
        assertThat(ways.subList(0, 3).stream().map(way -> way.substring(4)).distinct())
                .hasSize(3);
        assertThat(ways.subList(0, 2).stream().map(way -> way.substring(0, 3)).distinct())
                .hasSize(2);
        assertThat(ways.subList(3, 6).stream().map(way -> way.substring(4)).distinct())
                .as("and round again")
                .hasSize(3);
    }

    @Test
    @Requirement("rsl-034")
    void theOnlyPathIsUsedAgain() {
        rails.local("10.0.0.1@tcp");
        rails.peer("10.0.0.2@tcp");
        assertThat(attempts(Rails.put("10.0.0.2@tcp"), 4))
                .containsOnly("0.1>0.2")
                .hasSize(4);
    }

    @Test
    @Requirement({"mrx-014", "mrx-019"})
    void aNetAllOfWhoseNidsAreUsedIsSkipped() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.local("10.1.0.1@tcp1").health = 10;
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp", "10.1.0.2@tcp1");
        Message message = Rails.put("10.0.0.2@tcp");
        List<String> ways = attempts(message, 3);
        assertThat(ways.subList(0, 2)).as("all NIDs on the net").containsExactly("0.1>0.2", "1.1>1.2");
        assertThat(ways.get(2)).isEqualTo("0.1@1>0.2@1");
    }

    @Test
    @Requirement("mrx-018")
    void whatIsUsedIsUsedForOneMessageOnly() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.1.0.1@tcp1").health = 10;
        rails.peer("10.0.0.2@tcp", "10.1.0.2@tcp1");
        assertThat(attempts(Rails.put("10.0.0.2@tcp"), 2)).containsExactly("0.1>0.2", "0.1@1>0.2@1");
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
    }

    @Test
    void aFreshPeerNiCountsMoreThanAFreshNi() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.1.0.1@tcp1");
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp", "10.1.0.2@tcp1");
        Set<String> tried = new LinkedHashSet<>(attempts(Rails.put("10.0.0.2@tcp"), 3));
        assertThat(tried).containsExactlyInAnyOrder("0.1>0.2", "0.1@1>0.2@1", "0.1>1.2");
    }

    @Test
    void fromANamedSourceThePeerNiChanges() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peerNi("10.0.1.2@tcp").health = 1;
        assertThat(attempts(Rails.put("10.0.0.1@tcp", "10.0.0.2@tcp"), 4))
                .containsExactly("0.1>0.2", "0.1>1.2", "0.1>0.2", "0.1>1.2");
    }

    @Test
    @Requirement("rsl-049")
    void anOldPeerHasOnePath() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.old("10.0.0.2@tcp");
        assertThat(attempts(Rails.put("10.0.0.2@tcp"), 4))
                .containsOnly("0.1>0.2")
                .hasSize(4);
    }

    @Test
    @Requirement({"snd-070", "snd-050"})
    void aResponseMovesWhenItIsSentAgain() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.local("10.1.0.1@tcp1");
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp", "10.1.0.2@tcp1");
        assertThat(attempts(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp"), 3))
                .containsExactly("0.1>0.2", "1.1>1.2", "0.1>0.2");
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, false);
        assertThat(attempts(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp"), 3)).containsOnly("0.1>0.2");
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, true);
        rails.old("10.0.0.3@tcp");
        assertThat(attempts(Rails.response("10.0.0.1@tcp", "10.0.0.3@tcp"), 3)).containsOnly("0.1>0.3");
    }

    @Test
    void anExplanationSaysWhatWasUsed() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        Message message = Rails.put("10.0.0.2@tcp");
        rails.choose(message);
        message.path().retried();
        message.path().markUsed(rails.ni("10.0.0.1@tcp"));
        message.path().markUsed(rails.peerNi("10.0.0.2@tcp"));
        Explanation explanation = rails.explain(message);
        assertThat(explanation.steps().get(1).excluded())
                .containsExactly(new Explanation.Excluded("10.0.0.1@tcp", Reason.USED));
        assertThat(explanation.steps().get(2).excluded())
                .containsExactly(new Explanation.Excluded("10.0.0.2@tcp", Reason.USED));
        assertThat(explanation.toString()).contains("used before");
        message.path().markUsed(rails.ni("10.0.1.1@tcp"));
        message.path().markUsed(rails.peerNi("10.0.1.2@tcp"));
        Explanation round = rails.explain(message);
        assertThat(round.isPossible()).isTrue();
        assertThat(round.steps()).extracting(Explanation.Step::note).contains("all were used, any may be again");
        assertThat(message.path().hasUsed(rails.ni("10.0.0.1@tcp")))
                .as("an explanation forgets nothing")
                .isTrue();
    }
}
