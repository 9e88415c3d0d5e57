package org.railyard.fabric.proof;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;

/**
 * What is known of the ways through switches: from a port by which packets come to an output that is a channel of the
 * graph.
 *
 * <p>Which VL a packet leaves by follows from input, output and SL. So a packet that went one way through a switch and
 * wants an output of the next one makes a dependency that follows from that way, that output and its SL alone: for each
 * way and each output behind it one set of SLs says whose dependencies are in the graph. Inputs with the same SL to VL
 * table to an output are one way.
 *
 * <p>Ways are numbered when they are asked for: most fabrics use a small part of those there are.
 */
final class Ways {
    /** There is no such way, or too many for all to be kept: then it only takes longer. */
    static final int NOT_KEPT = -1;

    /** The way was not asked for yet. */
    static final int NOT_FOUND = 0;

    /** Most pairs of an input and an output and sets of SLs, together, that are kept of a large fabric. */
    static final int MOST = 1 << 26;

    private static final int NONE = -1;

    /**
     * A way that was asked for.
     *
     * @param table its SL to VL table
     * @param place in {@link #sets}
     * @param before another way to the same output
     */
    private record Way(long table, int place, @Nullable Way before) {}

    private final Fabric fabric;
    private final SlToVl slToVl;
    /** By port index: the outputs of the switch at the other end. */
    private final int[] outputsBehind;
    /** By port index: where the pairs of what comes by this port begin. */
    private final int[] base;
    /** By port index: which of the outputs of its switch it is. */
    private final int[] rank;
    /** By pair: the place of its way in {@link #sets}, {@link #NOT_KEPT} or {@link #NOT_FOUND}. */
    private final int[] place;

    /**
     * For each way the SLs that its table does not drop, then the set for each output behind it. For each channel in
     * use and each output behind it, the VLs there that it has an edge to.
     */
    private char[] sets = new char[1 << 12];

    private int setCount = 1;

    /** By port index of the output: the last way to it that was asked for first. */
    private final @Nullable Way[] lastWay;

    /** How many more pairs and sets may be kept. */
    private int left;

    /** By number of a channel: where its VLs begin in {@link #sets}; 0 = nothing is known of it. */
    private final int[] edges;

    /**
     * Makes one that knows nothing.
     *
     * @param farSwitch by port index the switch at the other end, negative if there is none
     * @param comes by port index, whether packets come to a switch by it
     * @param leaves by port index, whether it is an output of a switch and its channels are in the graph
     * @param most how many pairs of an input and an output and sets of SLs, together, may be kept
     */
    Ways(Fabric fabric, SlToVl slToVl, int[] farSwitch, boolean[] comes, boolean[] leaves, int most) {
        this.fabric = fabric;
        this.slToVl = slToVl;
        left = most;
        base = new int[fabric.portCount()];
        rank = new int[fabric.portCount()];
        lastWay = new Way[fabric.portCount()];
        outputsBehind = new int[fabric.portCount()];
        Arrays.fill(base, NOT_KEPT);
        Arrays.fill(rank, NONE);
        int[] outputs = new int[fabric.switchCount()];
        int pairs = 0;
        for (int sw = 0; sw < outputs.length; sw++) {
            int first = fabric.portIndex(sw, 0);
            int last = first + fabric.ports(sw);
            for (int port = first; port <= last; port++) {
                rank[port] = leaves[port] ? outputs[sw]++ : NONE;
            }
            for (int port = first; port <= last; port++) {
                if (comes[port] && outputs[sw] <= left) {
                    base[port] = pairs;
                    pairs += outputs[sw];
                    left -= outputs[sw];
                }
            }
        }
        for (int port = 0; port < outputsBehind.length; port++) {
            outputsBehind[port] = farSwitch[port] < 0 ? 0 : outputs[farSwitch[port]];
        }
        place = new int[pairs];
        edges = new int[fabric.portCount() * Channel.VLS];
    }

    /** Returns which of the outputs of its switch a port is, negative if its channels are not in the graph. */
    int rank(int port) {
        return rank[port];
    }

    /** Returns where the ways from a port begin by which packets come to a switch, or {@link #NOT_KEPT}. */
    int base(int in) {
        return in < 0 ? NOT_KEPT : base[in];
    }

    /**
     * Returns the place of a way, {@link #NOT_KEPT}, or {@link #NOT_FOUND}: then {@link #find} has to be asked.
     *
     * @param base where the ways from the port begin by which packets come
     * @param rank of the output
     */
    int place(int base, int rank) {
        return base < 0 || rank < 0 ? NOT_KEPT : place[base + rank];
    }

    /**
     * Finds a way that was not asked for yet.
     *
     * @param in port index of the port by which packets come
     * @param out port index of an output of the same switch
     * @return its place, or {@link #NOT_KEPT}
     */
    int find(int in, int out) {
        int sw = fabric.nodeOf(out);
        long table = slToVl.table(sw, fabric.portNumber(in), fabric.portNumber(out));
        Way way = lastWay[out];
        while (way != null && way.table != table) {
            way = way.before;
        }
        int found = way != null ? way.place : add(table, out);
        place[base[in] + rank[out]] = found;
        return found;
    }

    private int add(long table, int out) {
        int at = room(1 + outputsBehind[out]);
        if (at != NOT_KEPT) {
            sets[at] = (char) passing(table);
            lastWay[out] = new Way(table, at, lastWay[out]);
        }
        return at;
    }

    /** Returns where room for more sets begins, {@link #NOT_KEPT} if there is none. */
    private int room(int count) {
        if (count > left) {
            return NOT_KEPT;
        }
        left -= count;
        int at = setCount;
        setCount += count;
        if (setCount > sets.length) {
            sets = Arrays.copyOf(sets, Math.max(setCount, 2 * sets.length));
        }
        return at;
    }

    /**
     * Notes that an edge is in the graph.
     *
     * @param from number of a channel
     * @param rank which of the outputs behind it the other channel has
     * @param vl VL of the other channel
     * @return whether it was not known
     */
    boolean isNew(int from, int rank, int vl) {
        if (edges[from] == 0) {
            edges[from] = room(outputsBehind[Channel.portOf(from)]);
        }
        if (edges[from] == NOT_KEPT) {
            return true;
        }
        int at = edges[from] + rank;
        boolean isNew = (sets[at] >>> vl & 1) == 0;
        sets[at] |= (char) (1 << vl);
        return isNew;
    }

    /** Returns whether {@link #isNew} knows the edges of a channel that it was asked for. */
    boolean isKept(int from) {
        return edges[from] != NOT_KEPT;
    }

    /** Returns the SLs that a table does not drop, a bit for each. */
    static int passing(long table) {
        int sls = 0;
        for (int sl = 0; sl < Channel.VLS; sl++) {
            sls |= SlToVl.vl(table, sl) == SlToVl.DROP ? 0 : 1 << sl;
        }
        return sls;
    }

    /** Returns the SLs that the table of a way does not drop. */
    int passing(int place) {
        return sets[place];
    }

    /** Returns the SLs whose dependencies are in the graph, from a way to an output behind it. */
    int known(int place, int rank) {
        return sets[place + 1 + rank];
    }

    /** Notes that the dependencies of some SLs are in the graph. */
    void setKnown(int place, int rank, int sls) {
        sets[place + 1 + rank] |= (char) sls;
    }
}
