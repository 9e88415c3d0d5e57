package org.railyard.fabric.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingTablesTest {
    private static final byte NONE = (byte) ForwardingTables.NO_PATH;

    private final ForwardingTables tables = new ForwardingTables(new byte[][] {{NONE, 1, 2, 3, 4}, {}});

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 9})
    void copiesWhatItSaysOfLidsInARow(int first) {
        for (int sw = 0; sw < tables.switches(); sw++) {
            byte[] ports = new byte[3];
            tables.copyPorts(sw, first, ports);
            for (int i = 0; i < ports.length; i++) {
                assertThat(ports[i] & 0xFF).isEqualTo(tables.port(sw, first + i));
            }
        }
    }

    @Test
    void beyondARowThereIsNoPath() {
        byte[] ports = new byte[3];
        tables.copyPorts(0, 3, ports);
        assertThat(ports).containsExactly(3, 4, NONE);
    }
}
