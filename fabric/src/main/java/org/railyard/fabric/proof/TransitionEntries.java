package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;

/**
 * What switches say of one LID, in old tables (layer 0) and new ones (layer 1), and the switches that matter for it:
 * mostly those whose entry changes, those whose packets may meet such an entry, and those that these packets pass
 * afterwards. A lost cable changes the entries of a few switches of a large fabric; the others are not looked at.
 *
 * <p>For one LID after the other; not thread safe.
 */
final class TransitionEntries {
    /** The entry leads nowhere. */
    static final int NONE = -1;

    /** The entry leads to the port that has the LID. */
    static final int ARRIVED = -2;

    /** LIDs whose entries are compared together, as they lie in memory. */
    private static final int BLOCK = 64;

    /** What is done with a LID whose entries were read. */
    interface ForLid {
        /** Does it; the entries are those of this LID. */
        void at(int lid);
    }

    private final Fabric fabric;
    private final ForwardingTables before;
    private final ForwardingTables after;
    private final int switches;
    private final int[] farSwitch;
    private final int[] farPort;
    private final int[] first;
    private final int[] lastPort;

    // The block at hand: by LID how many switches have another entry, and which these are.
    private final int[] changedCounts = new int[BLOCK];
    private final int[] @Nullable [] changedIn = new int[BLOCK][];

    // The LID at hand.
    private int lid;
    private int lastSwitch;
    private int deliver;
    private int changedCount;
    private int[] changed = new int[0];

    // Switches that matter for it; what is said of others is of an earlier LID.
    private final int[] active;
    private int activeCount;
    private int meeting;
    private final int[] activeFor;
    private int turn;
    private final int[][] output;
    private final int[][] next;

