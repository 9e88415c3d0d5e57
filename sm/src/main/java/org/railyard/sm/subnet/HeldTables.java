package org.railyard.sm.subnet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.sm.model.PortGuids;

/**
 * The tables that a node is known to hold, because it acknowledged them or was asked: only what differs is written
 * (spec 41 §5). Nothing is known of a node that is new, came back, or lost its LID. For one thread.
 */
public final class HeldTables {
    private final int ports;
    private byte[] linear = new byte[0];
    private final BitSet linearKnown = new BitSet();

    /** Blocks of the LFT that are likely to be noted. */
    private int linearExpected;

    /** Of as many tables as were noted: what claims many ports may have none of them. */
    private long[] slToVl = new long[0];

    private final BitSet slToVlKnown = new BitSet();
    private final List<Ignored> untold = new ArrayList<>(0);
    private final Map<Integer, VlArbitrationTable> arbitration = new TreeMap<>();
    private final Map<Integer, MulticastForwardingTable> multicast = new TreeMap<>();
    private final Map<Integer, PKeyTable> keys = new TreeMap<>();
    private final Map<Integer, Guids> guids = new TreeMap<>();
    private final Map<Integer, List<BitField>> ignored = new TreeMap<>();

    /** Makes those of a node with ports 0 to {@code lastPort}, of which nothing is known. */
    public HeldTables(int lastPort) {
        this.ports = lastPort + 1;
    }

    /** Forgets everything: the node may have been switched off. */
    public void forget() {
        linear = new byte[0];
        linearKnown.clear();
        slToVlKnown.clear();
        arbitration.clear();
        multicast.clear();
        keys.clear();
        guids.clear();
        ignored.clear();
    }

    /** What a port was asked to have, and what it said that it has. */
    private record Guids(PortGuids wanted, GuidInfo said) {}

    /** Returns whether nothing of the LFT is known: nobody can tell where packets would go. */
    public boolean forwardsUnknown() {
        return linearKnown.isEmpty();
    }

    /** Returns whether a block of the LFT is known. */
    public boolean knowsLinear(int block) {
        return linearKnown.get(block);
    }

    /** Returns the port of a LID in the LFT, {@link LinearForwardingTable#NO_PATH} if it is not known. */
    public int forward(int lid) {
        return linearKnown.get(lid / LinearForwardingTable.BLOCK) ? linear[lid] & 0xFF : LinearForwardingTable.NO_PATH;
    }

    /** Returns whether a block of the LFT is known to be this one. */
    public boolean hasLinear(int block, byte[] row) {
        int first = block * LinearForwardingTable.BLOCK;
        int end = first + LinearForwardingTable.BLOCK;
        return linearKnown.get(block) && Arrays.equals(linear, first, end, row, 0, row.length);
    }

    /** Returns one more than the last block of the LFT that is known. */
    public int linearBlocks() {
        return linearKnown.length();
    }

    /** Puts what {@link #forward} says into a row, by LID. */
    public void copyLinear(byte[] row) {
        int known = Math.min(row.length, linear.length);
        System.arraycopy(linear, 0, row, 0, known);
        Arrays.fill(row, known, row.length, (byte) LinearForwardingTable.NO_PATH);
        int blocks = (known + LinearForwardingTable.BLOCK - 1) / LinearForwardingTable.BLOCK;
        for (int block = linearKnown.nextClearBit(0); block < blocks; block = linearKnown.nextClearBit(block + 1)) {
            int first = block * LinearForwardingTable.BLOCK;
            int end = Math.min(first + LinearForwardingTable.BLOCK, row.length);
            Arrays.fill(row, first, end, (byte) LinearForwardingTable.NO_PATH);
        }
    }

    /** Puts what {@link #forward} says of the LIDs of a block into a row of as many. */
    public void copyLinear(int block, byte[] row) {
        if (linearKnown.get(block)) {
            System.arraycopy(linear, block * LinearForwardingTable.BLOCK, row, 0, LinearForwardingTable.BLOCK);
        } else {
            Arrays.fill(row, (byte) LinearForwardingTable.NO_PATH);
        }
    }

    /** Says how many blocks of the LFT are likely to be noted: room for them is made at once when the first one is. */
    public void expectLinear(int blocks) {
        linearExpected = blocks;
    }

    /** Notes a block of the LFT. */
    public void linear(int block, LinearForwardingTable table) {
        int first = block * LinearForwardingTable.BLOCK;
        int end = first + LinearForwardingTable.BLOCK;
        if (end > linear.length) {
            int old = linear.length;
            // Block after block is noted: not a new array for each.
            int room = Math.max(end, linearExpected * LinearForwardingTable.BLOCK);
            linear = Arrays.copyOf(linear, Math.max(room, old + (old >> 1)));
        }
        table.copyTo(linear, first);
        linearKnown.set(block);
    }

    /** Forgets a block of the LFT: nobody knows whether a Set was carried out. */
    public void forgetLinear(int block) {
        linearKnown.clear(block);
    }

    /** Returns whether the SL to VL table from a port to another is this one, as {@code SlToVl} packs it. */
    public boolean hasSlToVl(int in, int out, long table) {
        int at = in * ports + out;
        return slToVlKnown.get(at) && slToVl[at] == table;
    }

    /** Returns the SL to VL table from a port to another, or what is to be taken for it where it is not known. */
    public long slToVl(int in, int out, long otherwise) {
        int at = in * ports + out;
        return slToVlKnown.get(at) ? slToVl[at] : otherwise;
    }

