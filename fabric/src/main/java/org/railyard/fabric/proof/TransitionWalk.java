package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * The flows to one LID while switches change from the old entry to the new one: which ways packets can take, whether
 * they can go round, and which channels they hold one after the other. A packet meets the entries of each switch as it
 * passes; so a path may be old and new in turns, or, if switches are written nearest to the destination first, old at
 * its beginning and new from some switch on.
 */
final class TransitionWalk {
    private static final int NONE = -1;
    private static final int ARRIVED = -2;
    private static final int SLS = 16;
    private static final int WORDS = 4;
    private static final int LEVELS = 2;

    /** LIDs whose entries are read together. */
    private static final int BLOCK = 64;

    /** What hears of a dependency. */
    interface Edges {
        /** A packet of the flow can hold one channel and wait for the other. */
        void add(int from, int to, int sourceLid, int destinationLid, int sl);
    }

    /** How the entries of a LID are changed. */
    enum Mode {
        /** Switches in any order. */
        ANY_ORDER,
        /** Nearest to the destination first, by the new tables. */
        NEAREST_FIRST,
        /** Only old entries are in use: those that change are being emptied. */
        OLD_ONLY,
        /** Only new entries are in use: the others were emptied before. */
        NEW_ONLY
    }

    /** An end port that packets come from. */
    private record Source(int input, int lid, int endPort) {}

    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final int switches;
    private final int[] farSwitch;
    private final int[] farPort;
    private final int[] first;
    private final int[] lastPort;
    private final List<List<Source>> sources = new ArrayList<>();

    /** By layer, 0 old, 1 new, and switch: output port, switch behind it. */
    private final int[][] output;

    private final int[][] next;

    private final int[] waiting;
    private final int[] order;
    private final boolean[] meets;
    private final long[] pairs;
    private final char[] pairSource;

    TransitionWalk(Fabric fabric, Routing before, Routing after, CheckOptions options) {
        this.fabric = fabric;
        this.before = before;
        this.after = after;
        switches = fabric.switchCount();
        farSwitch = new int[fabric.portCount()];
        farPort = new int[fabric.portCount()];
        for (int port = 0; port < farSwitch.length; port++) {
            int peer = fabric.peer(port);
            boolean toSwitch = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
            farSwitch[port] = toSwitch ? fabric.nodeOf(peer) : NONE;
            farPort[port] = toSwitch ? fabric.portNumber(peer) : NONE;
        }
        first = new int[switches];
        lastPort = new int[switches];
        for (int sw = 0; sw < switches; sw++) {
            first[sw] = fabric.portIndex(sw, 0);
            lastPort[sw] = fabric.ports(sw);
            sources.add(new ArrayList<>());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (SourceGroups.isSource(fabric, port, options)) {
                sources.get(fabric.switchOf(port)).add(new Source(fabric.switchPortOf(port), fabric.lid(port), port));
            }
        }
        output = new int[2][switches];
        next = new int[2][switches];
        waiting = new int[2 * switches];
        order = new int[2 * switches];
        meets = new boolean[2 * switches];
        pairs = new long[2 * switches * WORDS];
        pairSource = new char[2 * switches << 8];
    }

    /** What is done with a LID whose entries were read. */
    interface ForLid {
        /** Does it; the walk is at this LID. */
        void at(int lid, boolean changes);
    }

    /** Reads the entries of LIDs, many at a time as they lie in memory, and does something with each. */
    void forEach(int[] lids, ForLid one) {
        byte[][] old = new byte[BLOCK][switches];
        byte[][] now = new byte[BLOCK][switches];
        for (int from = 0; from < lids.length; from += BLOCK) {
            before.forwarding().copyColumns(lids, from, old);
            after.forwarding().copyColumns(lids, from, now);
            for (int i = from; i < Math.min(lids.length, from + BLOCK); i++) {
                read(lids[i], 0, old[i - from]);
                read(lids[i], 1, now[i - from]);
                one.at(lids[i], !Arrays.equals(output[0], output[1]));
            }
        }
    }

    private void read(int lid, int layer, byte[] column) {
        int port = fabric.portOfLid(lid);
        // A LID that nobody has any more leads to nobody: its packets go as far as there are entries.
        int last = port == Fabric.NONE ? NONE : fabric.switchOf(port);
        int deliver = last == NONE ? NONE : fabric.switchPortOf(port);
        for (int sw = 0; sw < switches; sw++) {
            int out = column[sw] & 0xFF;
            boolean exists = out > 0 && out <= lastPort[sw];
            int to = sw == last && out == deliver ? ARRIVED : exists ? farSwitch[first[sw] + out] : NONE;
            // What leads nowhere is as good as no entry.
            output[layer][sw] = to == NONE ? NONE : out;
            next[layer][sw] = to;
        }
    }

    /** Returns whether the entry of a switch changes. */
    boolean differs(int sw) {
        return output[0][sw] != output[1][sw];
    }

    /** Returns the switches whose entry changes. */
    BitSet changing() {
        BitSet changing = new BitSet(switches);
        for (int sw = 0; sw < switches; sw++) {
            changing.set(sw, differs(sw));
        }
        return changing;
    }

    /**
     * For each switch that changes how many others on its new path have to be changed before it.
     *
     * @return by switch; 0 for those that do not change
     */
    byte[] rounds() {
        byte[] rounds = new byte[switches];
        for (int start = 0; start < switches; start++) {
            int round = 0;
            int at = next[1][start];
            for (int hops = 0; at >= 0 && hops < switches; hops++, at = next[1][at]) {
                round += differs(at) ? 1 : 0;
            }
            rounds[start] = (byte) (differs(start) ? Math.min(round, Byte.MAX_VALUE) : 0);
        }
        return rounds;
    }

