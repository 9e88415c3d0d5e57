package org.railyard.fabric.proof;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/**
 * For each way through a switch, from a port by which packets come to a cable towards another switch, two numbers: that
 * of the SL to VL table, and that of the set of (VL, SL) whose dependencies are in the graph already.
 */
final class CablePairs {
    /** The way has no place here; nothing is remembered of it, which costs time only. */
    static final int NOT_KEPT = -1;

    /** Most ways. */
    private static final int MAX_PAIRS = 1 << 24;

    /** By port index: where the ways of what comes by this port begin. */
    private final int[] base;

    /** By port index: which of the cables of its switch is in it. */
    private final int[] rank;

    private final int[] knownSet;
    /** Plus 1; 0 = not asked for yet. */
    private final int[] table;

    /**
     * Makes one without any number.
     *
     * @param farPort by port index the port at the other end of a cable to a switch, else {@link Fabric#NONE}
     * @param comes by port index, whether packets come to a switch by it
     */
    CablePairs(Fabric fabric, int[] farPort, boolean[] comes) {
        base = new int[fabric.portCount()];
        rank = new int[fabric.portCount()];
        Arrays.fill(base, NOT_KEPT);
        Arrays.fill(rank, NOT_KEPT);
        int pairs = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int first = fabric.portIndex(sw, 0);
            int last = first + fabric.ports(sw);
            int cables = 0;
            for (int port = first; port <= last; port++) {
                rank[port] = farPort[port] == Fabric.NONE ? NOT_KEPT : cables++;
            }
            for (int port = first; port <= last; port++) {
                if (comes[port] && pairs + cables <= MAX_PAIRS) {
                    base[port] = pairs;
                    pairs += cables;
                }
            }
        }
        knownSet = new int[pairs];
        table = new int[pairs];
    }

    /** Returns the place of a way, by the port indices of its input and its output, or {@link #NOT_KEPT}. */
    int place(int in, int out) {
        return base[in] < 0 || rank[out] < 0 ? NOT_KEPT : base[in] + rank[out];
    }

    /** Returns the number of the table, −1 if it is not known yet. */
    int table(int place) {
        return table[place] - 1;
    }

    void setTable(int place, int number) {
        table[place] = number + 1;
    }

    int knownSet(int place) {
        return knownSet[place];
    }

    void setKnown(int place, int set) {
        knownSet[place] = set;
    }

    /** Forgets the sets. */
    void clearSets() {
        Arrays.fill(knownSet, PairSets.EMPTY);
    }
}
