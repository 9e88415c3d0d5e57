package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Module parameters that a node takes. */
final class ParameterNamesTest {
    @Test
    void ofWhichSomeHaveNoEffect() {
        assertThat(ParameterNames.isWithoutEffect("router_sensitivity_percentage"))
                .isTrue();
        assertThat(ParameterNames.isWithoutEffect("lnet_recovery_interval"))
                .as("the pause between recovery pings without back-off")
                .isFalse();
    }
}
