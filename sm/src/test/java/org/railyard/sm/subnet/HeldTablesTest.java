package org.railyard.sm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.model.PortGuids;

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
        held.linear(0, table);
        assertRows(held);
        assertThat(held.forward(2 * LinearForwardingTable.BLOCK + 5)).isEqualTo(5);
        held.forgetLinear(2);
        assertRows(held);
        assertThat(held.forward(2 * LinearForwardingTable.BLOCK + 5)).isEqualTo(LinearForwardingTable.NO_PATH);
    }

    /** What is left of it would be taken for what a node holds that was switched off. */
    @Test
    void nothingIsKnownOfWhatIsForgotten() {
        HeldTables held = new HeldTables(36);
        held.linear(0, LinearForwardingTable.TYPE.create());
        held.noteSlToVl(1, 2, 3);
        held.arbitration(36, Modifiers.HIGH_FIRST, VlArbitrationTable.TYPE.create());
        held.multicast(2, 1, MulticastForwardingTable.TYPE.create());
        held.keys(36, 1, PKeyTable.TYPE.create());
        PortGuids guids = new PortGuids(1, 1, Collections.nCopies(PortGuids.BLOCK, 5L), 1);
        held.guids(36, guids, GuidInfo.TYPE.create());
        held.ignores(36, PortInfo.OPERATIONAL_VLS);
        held.forget();
        assertThat(held.forwardsUnknown()).isTrue();
        assertThat(held.knowsSlToVl(1, 2)).isFalse();
        assertThat(held.arbitration(36, Modifiers.HIGH_FIRST)).isNull();
        assertThat(held.multicastBlocks()).isZero();
        assertThat(held.keys(36, 1)).isNull();
        assertThat(held.guids(36, 1)).isNull();
        assertThat(held.isIgnored(36, PortInfo.OPERATIONAL_VLS)).isFalse();
    }

    @Test
    void ofTheMftABlockOfSomePortsIsForgotten() {
        HeldTables held = new HeldTables(36);
        for (int block = 0; block < 3; block++) {
            for (int position = 0; position < 3; position++) {
                held.multicast(position, block, MulticastForwardingTable.TYPE.create());
            }
        }
        held.forgetMulticast(2, 1);
        assertThat(held.multicast(2, 1)).isNull();
        assertThat(held.multicast(1, 1)).isNotNull();
        assertThat(held.multicast(1, 2)).isNotNull();
        assertThat(held.multicastBlocks()).isEqualTo(3);
    }

    @Test
    void keysAreThoseOfAllBlocks() {
        HeldTables held = new HeldTables(1);
        held.keys(1, 0, PKeyTable.TYPE.create().set(PKeyTable.KEYS, 0, 0xFFFF));
        held.keys(1, 1, PKeyTable.TYPE.create().set(PKeyTable.KEYS, 2, 0x8010));
        held.keys(1, 3, PKeyTable.TYPE.create());
        assertThat(held.keys(1))
                .as("as far as no block is missing")
                .hasSize(2 * PKeyTable.BLOCK)
                .startsWith(0xFFFF, 0)
                .endsWith(0, 0)
                .containsOnlyOnce(0x8010)
                .element(PKeyTable.BLOCK + 2)
                .isEqualTo(0x8010);
    }

    @Test
    void whatAPortDoesNotTakeIsToldOnceUntilItIsAskedAgain() {
        HeldTables held = new HeldTables(1);
        HeldTables.Ignored vls = new HeldTables.Ignored(1, PortInfo.OPERATIONAL_VLS);
        for (int i = 0; i < 2; i++) {
            held.ignores(1, PortInfo.OPERATIONAL_VLS);
            assertThat(held.newlyIgnored()).containsExactly(vls);
            held.ignores(1, PortInfo.OPERATIONAL_VLS);
            assertThat(held.newlyIgnored()).isEmpty();
            assertThat(held.isIgnored(1, PortInfo.OPERATIONAL_VLS)).isTrue();
            assertThat(held.isIgnored(1, PortInfo.VL_HIGH_LIMIT)).isFalse();
            held.askAgain();
            assertThat(held.isIgnored(1, PortInfo.OPERATIONAL_VLS)).isFalse();
        }
    }

    /** Block by block, and of all LIDs at once, the same is said as of each LID. */
    private static void assertRows(HeldTables held) {
        for (int block = 0; block < 4; block++) {
            byte[] row = new byte[LinearForwardingTable.BLOCK];
            held.copyLinear(block, row);
            assertRow(held, block * row.length, row);
        }
        for (int lids : new int[] {1, 100, 128, 130, 191, 192, 300}) {
            byte[] row = new byte[lids];
            held.copyLinear(row);
            assertRow(held, 0, row);
        }
    }

    private static void assertRow(HeldTables held, int first, byte[] row) {
        for (int i = 0; i < row.length; i++) {
            assertThat(row[i] & 0xFF).isEqualTo(held.forward(first + i));
        }
    }
}