    /** Puts the switches, twice each, in the order in which packets can pass them; false if they can go round. */
    boolean isOrderable(Mode mode) {
        Arrays.fill(waiting, 0);
        for (int layer = 0; layer < 2; layer++) {
            for (int sw = 0; sw < switches; sw++) {
                int to = uses(mode, layer) ? next[layer][sw] : NONE;
                for (int other = 0; other < 2 && to >= 0; other++) {
                    waiting[other * switches + to] += follows(mode, layer, other) ? 1 : 0;
                }
            }
        }
        int tail = 0;
        for (int at = 0; at < waiting.length; at++) {
            if (waiting[at] == 0) {
                order[tail++] = at;
            }
        }
        for (int head = 0; head < tail; head++) {
            int layer = order[head] / switches;
            int to = uses(mode, layer) ? next[layer][order[head] % switches] : NONE;
            for (int other = 0; other < 2 && to >= 0; other++) {
                int at = other * switches + to;
                if (follows(mode, layer, other) && --waiting[at] == 0) {
                    order[tail++] = at;
                }
            }
        }
        return tail == order.length;
    }

    private static boolean uses(Mode mode, int layer) {
        return switch (mode) {
            case ANY_ORDER, NEAREST_FIRST -> true;
            case OLD_ONLY -> layer == 0;
            case NEW_ONLY -> layer == 1;
        };
    }

    /** Whether a packet that was sent on by one layer may meet the other at the next switch. */
    private static boolean follows(Mode mode, int layer, int other) {
        return switch (mode) {
            case ANY_ORDER -> true;
            case NEAREST_FIRST -> layer == 0 || other == 1;
            case OLD_ONLY, NEW_ONLY -> layer == other && uses(mode, layer);
        };
    }

    /**
     * Tells the dependencies of flows to the LID that was read; {@link #isOrderable} has said yes for the mode just
     * before.
     *
     * <p>Packets have the SLs of old paths as well as those of new ones: whoever asked for a path goes on with it.
     *
     * @param all false: only of flows that may meet an entry that changes; the others are as in the new tables
     */
    void walk(int lid, Mode mode, boolean all, Edges edges) {
        Arrays.fill(pairs, 0);
        Arrays.fill(meets, all);
        for (int i = order.length - 1; i >= 0 && !all; i--) {
            int at = order[i];
            int layer = at / switches;
            int to = next[layer][at % switches];
            meets[at] = differs(at % switches)
                    || to >= 0
                            && (follows(mode, layer, 0) && meets[to]
                                    || follows(mode, layer, 1) && meets[switches + to]);
        }
        for (int at : order) {
            int layer = at / switches;
            int sw = at % switches;
            if (uses(mode, layer) && next[layer][sw] >= 0) {
                if (meets[at]) {
                    start(lid, sw, at, output[layer][sw]);
                }
                pass(lid, mode, layer, sw, at, edges);
            }
        }
    }

    private void start(int lid, int sw, int at, int out) {
        start(before.sls(), lid, sw, at, out);
        if (before.sls() != after.sls()) {
            start(after.sls(), lid, sw, at, out);
        }
    }

    private void start(PathSls sls, int lid, int sw, int at, int out) {
        int self = fabric.portOfLid(lid);
        for (Source source : sources.get(sw)) {
            for (int level = 0; level < Math.min(LEVELS, sls.levels()) && source.endPort != self; level++) {
                int sl = sls.sl(source.lid, lid, level << 3);
                if (sl != PathSls.NO_SL) {
                    put(at, sw, source.input, out, sl, source.lid);
                }
            }
        }
    }

    /** Adds what leaves by a port for what comes in by another: by the old VL, the new one, or both. */
    private void put(int at, int sw, int in, int out, int sl, int sourceLid) {
        int now = SlToVl.vl(after.slToVl().table(sw, in, out), sl);
        int was = SlToVl.vl(before.slToVl().table(sw, in, out), sl);
        put(at, now, sl, sourceLid);
        if (was != now) {
            put(at, was, sl, sourceLid);
        }
    }

    private void put(int at, int vl, int sl, int sourceLid) {
        if (vl != SlToVl.DROP) {
            int pair = vl * SLS + sl;
            pairs[at * WORDS + (pair >> 6)] |= 1L << pair;
            pairSource[at << 8 | pair] = (char) sourceLid;
        }
    }

    private void pass(int lid, Mode mode, int layer, int sw, int at, Edges edges) {
        int channelPort = first[sw] + output[layer][sw];
        int to = next[layer][sw];
        int in = farPort[channelPort];
        for (int word = 0; word < WORDS; word++) {
            for (long rest = pairs[at * WORDS + word]; rest != 0; rest &= rest - 1) {
                int pair = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                int from = Channel.number(channelPort, pair / SLS);
                int sl = pair % SLS;
                int source = pairSource[at << 8 | pair];
                for (int other = 0; other < 2; other++) {
                    if (follows(mode, layer, other) && next[other][to] >= 0) {
                        onward(lid, other, to, in, from, sl, source, edges);
                    }
                }
            }
        }
    }

    private void onward(int lid, int layer, int sw, int in, int from, int sl, int source, Edges edges) {
        int out = output[layer][sw];
        int at = layer * switches + sw;
        put(at, sw, in, out, sl, source);
        int now = SlToVl.vl(after.slToVl().table(sw, in, out), sl);
        int was = SlToVl.vl(before.slToVl().table(sw, in, out), sl);
        if (now != SlToVl.DROP) {
            edges.add(from, Channel.number(first[sw] + out, now), source, lid, sl);
        }
        if (was != now && was != SlToVl.DROP) {
            edges.add(from, Channel.number(first[sw] + out, was), source, lid, sl);
        }
    }
}
