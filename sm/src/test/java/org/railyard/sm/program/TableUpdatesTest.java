package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.wire.Mad;

/** Which blocks of tables are written (spec 41 §5). */
class TableUpdatesTest {
    private static final int HOST = Ring.SWITCHES + 1;
    private static final int BLUE = 0x8010;
    private static final int FIRST = Modifiers.vlArbitration(Modifiers.LOW_FIRST, 0);
    private static final int SECOND = Modifiers.vlArbitration(Modifiers.LOW_SECOND, 0);

    private final Ring ring = new Ring();

    private TableUpdates updates() {
        return new TableUpdates(ring.desired());
    }

    private void has(int node, int port, UnaryOperator<PortInfo> change) {
        PortInfo said = Objects.requireNonNull(ring.nodes.get(node).port(port));
        ring.nodes.get(node).port(port, change.apply(said));
    }

    private static List<Integer> modifiers(List<Update> sets) {
        return sets.stream().map(set -> set.mad().modifier()).toList();
    }

    // P_Keys.

    /** Its switch did not take the keys and goes on to enforce others: with a new key it would only lose packets. */
    @ParameterizedTest
    @CsvSource({"0, 0, true", "1, 0, false", "0, 1, false", "1, 1, false"})
    void aHostGetsNoKeysThatItsSwitchKeepsOut(int in, int out, boolean gets) {
        ring.keys = (fabric, port) -> List.of(PKeyTable.DEFAULT_KEY, BLUE);
        ring.enforcement = PartitionEnforcement.BOTH;
        has(1, Ring.HOST, said -> said.set(PortInfo.ENFORCEMENT_IN, in).set(PortInfo.ENFORCEMENT_OUT, out));
        boolean got = Ring.nodes(Ring.run(updates().pKeys())).contains("H-1");
        assertThat(got).isEqualTo(gets);
        Ring.run(updates().switchKeys());
        Ring.run(updates().pKeys());
        PKeyTable keys = Objects.requireNonNull(ring.nodes.get(HOST).held().keys(1, 0));
        assertThat(keys.getInt(PKeyTable.KEYS, 1)).isEqualTo(BLUE);
    }

    @Test
    void keysWithoutAnAnswerAreWrittenAgain() {
        List<Update> sets = Ring.run(updates().pKeys());
        assertThat(updates().pKeys()).isExhausted();
        sets.getLast().unsure().run();
        assertThat(Ring.nodes(Ring.run(updates().pKeys()))).containsExactly("H-2");
    }

    // SL to VL.

    @Test
    void onlyPortsThatAreNotDownHaveSlsMapped() {
        List<Update> sets = Ring.run(updates().slToVl());
        List<Integer> expected = new ArrayList<>();
        for (int in : new int[] {0, Ring.NEXT, Ring.HOST, Ring.BACK}) {
            for (int out : new int[] {Ring.NEXT, Ring.HOST, Ring.BACK}) {
                expected.add(Modifiers.slToVl(in, out));
            }
        }
        assertThat(sets)
                .filteredOn(set -> set.node().name().equals("S-1"))
                .extracting(set -> set.mad().modifier())
                .containsExactlyElementsOf(expected);
        assertThat(sets)
                .filteredOn(set -> set.node().name().equals("H-1"))
                .extracting(set -> set.mad().modifier())
                .containsExactly(0);
    }

    /** Packets go to it by VLs as well. */
    @Test
    void anEnhancedPort0IsAnOutputToo() {
        assertThat(Ring.run(updates().slToVl()))
                .filteredOn(set -> set.node().name().equals("S-0"))
                .extracting(set -> set.mad().modifier())
                .hasSize(16)
                .contains(Modifiers.slToVl(Ring.BACK, 0));
    }

    // VL arbitration.

