package org.railyard.sm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.LinearForwardingTable;
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

    @Test
    void aBlockThatIsNotKnownLeadsNowhere() {
        HeldTables held = new HeldTables(8);
        LinearForwardingTable table = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            table.set(LinearForwardingTable.PORTS, i, i % 8);
        }
        held.linear(2, table);
        assertRows(held);
        assertThat(held.forward(2 * LinearForwardingTable.BLOCK + 5)).isEqualTo(5);
        held.forgetLinear(2);
        assertRows(held);
        assertThat(held.forward(2 * LinearForwardingTable.BLOCK + 5)).isEqualTo(LinearForwardingTable.NO_PATH);
    }

    /** Block by block the same is said as of each LID. */
    private static void assertRows(HeldTables held) {
        for (int block = 0; block < 4; block++) {
            byte[] row = new byte[LinearForwardingTable.BLOCK];
            held.copyLinear(block, row);
            for (int i = 0; i < row.length; i++) {
                assertThat(row[i] & 0xFF).isEqualTo(held.forward(block * row.length + i));
            }
        }
    }
}