    TransitionEntries(Fabric fabric, Routing before, Routing after) {
        this.fabric = fabric;
        this.before = before.forwarding();
        this.after = after.forwarding();
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
        }
        active = new int[switches];
        activeFor = new int[switches];
        output = new int[2][switches];
        next = new int[2][switches];
    }

    /** Finds the entries of LIDs that change, of many at a time, and does something with each LID. */
    void forEach(int[] lids, ForLid one) {
        int block = NONE;
        for (int each : lids) {
            if (each / BLOCK != block) {
                block = each / BLOCK;
                compare(block * BLOCK);
            }
            read(each);
            one.at(each);
        }
    }

    private void compare(int from) {
        Arrays.fill(changedCounts, 0);
        for (int sw = 0; sw < switches; sw++) {
            int at = before.firstDifference(after, sw, from, from + BLOCK);
            for (; at >= 0; at = before.firstDifference(after, sw, at + 1, from + BLOCK)) {
                noteUnlike(at - from, sw);
            }
        }
    }

    private void noteUnlike(int place, int sw) {
        int[] places = changedIn[place];
        if (places == null) {
            places = new int[switches];
            changedIn[place] = places;
        }
        places[changedCounts[place]++] = sw;
    }

    private void read(int ofLid) {
        lid = ofLid;
        int port = fabric.portOfLid(lid);
        // A LID that nobody has any more leads to nobody: its packets go as far as there are entries.
        lastSwitch = port == Fabric.NONE ? NONE : fabric.switchOf(port);
        deliver = lastSwitch == NONE ? NONE : fabric.switchPortOf(port);
        changed = Objects.requireNonNullElse(changedIn[lid % BLOCK], changed);
        int unlike = changedCounts[lid % BLOCK];
        changedCount = 0;
        for (int i = 0; i < unlike; i++) {
            int sw = changed[i];
            if (portOf(sw, before.port(sw, lid)) != portOf(sw, after.port(sw, lid))) {
                changed[changedCount++] = sw;
            }
        }
    }

    /** Returns the port of an entry: what leads nowhere is as good as no entry. */
    private int portOf(int sw, int entry) {
        return behind(sw, entry) == NONE ? NONE : entry;
    }

    /** Returns the switch that an entry leads to. */
    private int behind(int sw, int entry) {
        if (sw == lastSwitch && entry == deliver) {
            return ARRIVED;
        }
        return entry <= lastPort[sw] ? farSwitch[first[sw] + entry] : NONE;
    }

    /** Returns how many switches have another entry. */
    int changedCount() {
        return changedCount;
    }

    /** Returns one of them, the {@code i}th in ascending order. */
    int changed(int i) {
        return changed[i];
    }

    /** Returns the switches that have another entry. */
    BitSet changing() {
        BitSet changing = new BitSet(switches);
        for (int i = 0; i < changedCount; i++) {
            changing.set(changed[i]);
        }
        return changing;
    }

    /**
     * Finds the switches that matter. A way round that no changed entry takes part in is not found unless all are
     * asked for: it is in the new tables as well as in the old ones.
     *
     * @param all false: only those that a packet can pass that meets an entry that changes
     */
    void activate(boolean all) {
        turn++;
        activeCount = 0;
        if (all) {
            for (int sw = 0; sw < switches; sw++) {
                add(sw);
            }
            meeting = activeCount;
            return;
        }
        for (int i = 0; i < changedCount; i++) {
            add(changed[i]);
        }
        addWays();
    }

    /**
     * Finds the switches that matter to those who only want to know which packets leave by some ports: those of such
     * packets, and where these packets may go afterwards. The first ones count as meeting a change.
     *
     * @param senders the switches of the ports
     * @param ports port indices
     */
    void activateTowards(int[] senders, BitSet ports) {
        turn++;
        activeCount = 0;
        for (int sw : senders) {
            if (leavesBy(ports, sw, before.port(sw, lid)) || leavesBy(ports, sw, after.port(sw, lid))) {
                add(sw);
            }
        }
        addWays();
    }

    private boolean leavesBy(BitSet ports, int sw, int entry) {
        int out = portOf(sw, entry);
        return out != NONE && ports.get(first[sw] + out);
    }

    /** Adds all switches before those that are there, then all behind them. */
    private void addWays() {
        for (int head = 0; head < activeCount; head++) {
            addSenders(active[head]);
        }
        meeting = activeCount;
        for (int head = 0; head < activeCount; head++) {
            for (int[] layer : next) {
                int to = layer[active[head]];
                if (to >= 0 && activeFor[to] != turn) {
                    add(to);
                }
            }
        }
    }

    private void addSenders(int sw) {
        for (int port = first[sw] + 1; port <= first[sw] + lastPort[sw]; port++) {
            int from = farSwitch[port];
            if (from >= 0 && activeFor[from] != turn) {
                if (before.port(from, lid) == farPort[port] || after.port(from, lid) == farPort[port]) {
                    add(from);
                }
            }
        }
    }

    private void add(int sw) {
        activeFor[sw] = turn;
        active[activeCount++] = sw;
        add(0, sw, before.port(sw, lid));
        add(1, sw, after.port(sw, lid));
    }

    private void add(int layer, int sw, int entry) {
        next[layer][sw] = behind(sw, entry);
        output[layer][sw] = next[layer][sw] == NONE ? NONE : entry;
    }

    /** Returns how many switches matter. */
    int activeCount() {
        return activeCount;
    }

    /** Returns one of them; those whose packets may meet a change, or simply all if all were asked for, come first. */
    int active(int i) {
        return active[i];
    }

    /** Returns how many of them have packets that may meet a change. */
    int meeting() {
        return meeting;
    }

    /** Returns the switch that an entry leads to, {@link #ARRIVED} or {@link #NONE}; of a switch that matters. */
    int next(int layer, int sw) {
        return next[layer][sw];
    }

    /** Returns the port of a layer's entry, {@link #NONE} if it leads nowhere; of a switch that matters. */
    int output(int layer, int sw) {
        return output[layer][sw];
    }

    /** Returns the port index of a layer's entry; of a switch that matters and an entry that leads somewhere. */
    int outputIndex(int layer, int sw) {
        return first[sw] + output[layer][sw];
    }

    /** Returns the port by which packets arrive behind the port with this index. */
    int arrivesBy(int portIndex) {
        return farPort[portIndex];
    }

    /** Returns whether the entry of a switch that matters changes. */
    boolean differs(int sw) {
        return output[0][sw] != output[1][sw];
    }

    /**
     * Returns how many other switches on the new way from a switch that matters change, at most
     * {@link Byte#MAX_VALUE}: they have to be written before it if those nearest to the destination come first.
     */
    byte round(int sw) {
        int round = 0;
        int at = next[1][sw];
        for (int hops = 0; at >= 0 && hops < switches; hops++, at = next[1][at]) {
            round += differs(at) ? 1 : 0;
        }
        return (byte) Math.min(round, Byte.MAX_VALUE);
    }
}