    private List<Integer> arbitrationOfHost(int entries, int capacity) {
        List<VlArbTable.Entry> weights = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            weights.add(new VlArbTable.Entry(i % 4, 1));
        }
        ring.weights = new VlArbTable(weights);
        has(HOST, 1, said -> said.set(PortInfo.VL_ARB_LOW_CAP, capacity));
        return modifiers(Ring.run(updates().arbitration()).stream()
                .filter(set -> set.node().name().equals("H-1"))
                .toList());
    }

    @ParameterizedTest
    @CsvSource({"8, 0, 0", "8, 8, 1", "64, 32, 1", "64, 33, 2", "8, 64, 2", "0, 64, 0"})
    void blocksOfWeightsAreThoseThatThePortHas(int entries, int capacity, int blocks) {
        assertThat(arbitrationOfHost(entries, capacity))
                .isEqualTo(List.of(FIRST, SECOND).subList(0, blocks));
    }

    @Test
    void aPortWithOneVlHasNothingToWeigh() {
        has(HOST, 1, said -> said.set(PortInfo.VL_CAP, 1));
        assertThat(arbitrationOfHost(8, 8)).isEmpty();
        has(HOST, 1, said -> said.set(PortInfo.VL_CAP, 2));
        assertThat(arbitrationOfHost(8, 8)).containsExactly(FIRST);
    }

    @Test
    void weightsThatArePerhapsNotThereAreWrittenAgain() {
        arbitrationOfHost(8, 8);
        assertThat(updates().arbitration()).isExhausted();
        ring.nodes.get(HOST).held().forgetArbitration(1, Modifiers.LOW_FIRST);
        Update set = updates().arbitration().next();
        assertThat(set.taken().test(set.mad())).isTrue();
        Mad other = set.mad().copy().setData(VlArbitrationTable.TYPE, VlArbitrationTable.TYPE.create());
        assertThat(set.taken().test(other)).isFalse();
        set.accepted().accept(set.mad());
        assertThat(updates().arbitration()).isExhausted();
        set.unsure().run();
        assertThat(Ring.nodes(Ring.run(updates().arbitration()))).containsExactly("H-1");
    }

    // Forwarding tables.

    /** Somebody wrote it: with a higher top it would come to life. */
    @Test
    void blocksAboveAllLidsAreEmptiedWhereTheyAreKnown() {
        ring.known();
        ring.nodes.get(2).held().linear(4, LinearForwardingTable.TYPE.create());
        List<Update> sets = Ring.run(updates()
                .linear(
                        _ -> true,
                        (sw, block, row) ->
                                ring.desired().routing().forwarding().copyPorts(sw, block * row.length, row)));
        assertThat(Ring.nodes(sets)).containsExactly("S-2");
        assertThat(modifiers(sets)).containsExactly(4);
        assertThat(ring.entries(4 * 64 + 1)).containsOnly(Ring.NO_PATH);
    }

    @Test
    void anAnswerWithOtherMasksWasNotTaken() {
        ring.known();
        Ring.run(updates().multicast(_ -> true, TableUpdates.Masks.ALL));
        ring.multicast = PhasePlanTest.group();
        Update set = updates().multicast(_ -> true, TableUpdates.Masks.ALL).next();
        assertThat(set.taken().test(set.mad())).isTrue();
        Mad other = set.mad().copy();
        other.bytes()[Mad.SMP_DATA + 1] ^= 1;
        assertThat(set.taken().test(other)).isFalse();
    }

    /** More switches than are written at a time, and not a multiple of that. */
    @Test
    void eachBlockOfEachSwitchIsWrittenOnce() {
        FabricBuilder builder = new FabricBuilder();
        for (int sw = 0; sw < 150; sw++) {
            builder.node(NodeType.SWITCH, 0x100 + sw, 2, "S-" + sw).port(0).lid(1 + sw, 0);
        }
        Ring many = new Ring(builder.build());
        List<Update> sets = Ring.run(new TableUpdates(many.desired()).linear(sw -> sw != 3, (sw, block, row) -> {}));
        assertThat(sets.stream()
                        .map(set -> set.node().name() + " " + set.mad().modifier())
                        .distinct())
                .hasSize(149 * 3)
                .hasSameSizeAs(sets);
        assertThat(Ring.nodes(sets)).doesNotContain("S-3");
        // Of the first switches all is written before anything of the next ones.
        assertThat(Ring.nodes(sets.subList(0, 64 * 3))).doesNotContain("S-65");
    }
}
