package org.railyard.sm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.discover.FabricDiscovery;

class HeldTablesTest {
    @Test
    void nodesThatAreOnlyClaimedTakeLittle() {
        List<HeldTables> all = new ArrayList<>();
        for (int i = 0; i < FabricDiscovery.MAX_NODES; i++) {
            all.add(new HeldTables(Fabric.MAX_PORTS));
        }
        assertThat(all).allMatch(HeldTables::forwardsUnknown);
    }

    @Test
    void keepsTheTablesOfAllPairsOfPorts() {
        HeldTables held = new HeldTables(36);
        for (int in = 0; in <= 36; in++) {
            for (int out = 36; out >= 0; out--) {
                assertThat(held.slToVl(in, out, -1)).isEqualTo(-1);
                held.noteSlToVl(in, out, 100L * in + out);
            }
        }
        for (int in = 0; in <= 36; in++) {
            for (int out = 0; out <= 36; out++) {
                assertThat(held.hasSlToVl(in, out, 100L * in + out)).isTrue();
            }
        }
    }
}
