package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.SlToVl;

/** Which switches matter for a change: four in a row, and a fifth beside the second of them. */
final class TransitionEntriesTest {
    private static final int UP = 2;
    private static final int DOWN = 3;
    private static final int ASIDE = 4;

    private static final String ROW = """
        Switch 4 "S-a"
        [1] "H-a"[1]
        [2] "S-b"[3]

        Switch 4 "S-b"
        [1] "H-b"[1]
        [2] "S-c"[3]
        [3] "S-a"[2]
        [4] "S-e"[3]

        Switch 4 "S-c"
        [1] "H-c"[1]
        [2] "S-d"[3]
        [3] "S-b"[2]

        Switch 4 "S-d"
        [1] "H-d"[1]
        [3] "S-c"[2]

        Switch 4 "S-e"
        [1] "H-e"[1]
        [3] "S-b"[4]

        Ca 1 "H-a"
        [1] "S-a"[1]

        Ca 1 "H-b"
        [1] "S-b"[1]

        Ca 1 "H-c"
        [1] "S-c"[1]

        Ca 1 "H-d"
        [1] "S-d"[1]

        Ca 1 "H-e"
        [1] "S-e"[1]
        """;

    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final int E = 4;

    private final Fabric fabric = FreshLids.assign(NetFile.parse(ROW).fabric(), Fabric.NONE);
    private final int toA = lid(A);
    private final byte[][] before = rows();
    private final byte[][] after = rows();

    private int lid(int sw) {
        return fabric.lid(fabric.peer(fabric.portIndex(sw, 1)));
    }

    private byte[][] rows() {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int to = A; to <= E; to++) {
            for (int sw = A; sw <= E; sw++) {
                int behindB = to == E ? ASIDE : to > B ? UP : DOWN;
                int along = sw == A || to != E && to > sw ? UP : DOWN;
                rows[sw][lid(to)] = (byte) (sw == to ? 1 : sw == B ? behindB : sw == E ? DOWN : along);
            }
        }
        return rows;
    }

    private TransitionEntries entries() {
        return new TransitionEntries(
                fabric,
                SmallNetwork.routing(before, PathSls.constant(0), SlToVl.uniform(0)),
                SmallNetwork.routing(after, PathSls.constant(0), SlToVl.uniform(0)));
    }

    /** Returns them with what is said of the way to the first switch. */
    private TransitionEntries ofA() {
        TransitionEntries entries = entries();
        entries.forEach(new int[] {toA}, _ -> {});
        return entries;
    }

    private static List<Integer> meeting(TransitionEntries entries) {
        return IntStream.range(0, entries.meeting())
                .map(entries::active)
                .sorted()
                .boxed()
                .toList();
    }

    private static List<Integer> active(TransitionEntries entries) {
        return IntStream.range(0, entries.activeCount())
                .map(entries::active)
                .sorted()
                .boxed()
                .toList();
    }

    @Test
    void thoseWhosePacketsMeetTheChangeAndThoseBehindThem() {
        after[C][toA] = (byte) ForwardingTables.NO_PATH;
        TransitionEntries entries = ofA();
        entries.activate(false);
        assertThat(meeting(entries)).containsExactly(C, D);
        assertThat(active(entries)).as("all but the one aside").containsExactly(A, B, C, D);
        assertThat(entries.next(0, C)).isEqualTo(B);
        assertThat(entries.next(1, C)).isEqualTo(TransitionEntries.NONE);
        assertThat(entries.next(0, A)).isEqualTo(TransitionEntries.ARRIVED);
        entries.activate(true);
        assertThat(meeting(entries)).containsExactly(A, B, C, D, E);
    }

    /** An entry for port 0 of another switch, for none that is there, or for none: all lead nowhere. */
    @Test
    void whatLeadsNowhereIsNoChange() {
        before[D][toA] = (byte) ForwardingTables.NO_PATH;
        after[D][toA] = 0;
        before[E][toA] = 5;
        after[E][toA] = UP;
        assertThat(ofA().changedCount()).isZero();
    }

    @Test
    void thoseWhosePacketsLeaveByAPortInOldOrNewTables() {
        before[B][toA] = UP;
        BitSet ports = new BitSet();
        ports.set(fabric.portIndex(B, UP));
        TransitionEntries entries = ofA();
        entries.activateTowards(new int[] {A, B, C, D, E}, ports);
        assertThat(meeting(entries)).as("by the old one").containsExactly(B, C, D, E);
        ports.clear();
        ports.set(fabric.portIndex(B, DOWN));
        entries.activateTowards(new int[] {A, B, C, D, E}, ports);
        assertThat(meeting(entries)).as("by the new one").containsExactly(B, C, D, E);
        ports.clear();
        ports.set(fabric.portIndex(B, ASIDE));
        entries.activateTowards(new int[] {B}, ports);
        assertThat(active(entries)).as("by none").isEmpty();
    }

    /** LIDs that are asked for again keep their entries, beside others that are read now. */
    @Test
    void eachLidHasItsOwnEntriesHoweverOftenItIsAskedFor() {
        after[C][toA] = UP;
        TransitionEntries entries = entries();
        int toD = lid(D);
        int toE = lid(E);
        List<Integer> seen = new ArrayList<>();
        for (int[] lids : new int[][] {{toA}, {toA, toD}, {toD, toE, toA}}) {
            entries.forEach(lids, lid -> {
                seen.add(lid);
                entries.activate(true);
                for (int sw = A; sw <= E; sw++) {
                    assertThat(entries.output(0, sw))
                            .as("old, %d at %d", lid, sw)
                            .isEqualTo(before[sw][lid]);
                    assertThat(entries.output(1, sw))
                            .as("new, %d at %d", lid, sw)
                            .isEqualTo(after[sw][lid]);
                }
            });
        }
        assertThat(seen).containsExactly(toA, toA, toD, toD, toE, toA);
    }

    @Test
    void aRoundIsHowManyChangeOnTheNewWay() {
        for (int sw : new int[] {B, C, D}) {
            before[sw][toA] = 1;
        }
        TransitionEntries entries = ofA();
        entries.activate(false);
        assertThat(entries.round(B)).isZero();
        assertThat(entries.round(C)).isEqualTo((byte) 1);
        assertThat(entries.round(D)).isEqualTo((byte) 2);
        assertThat(entries.round(E)).isEqualTo((byte) 1);
    }

    /** A ring has no end, but the count has. */
    @Test
    void aRoundInARingEnds() {
        after[B][toA] = UP;
        TransitionEntries entries = ofA();
        entries.activate(false);
        assertThat(entries.round(D)).isPositive();
    }
}
