package org.railyard.socklnd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.socklnd.wire.ConnectionType;

class ConnectPlanTest {
    private static final long MIN = 1000;
    private static final long MAX = 10_000;

    private static ConnectPlan plan(int connsPerPeer) {
        return new ConnectPlan(connsPerPeer, MIN, MAX);
    }

    @Test
    void opensControlThenInAndOutByTurns() {
        ConnectPlan plan = plan(3);
        List<ConnectionType> order = new ArrayList<>();
        int[] have = new int[3];
        for (ConnectionType next = plan.missing(0, 0, 0);
                next != null;
                next = plan.missing(have[0], have[1], have[2])) {
            order.add(next);
            have[next.number() - 1]++;
        }
        assertThat(order)
                .containsExactly(
                        ConnectionType.CONTROL,
                        ConnectionType.BULK_IN,
                        ConnectionType.BULK_OUT,
                        ConnectionType.BULK_IN,
                        ConnectionType.BULK_OUT,
                        ConnectionType.BULK_IN,
                        ConnectionType.BULK_OUT);
        // A peer that opened more in one direction does not hide what is missing in the other.
        assertThat(plan.missing(1, 3, 5)).isNull();
        assertThat(plan.missing(1, 2, 5)).isEqualTo(ConnectionType.BULK_IN);
        assertThat(plan.missing(1, 5, 1)).isEqualTo(ConnectionType.BULK_OUT);
    }

    private static void dial(ConnectPlan plan) {
        plan.queue();
        plan.begin();
    }

    @Test
    void whatWaitsForItsTurnIsNoCall() {
        ConnectPlan plan = plan(1);
        plan.queue();
        assertThat(plan.isConnecting()).isFalse();
        assertThat(plan.isQueued()).isTrue();
        assertThat(plan.isExpecting(true)).isTrue();
        assertThat(plan.mayDial(0)).isFalse();
        assertThat(plan.isIdle(0)).isFalse();
        plan.withdraw();
        assertThat(plan.isExpecting(true)).isFalse();
        assertThat(plan.mayDial(0)).isTrue();
    }

    @Test
    void waitsTwiceAsLongAfterEachFailure() {
        ConnectPlan plan = plan(1);
        long now = 0;
        for (long wait : new long[] {1000, 2000, 4000, 8000, 10_000, 10_000}) {
            assertThat(plan.mayDial(now)).isTrue();
            dial(plan);
            assertThat(plan.mayDial(now)).isFalse();
            assertThat(plan.isExpecting(true)).isTrue();
            plan.failed(now);
            assertThat(plan.isExpecting(true)).isFalse();
            assertThat(plan.retryTime()).isNull();
            assertThat(plan.mayDial(now + wait - 1)).isFalse();
            assertThat(plan.isIdle(now + wait - 1)).isFalse();
            now += wait;
        }
        dial(plan);
        plan.connected();
        dial(plan);
        plan.failed(now);
        assertThat(plan.mayDial(now + MIN)).isTrue();
        assertThat(plan.isIdle(now + MIN + MAX)).isTrue();
    }

    @Test
    void triesAgainAfterARefusalAndStopsAfterThree() {
        ConnectPlan plan = plan(4);
        for (int i = 0; i < ConnectPlan.REFUSALS_ENOUGH - 1; i++) {
            dial(plan);
            assertThat(plan.refused(0, true)).isTrue();
            assertThat(plan.isExpecting(true)).isTrue();
            assertThat(plan.mayDial(MIN - 1)).isFalse();
            assertThat(plan.mayDial(MIN)).isTrue();
            assertThat(plan.retryTime()).isEqualTo(MIN);
            assertThat(plan.missing(1, 1, 1)).isEqualTo(ConnectionType.BULK_IN);
        }
        dial(plan);
        assertThat(plan.refused(0, true)).isTrue();
        assertThat(plan.missing(1, 1, 1)).isNull();
        assertThat(plan.retryTime()).as("nothing is left to retry").isNull();
        assertThat(plan.isIdle(0)).isTrue();
        assertThat(plan.missing(0, 1, 1)).isEqualTo(ConnectionType.CONTROL);
        plan.lost();
        assertThat(plan.missing(1, 1, 1)).isEqualTo(ConnectionType.BULK_IN);
    }

