package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** Node-wide settings on the command line of a node. */
final class StartSettingsTest {
    private static Map<String, String> of(String first, String second) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String each : new String[] {first, second}) {
            int equals = each.indexOf('=');
            parameters.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return parameters;
    }

    @ParameterizedTest
    @CsvSource({
        "lnet_transaction_timeout=2, lnet_retry_count=1",
        "lnet_transaction_timeout=300, lnet_retry_count=200",
        "lnet_transaction_timeout=300, resend_interval=200000",
        "lnet_transaction_timeout=2, lnet_health_sensitivity=0",
    })
    void whatGoesTogetherDoesSoInAnyOrder(String one, String other) {
        assertThat(StartSettings.of(of(one, other)))
                .isEqualTo(StartSettings.of(of(other, one)))
                .isNotEqualTo(Settings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "lnet_transaction_timeout=2, lnet_retry_count=2, transaction_timeout of 2 s",
        "lnet_health_sensitivity=0, lnet_retry_count=3, while health_sensitivity is 0",
    })
    void whatDoesNotIsRefusedInAnyOrder(String one, String other, String why) {
        assertThatThrownBy(() -> StartSettings.of(of(one, other))).hasMessageContaining(why);
        assertThatThrownBy(() -> StartSettings.of(of(other, one))).hasMessageContaining(why);
    }

    @Test
    void withoutHealthNothingIsSentAgain() {
        assertThat(StartSettings.of(Map.of("lnet_health_sensitivity", "0")).get(Tunable.RETRY_COUNT))
                .isZero();
    }
}