    /** Notes the SL to VL table from a port to another. */
    public void noteSlToVl(int in, int out, long table) {
        int at = in * ports + out;
        if (at >= slToVl.length) {
            slToVl = Arrays.copyOf(slToVl, Math.clamp(2L * at, at + 1, ports * ports));
        }
        slToVl[at] = table;
        slToVlKnown.set(at);
    }

    /** Returns a block, 1 … 4, of a port's arbitration table; null if it is not known. */
    public @Nullable VlArbitrationTable arbitration(int port, int block) {
        return arbitration.get(port << 2 | block - 1);
    }

    /** Notes a block of a port's arbitration table. */
    public void arbitration(int port, int block, VlArbitrationTable table) {
        arbitration.put(port << 2 | block - 1, VlArbitrationTable.TYPE.copy(table));
    }

    /** Returns a block of the MFT; null if it is not known. */
    public @Nullable MulticastForwardingTable multicast(int position, int block) {
        return multicast.get(block << 4 | position);
    }

    /** Notes a block of the MFT. */
    public void multicast(int position, int block, MulticastForwardingTable table) {
        multicast.put(block << 4 | position, MulticastForwardingTable.TYPE.copy(table));
    }

    /** Returns one more than the last block of the MFT that is known. */
    public int multicastBlocks() {
        int last = -1;
        for (int key : multicast.keySet()) {
            last = Math.max(last, key >> 4);
        }
        return last + 1;
    }

    /** Returns a block of a port's P_Keys; null if it is not known. */
    public @Nullable PKeyTable keys(int port, int block) {
        return keys.get(port << 16 | block);
    }

    /** Notes a block of a port's P_Keys. */
    public void keys(int port, int block, PKeyTable table) {
        keys.put(port << 16 | block, PKeyTable.TYPE.copy(table));
    }

    /** Forgets an SL to VL table: nobody knows whether a Set was carried out. */
    public void forgetSlToVl(int in, int out) {
        slToVlKnown.clear(in * ports + out);
    }

    /** Returns whether the SL to VL table from a port to another is known. */
    public boolean knowsSlToVl(int in, int out) {
        return slToVlKnown.get(in * ports + out);
    }

    /** Forgets a block of a port's arbitration table. */
    public void forgetArbitration(int port, int block) {
        arbitration.remove(port << 2 | block - 1);
    }

    /** Forgets a block of the MFT. */
    public void forgetMulticast(int position, int block) {
        multicast.remove(block << 4 | position);
    }

    /** Forgets a block of a port's P_Keys. */
    public void forgetKeys(int port, int block) {
        keys.remove(port << 16 | block);
    }

    /** Returns the block of GUIDs that a port was last asked to have; null if that is not known. */
    public @Nullable PortGuids guids(int port, int block) {
        Guids known = guids.get(port << 16 | block);
        return known == null ? null : known.wanted;
    }

    /** Notes a block of GUIDs that a port was asked to have, and what it answered. */
    public void guids(int port, PortGuids wanted, GuidInfo said) {
        guids.put(port << 16 | wanted.block(), new Guids(wanted, GuidInfo.TYPE.copy(said)));
    }

    /** Returns whether a port said that it has the GUIDs of a block; its own does not count. */
    public boolean hasGuids(int port, PortGuids wanted) {
        Guids known = guids.get(port << 16 | wanted.block());
        for (int i = wanted.block() == 0 ? 1 : 0; i < PortGuids.BLOCK; i++) {
            if (known == null
                    || known.said.get(GuidInfo.GUIDS, i) != wanted.guids().get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Forgets the GUIDs of a port: they are lost, or nobody knows whether a Set was carried out. */
    public void forgetGuids(int port) {
        guids.keySet().removeIf(key -> key >> 16 == port);
    }

    /** Returns the P_Keys of a port in all known blocks, 0 for empty entries. */
    public List<Integer> keys(int port) {
        List<Integer> all = new ArrayList<>();
        PKeyTable table = keys(port, 0);
        for (int block = 0; table != null; table = keys(port, ++block)) {
            for (int i = 0; i < PKeyTable.BLOCK; i++) {
                all.add(table.getInt(PKeyTable.KEYS, i));
            }
        }
        return all;
    }

    /** Notes that a port acknowledges a field of PortInfo, but does not take it. */
    public void ignores(int port, BitField field) {
        List<BitField> fields = ignored.computeIfAbsent(port, _ -> new ArrayList<>());
        if (!fields.contains(field)) {
            fields.add(field);
            untold.add(new Ignored(port, field));
        }
    }

    /**
     * A field of PortInfo or SwitchInfo that a port acknowledges and does not take.
     *
     * @param field which
     */
    public record Ignored(int port, BitField field) {}

    /** Returns what ports were found not to take since this was last asked. */
    public List<Ignored> newlyIgnored() {
        if (untold.isEmpty()) {
            return List.of();
        }
        List<Ignored> all = List.copyOf(untold);
        untold.clear();
        return all;
    }

    /** Returns whether a port does not take a field of PortInfo. */
    public boolean isIgnored(int port, BitField field) {
        List<BitField> fields = ignored.get(port);
        return fields != null && fields.contains(field);
    }

    /** Forgets what ports do not take: with other settings they may. */
    public void askAgain() {
        ignored.clear();
    }
}