    @Test
    void failsAfterThreeRefusalsWhileATypeIsMissing() {
        ConnectPlan plan = plan(1);
        dial(plan);
        assertThat(plan.refused(0, false)).isTrue();
        dial(plan);
        assertThat(plan.refused(0, false)).isTrue();
        dial(plan);
        assertThat(plan.refused(0, false)).isFalse();
    }

    @Test
    void onlyRefusalsInARowAreEnough() {
        ConnectPlan plan = plan(4);
        for (int i = 1; i < ConnectPlan.REFUSALS_ENOUGH; i++) {
            dial(plan);
            plan.refused(0, true);
        }
        dial(plan);
        plan.failed(MIN);
        dial(plan);
        assertThat(plan.refused(MIN, true)).isTrue();
        assertThat(plan.missing(1, 1, 1)).isEqualTo(ConnectionType.BULK_IN);
        assertThat(plan.retryTime()).isEqualTo(2 * MIN);
    }

    @Test
    void whatIsThereHasToDoOnlyWhileThereIsOneOfEachType() {
        ConnectPlan plan = plan(4);
        for (int i = 0; i < ConnectPlan.REFUSALS_ENOUGH; i++) {
            dial(plan);
            plan.refused(0, true);
        }
        assertThat(plan.missing(1, 1, 1)).isNull();
        assertThat(plan.missing(1, 0, 1)).isEqualTo(ConnectionType.BULK_IN);
        assertThat(plan.missing(1, 1, 0)).isEqualTo(ConnectionType.BULK_OUT);
    }

    /** Two failures, so that the next wait would be four times the first. */
    private static ConnectPlan failedTwice() {
        ConnectPlan plan = plan(1);
        dial(plan);
        plan.failed(0);
        dial(plan);
        plan.failed(0);
        return plan;
    }

    private static void assertWaitsShortest(ConnectPlan plan) {
        dial(plan);
        plan.failed(0);
        assertThat(plan.waitNanos(0)).isEqualTo(MIN);
    }

    @Test
    void failuresAreForgottenWithWhatMadeThem() {
        ConnectPlan plan = failedTwice();
        assertThat(plan.waitNanos(0)).isEqualTo(2 * MIN);
        assertThat(plan.hasFailed()).isTrue();
        plan.forgetFailures();
        assertThat(plan.hasFailed()).isFalse();
        assertThat(plan.waitNanos(0)).isZero();
        assertWaitsShortest(plan);

        ConnectPlan refused = failedTwice();
        dial(refused);
        refused.refused(0, false);
        refused.forgetFailures();
        assertThat(refused.waitNanos(0)).as("this was no failure").isEqualTo(MIN);
        assertWaitsShortest(refused);
    }

    @Test
    void failuresAreForgottenWhenThePeerCalls() {
        ConnectPlan plan = failedTwice();
        plan.acceptBegins();
        plan.acceptEnds(false);
        assertThat(plan.waitNanos(0)).isEqualTo(2 * MIN);
        plan.acceptBegins();
        plan.acceptEnds(true);
        assertThat(plan.waitNanos(0)).isZero();
        assertWaitsShortest(plan);
    }

    @Test
    void theWinnersConnectionEndsTheWait() {
        ConnectPlan plan = plan(1);
        dial(plan);
        plan.refused(0, false);
        plan.acceptBegins();
        assertThat(plan.mayDial(MIN)).as("waits while the peer is accepted").isFalse();
        plan.acceptEnds(true);
        assertThat(plan.mayDial(1)).isTrue();
    }

    @Test
    void retriesAtOnceOnlySoOften() {
        ConnectPlan plan = plan(1);
        for (int i = 0; i < ConnectPlan.QUICK_RETRIES; i++) {
            dial(plan);
            assertThat(plan.again()).isTrue();
            assertThat(plan.mayDial(0)).isTrue();
        }
        dial(plan);
        assertThat(plan.again()).isFalse();
    }

    @Test
    void whatHasNotBegunCanNotEnd() {
        ConnectPlan plan = plan(1);
        assertThatThrownBy(plan::connected)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("dialling is IDLE, which can not become IDLE");
        assertThatThrownBy(plan::begin).hasMessage("dialling is IDLE, which can not become CONNECTING");
        dial(plan);
        assertThatThrownBy(plan::begin).hasMessage("dialling is CONNECTING, which can not become CONNECTING");
        plan.failed(0);
        assertThatThrownBy(() -> plan.failed(0)).hasMessage("dialling is FAILED, which can not become FAILED");
    }
}
