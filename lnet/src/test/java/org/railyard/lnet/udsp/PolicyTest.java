package org.railyard.lnet.udsp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.UdspRule;

/** Whether messages are counted: only while a rule asks for it, or each message pays for what nobody wants. */
class PolicyTest {
    private final Policy policy = new Policy();

    private static UdspRule pair(String dst) {
        return UdspRule.of("tcp", dst, null);
    }

    @Test
    void messagesAreCountedOnlyWhileARuleWantsIt() {
        assertThat(policy.isCounting()).isFalse();
        policy.add(pair("10.0.0.1@tcp"), -1);
        assertThat(policy.isCounting()).as("a pair without a count").isFalse();
        policy.add(pair("10.0.0.2@tcp").withCount(3), -1);
        assertThat(policy.isCounting()).isTrue();
        policy.delete(1);
        assertThat(policy.isCounting()).isFalse();
        policy.add(pair("10.0.0.1@tcp").withCount(1), -1);
        assertThat(policy.isCounting()).as("the same parts, a count now").isTrue();
        policy.clear();
        assertThat(policy.isCounting()).isFalse();
    }
}
