package org.railyard.fabric.proof;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
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

    /** LIDs whose entries are read together. */
    private static final int BLOCK = 64;

    /** Bytes of entries that are kept for the next time: those of some thousand LIDs and switches. */
    private static final int KEPT = 1 << 24;

    /** What is done with a LID whose entries were read. */
    interface ForLid {
        /** Does it; the entries are those of this LID. */
        void at(int lid);
    }

    /** The entries of one LID at all switches. */
    private record Columns(byte[] old, byte[] now) {}

    private final Fabric fabric;
    private final Routing before;
    private final Routing after;
    private final int switches;
    private final int[] farSwitch;
    private final int[] farPort;
    private final int[] first;
    private final int[] lastPort;

    /** By LID; null where they are not kept. */
    private final @Nullable Columns[] kept = new @Nullable Columns[Lids.MAX_UNICAST + 1];

    private int bytesLeft = KEPT;

    // The LID at hand.
    private byte[] old = new byte[0];
    private byte[] now = new byte[0];
    private int lastSwitch;
    private int deliver;
    private final int[] changed;
    private int changedCount;

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
        }
        changed = new int[switches];
        active = new int[switches];
        activeFor = new int[switches];
        output = new int[2][switches];
        next = new int[2][switches];
    }

    /** Reads the entries of LIDs, many at a time as they lie in memory, and does something with each. */
    void forEach(int[] lids, ForLid one) {
        for (int from = 0; from < lids.length; from += BLOCK) {
            int[] block = Arrays.copyOfRange(lids, from, Math.min(lids.length, from + BLOCK));
            Columns[] columns = columns(block);
            for (int i = 0; i < block.length; i++) {
                read(block[i], columns[i].old, columns[i].now);
                one.at(block[i]);
            }
        }
    }

    /** Returns the entries by place. Most LIDs are asked for several times, and to read them takes longest. */
    private Columns[] columns(int[] block) {
        int[] missing = Arrays.stream(block).filter(lid -> kept[lid] == null).toArray();
        byte[][] olds = new byte[missing.length][switches];
        byte[][] news = new byte[missing.length][switches];
        before.forwarding().copyColumns(missing, 0, olds);
        after.forwarding().copyColumns(missing, 0, news);
        Columns[] columns = new Columns[block.length];
        for (int i = 0, read = 0; i < block.length; i++) {
            Columns known = kept[block[i]];
            columns[i] = known != null ? known : new Columns(olds[read], news[read++]);
            if (known == null && bytesLeft >= 2 * switches) {
                bytesLeft -= 2 * switches;
                kept[block[i]] = columns[i];
            }
        }
        return columns;
    }

    private void read(int lid, byte[] oldColumn, byte[] newColumn) {
        old = oldColumn;
        now = newColumn;
        int port = fabric.portOfLid(lid);
        // A LID that nobody has any more leads to nobody: its packets go as far as there are entries.
        lastSwitch = port == Fabric.NONE ? NONE : fabric.switchOf(port);
        deliver = lastSwitch == NONE ? NONE : fabric.switchPortOf(port);
        changedCount = 0;
        for (int sw = mismatch(0); sw < switches; sw = mismatch(sw + 1)) {
            if (output(sw, old[sw]) != output(sw, now[sw])) {
                changed[changedCount++] = sw;
            }
        }
    }

    private int mismatch(int from) {
        int at = Arrays.mismatch(old, from, switches, now, from, switches);
        return at < 0 ? switches : from + at;
    }

    /** Returns the port of an entry; what leads nowhere is as good as no entry. */
    private int output(int sw, byte entry) {
        return behind(sw, entry) == NONE ? NONE : entry & 0xFF;
    }

    /** Returns the switch that an entry leads to. */
    private int behind(int sw, byte entry) {
        int out = entry & 0xFF;
        if (sw == lastSwitch && out == deliver) {
            return ARRIVED;
        }
        return out <= lastPort[sw] ? farSwitch[first[sw] + out] : NONE;
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
            if (leavesBy(ports, sw, old[sw]) || leavesBy(ports, sw, now[sw])) {
                add(sw);
            }
        }
        addWays();
    }

    private boolean leavesBy(BitSet ports, int sw, byte entry) {
        int out = output(sw, entry);
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
                byte by = (byte) farPort[port];
                if (old[from] == by || now[from] == by) {
                    add(from);
                }
            }
        }
    }

    private void add(int sw) {
        activeFor[sw] = turn;
        active[activeCount++] = sw;
        next[0][sw] = behind(sw, old[sw]);
        next[1][sw] = behind(sw, now[sw]);
        output[0][sw] = next[0][sw] == NONE ? NONE : old[sw] & 0xFF;
        output[1][sw] = next[1][sw] == NONE ? NONE : now[sw] & 0xFF;
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
