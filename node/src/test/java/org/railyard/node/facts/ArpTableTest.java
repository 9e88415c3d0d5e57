package org.railyard.node.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who answers at an address, as the kernel knows it. */
final class ArpTableTest {
    private static final List<String> LINES = List.of(
            "IP address       HW type     Flags       HW address            Mask     Device",
            "10.0.0.9         0x1         0x0         00:00:00:00:00:00     *        eth0",
            "10.0.0.2         0x1         0x2         7a:2c:cd:b7:7c:19     *        eth0",
            "10.0.0.3         0x1         0x0         00:00:00:00:00:00     *        eth0",
            "10.0.0.3         0x1         0x2         7a:2c:cd:b7:7c:20     *        eth1",
            "nonsense");

    @ParameterizedTest
    @CsvSource({"9, true", "2, false", "3, false", "4, false"})
    void whoWasAskedAndDidNotAnswer(byte last, boolean unanswered) {
        assertThat(ArpTable.isUnanswered(new byte[] {10, 0, 0, last}, LINES)).isEqualTo(unanswered);
    }

    @ParameterizedTest
    @CsvSource("16")
    void ofIpv6AddressesNothingIsKnown(int length) {
        assertThat(ArpTable.isUnanswered(new byte[length], LINES)).isFalse();
    }
}
