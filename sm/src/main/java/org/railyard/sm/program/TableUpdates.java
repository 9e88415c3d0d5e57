package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.subnet.HeldTables;
import org.railyard.sm.subnet.ManagedNode;

/** Tables: P_Keys, SL to VL, VL arbitration, forwarding; blocks that nodes hold already are left out (spec 41 §5). */
final class TableUpdates {
    private static final int DEFAULT_INDEX = 0;

    /** So many agents have a block to write at a time, as many as a usual window; with more, caches help less. */
    private static final int SWITCHES_AT_A_TIME = 64;

    private final Desired desired;
    private final Fabric fabric;
    private final Weights ofCas;
    private final Weights ofRouters;
    private final Weights betweenSwitches;
    private final Weights towardsEnds;

    /** Whether switches are to keep partitions apart. */
    private final boolean partitioned;

    /** A block of an LFT, as it is looked at. */
    private final byte[] row = new byte[LinearForwardingTable.BLOCK];

    TableUpdates(Desired desired) {
        this.desired = desired;
        this.fabric = desired.fabric();
        this.partitioned = desired.enforcesPartitions();
        QosSettings qos = desired.ports().qos();
        this.ofCas = new Weights(qos.cas().low(), qos.cas().high());
        this.ofRouters = new Weights(qos.routers().low(), qos.routers().high());
        QosSettings.Ports between = qos.switches();
        this.betweenSwitches = new Weights(between.low(), between.high());
        this.towardsEnds =
                new Weights(between.low().facingEndNode(), between.high().facingEndNode());
    }

    // P_Keys.

    Iterator<Update> pKeys() {
        return new PlaceByPlace(fabric.portCount(), index -> {
            ManagedNode node = desired.nodeOf(index);
            int port = fabric.portNumber(index);
            boolean fits = node.isEndPort(port)
                    && !node.isSilent(port)
                    && fabric.lid(index) != 0
                    && !desired.lacksKeySpace(index)
                    && !isKeptOut(index);
            return fits ? pKeys(node, port, index) : List.of();
        });
    }

    /** Tells whether the switch in front of an end port did not take its keys, and goes on to enforce others. */
    private boolean isKeptOut(int index) {
        int door = partitioned ? fabric.peer(index) : Fabric.NONE;
        if (door == Fabric.NONE || desired.endBehind(door) != index || !desired.mayEnforce(door)) {
            return false;
        }
        PortInfo said = desired.nodeOf(door).port(fabric.portNumber(door));
        return said != null
                && (said.isSet(PortInfo.ENFORCEMENT_IN) || said.isSet(PortInfo.ENFORCEMENT_OUT))
                && !holdsKeysOfEnd(desired, door);
    }

    /** Tells whether an external port of a switch holds the keys of the end port behind it, and no others. */
    static boolean holdsKeysOfEnd(Desired desired, int door) {
        List<Integer> wanted = desired.keys().of(desired.fabric(), desired.endBehind(door));
        int port = desired.fabric().portNumber(door);
        return hasKeys(desired.nodeOf(door), port, blocks(desired.enforcedKeys(door)), wanted);
    }

    private static int blocks(int keys) {
        return (keys + PKeyTable.BLOCK - 1) / PKeyTable.BLOCK;
    }

    private List<Update> pKeys(ManagedNode node, int port, int index) {
        int capacity = node.info().getInt(NodeInfo.PARTITION_CAP);
        int blocks = Math.min(blocks(capacity), FabricDiscovery.MAX_KEY_BLOCKS);
        List<Integer> wanted = desired.keys().of(fabric, index);
        if (hasKeys(node, port, blocks, wanted)) {
            return List.of();
        }
        return keyBlocks(node, port, 0, blocks, merged(node.held().keys(port), wanted, capacity));
    }

    /** The tables by which switches let packets of end ports through: before these use a new key. */
    Iterator<Update> switchKeys() {
        if (!partitioned) {
            return Collections.emptyIterator();
        }
        return new PlaceByPlace(fabric.portCount(), index -> {
            if (!desired.mayEnforce(index)
                    || desired.lacksKeySpace(desired.endBehind(index))
                    || holdsKeysOfEnd(desired, index)) {
                return List.of();
            }
            int port = fabric.portNumber(index);
            int blocks = blocks(desired.enforcedKeys(index));
            List<Integer> wanted = desired.keys().of(fabric, desired.endBehind(index));
            return keyBlocks(desired.nodeOf(index), port, port, blocks, wanted);
        });
    }

    /** Returns the blocks that differ from what a port holds. */
    private static List<Update> keyBlocks(ManagedNode node, int port, int named, int blocks, List<Integer> keys) {
        List<Update> updates = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            PKeyTable table = PKeyTable.TYPE.create();
            for (int i = 0; i < PKeyTable.BLOCK; i++) {
                int at = block * PKeyTable.BLOCK + i;
                table.set(PKeyTable.KEYS, i, at < keys.size() ? keys.get(at) : 0);
            }
            PKeyTable before = node.held().keys(port, block);
            if (before == null || !before.differences(table).isEmpty()) {
                int number = block;
                updates.add(Update.table(
                        node,
                        port,
                        PKeyTable.TYPE,
                        Modifiers.pKeys(named, block),
                        table,
                        answer -> node.held().keys(port, number, answer),
                        () -> node.held().forgetKeys(port, number),
                        answer -> answer.differences(table).isEmpty()));
            }
        }
        return updates;
    }

    /** Most ports have few keys, and have them already in this order. */
    private static boolean hasKeys(ManagedNode node, int port, int blocks, List<Integer> wanted) {
        for (int block = 0, at = 0; block < blocks; block++) {
            PKeyTable table = node.held().keys(port, block);
            for (int i = 0; i < PKeyTable.BLOCK; i++, at++) {
                int key = at < wanted.size() ? wanted.get(at) : 0;
                if (table == null || table.getInt(PKeyTable.KEYS, i) != key) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Keys keep their index while others come and go; the default one has the first (spec 41 §8). */
    private static List<Integer> merged(List<Integer> before, List<Integer> wanted, int capacity) {
        List<Integer> missing = new ArrayList<>(wanted);
        List<Integer> merged = new ArrayList<>();
        int defaultKey = missing.removeFirst();
        merged.add(DEFAULT_INDEX, defaultKey);
        for (int i = 1; i < before.size(); i++) {
            Integer key = before.get(i);
            merged.add(missing.removeIf(key::equals) ? key : Integer.valueOf(0));
        }
        for (int i = 1; !missing.isEmpty() && i < capacity; i++) {
            if (i == merged.size()) {
                merged.add(0);
            }
            if (merged.get(i) == 0) {
                merged.set(i, missing.removeFirst());
            }
        }
        return merged;
    }

    // SL to VL.

    Iterator<Update> slToVl() {
        return new PlaceByPlace(desired.nodes().size(), place -> {
            ManagedNode node = desired.nodes().get(place);
            List<Update> updates = new ArrayList<>();
            if (node.isSwitch()) {
                slToVlOfSwitch(node, place, updates);
            } else {
                slToVlOfEndNode(node, place, updates);
            }
            return updates;
        });
    }

    private void slToVlOfEndNode(ManagedNode node, int index, List<Update> updates) {
        for (int port = 1; port <= node.lastPort(); port++) {
            if (node.port(port) != null && node.path(port) != null && !node.isSilent(port)) {
                long table = desired.routing().slToVl().endTable(fabric.portIndex(index, port));
                addSlToVl(node, port, 0, port, table, updates);
            }
        }
    }

    private void slToVlOfSwitch(ManagedNode node, int index, List<Update> updates) {
        BitSet up = new BitSet();
        for (int port = 0; port <= node.lastPort(); port++) {
            up.set(port, port == 0 || node.state(port) != PortState.DOWN);
        }
        for (int in = 0; in >= 0; in = up.nextSetBit(in + 1)) {
            for (int out = up.nextSetBit(fabric.enhancedPort0(index) ? 0 : 1); out >= 0; out = up.nextSetBit(out + 1)) {
                addSlToVl(node, 0, in, out, desired.routing().slToVl().table(index, in, out), updates);
            }
        }
    }

    /** One table; of a CA {@code out} is the port that holds it. */
    private static void addSlToVl(ManagedNode node, int by, int in, int out, long table, List<Update> updates) {
        if (node.held().hasSlToVl(in, out, table)) {
            return;
        }
        SlToVlTable value = SlToVlTable.TYPE.create().setPacked(table);
        int modifier = node.isSwitch() ? Modifiers.slToVl(in, out) : 0;
        SlToVlSet set = new SlToVlSet(node.held(), in, out, table);
        updates.add(Update.table(node, by, SlToVlTable.TYPE, modifier, value, set, set, set));
    }

    /** What becomes of a Set of one table, of which a sweep has many: all in one object. */
    private record SlToVlSet(HeldTables held, int in, int out, long table)
            implements Consumer<SlToVlTable>, Runnable, Predicate<SlToVlTable> {
        @Override
        public void accept(SlToVlTable answer) {
            held.noteSlToVl(in, out, answer.packed());
        }

        @Override
        public void run() {
            held.forgetSlToVl(in, out);
        }

        @Override
        public boolean test(SlToVlTable answer) {
            return answer.packed() == table;
        }
    }

    // VL arbitration.

    Iterator<Update> arbitration() {
        return new PlaceByPlace(fabric.portCount(), index -> {
            ManagedNode node = desired.nodeOf(index);
            int port = fabric.portNumber(index);
            PortInfo said = node.port(port);
            boolean asks = fabric.peer(index) != Fabric.NONE && !node.isSilent(port);
            if (!asks || said == null || said.getInt(PortInfo.VL_CAP) <= 1) {
                return List.of();
            }
            Weights of = weights(index);
            int low = said.getInt(PortInfo.VL_ARB_LOW_CAP);
            int high = said.getInt(PortInfo.VL_ARB_HIGH_CAP);
            List<Update> updates = new ArrayList<>();
            addArbitration(node, port, Modifiers.LOW_FIRST, of.low.first(low), updates);
            addArbitration(node, port, Modifiers.LOW_SECOND, of.low.second(low), updates);
            addArbitration(node, port, Modifiers.HIGH_FIRST, of.high.first(high), updates);
            addArbitration(node, port, Modifiers.HIGH_SECOND, of.high.second(high), updates);
            return updates;
        });
    }

    private Weights weights(int index) {
        return switch (fabric.type(fabric.nodeOf(index))) {
            case CA -> ofCas;
            case ROUTER -> ofRouters;
            case SWITCH -> fabric.isSwitch(fabric.nodeOf(fabric.peer(index))) ? betweenSwitches : towardsEnds;
        };
    }

    /** The weights of a kind of ports. */
    private static final class Weights {
        private final Blocks low;
        private final Blocks high;

        Weights(VlArbTable low, VlArbTable high) {
            this.low = new Blocks(low);
            this.high = new Blocks(high);
        }
    }

    /** The blocks of a table, for as many entries as a port has space for. */
    private static final class Blocks {
        private final VlArbTable table;
        private final @Nullable VlArbitrationTable[] first = new VlArbitrationTable[VlArbitrationTable.BLOCK + 1];
        private final @Nullable VlArbitrationTable[] second = new VlArbitrationTable[VlArbTable.MAX_ENTRIES + 1];

        Blocks(VlArbTable table) {
            this.table = table;
        }

        /** Returns entries 0 to 31 for a port with space for so many in all; null if it has none. */
        @Nullable
        VlArbitrationTable first(int capacity) {
            int entries = Math.min(
                    Math.min(capacity, VlArbitrationTable.BLOCK),
                    table.entries().size());
            return entries == 0 ? null : block(first, 0, entries);
        }

        /**
         * Returns entries 32 to 63; null if the port has no space for them. An entry that nobody gave has the weight 0:
         * it is skipped, whatever was there before.
         */
        @Nullable
        VlArbitrationTable second(int capacity) {
            boolean isThere =
                    capacity > VlArbitrationTable.BLOCK && table.entries().size() > 0;
            return isThere
                    ? block(
                            second,
                            VlArbitrationTable.BLOCK,
                            Math.min(capacity, table.entries().size()))
                    : null;
        }

        private VlArbitrationTable block(@Nullable VlArbitrationTable[] made, int from, int to) {
            int place = Math.max(from, to);
            VlArbitrationTable block = made[place];
            if (block == null) {
                block = VlArbitrationTable.TYPE.create();
                for (int i = from; i < to; i++) {
                    VlArbTable.Entry entry = table.entries().get(i);
                    block.set(VlArbitrationTable.VLS, i - from, entry.vl())
                            .set(VlArbitrationTable.WEIGHTS, i - from, entry.weight());
                }
                made[place] = block;
            }
            return block;
        }
    }

    private static void addArbitration(
            ManagedNode node, int port, int block, @Nullable VlArbitrationTable value, List<Update> updates) {
        VlArbitrationTable before = node.held().arbitration(port, block);
        if (value == null || before != null && before.differences(value).isEmpty()) {
            return;
        }
        int modifier = Modifiers.vlArbitration(block, node.isSwitch() ? port : 0);
        updates.add(Update.table(
                node,
                port,
                VlArbitrationTable.TYPE,
                modifier,
                value,
                answer -> node.held().arbitration(port, block, answer),
                () -> node.held().forgetArbitration(port, block),
                answer -> answer.differences(value).isEmpty()));
    }

    // Forwarding tables.

    /** What entries shall be in one step of a change. */
    interface Entries {
        /** Puts the ports of a block's LIDs at a switch into a row of {@link LinearForwardingTable#BLOCK}. */
        void fill(int switchIndex, int block, byte[] row);
    }

    /**
     * Writes the blocks of some switches that do not hold these entries: of {@link #SWITCHES_AT_A_TIME} switches block
     * by block, then of the next ones.
     */
    Iterator<Update> linear(IntPredicate switches, Entries entries) {
        return linear(switches, _ -> true, entries);
    }

    /** The same; of the blocks that a switch is known to hold only some are looked at. */
    Iterator<Update> linear(IntPredicate switches, IntPredicate blocks, Entries entries) {
        // Blocks above the last LID matter where somebody has written them.
        int used = fabric.maxLid() / LinearForwardingTable.BLOCK;
        int blockCount = HeldRouting.lastLid(desired) / LinearForwardingTable.BLOCK + 1;
        int[] which = IntStream.range(0, fabric.switchCount()).filter(switches).toArray();
        for (int sw : which) {
            desired.nodes().get(sw).held().expectLinear(used + 1);
        }
        return new PlaceByPlace(blockCount * which.length, place -> {
            int first = place / (blockCount * SWITCHES_AT_A_TIME) * SWITCHES_AT_A_TIME;
            int count = Math.min(SWITCHES_AT_A_TIME, which.length - first);
            int inGroup = place - blockCount * first;
            int block = inGroup / count;
            int sw = which[first + inGroup % count];
            boolean known = desired.nodes().get(sw).held().knowsLinear(block);
            Update update = (known ? blocks.test(block) : block <= used) ? linear(sw, block, entries) : null;
            return update == null ? List.of() : List.of(update);
        });
    }

    private @Nullable Update linear(int sw, int block, Entries entries) {
        ManagedNode node = desired.nodes().get(sw);
        HeldTables held = node.held();
        entries.fill(sw, block, row);
        if (block == 0) {
            row[0] = (byte) LinearForwardingTable.NO_PATH;
        }
        if (held.hasLinear(block, row)) {
            return null;
        }
        Mad mad = Update.request(node, 0, LinearForwardingTable.TYPE, Modifiers.block(block));
        System.arraycopy(row, 0, mad.bytes(), Mad.SMP_DATA, row.length);
        LinearSet set = new LinearSet(held, block, mad);
        return new Update(node, mad, set, set, set, Update.NEVER);
    }

    /** What becomes of a Set of a block. */
    private record LinearSet(HeldTables held, int block, Mad asked) implements Consumer<Mad>, Runnable, Predicate<Mad> {
        @Override
        public void accept(Mad answer) {
            held.linear(block, answer.data(LinearForwardingTable.TYPE));
        }

        @Override
        public void run() {
            held.forgetLinear(block);
        }

        @Override
        public boolean test(Mad answer) {
            return Update.sameData(asked, answer);
        }
    }

    // Multicast.

    /** What is done with the ports of a multicast LID. */
    enum Masks {
        /** They become none. */
        EMPTY,
        /** They only become fewer; where nobody knows which they are, none. */
        LESS,
        /** They become what they shall be. */
        ALL
    }

    /** Writes the blocks of the MFTs that differ. */
    Iterator<Update> multicast(IntPredicate switches, Masks masks) {
        return new PlaceByPlace(
                fabric.switchCount(), sw -> switches.test(sw) ? multicast(sw, masks) : List.<Update>of());
    }

    /** Returns how many blocks, from the first one on, groups need. */
    static int usedMulticastBlocks(Desired desired) {
        int used = 0;
        for (int mlid : desired.routing().multicast().mlids()) {
            used = Math.max(used, (mlid - Lids.MIN_MULTICAST) / MulticastForwardingTable.BLOCK + 1);
        }
        return used;
    }

    private List<Update> multicast(int sw, Masks masks) {
        ManagedNode node = desired.nodes().get(sw);
        int blocks = Math.max(usedMulticastBlocks(desired), node.held().multicastBlocks());
        int positions = node.lastPort() / MulticastForwardingTable.PORTS + 1;
        List<Update> updates = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            for (int position = 0; position < positions; position++) {
                Update update = multicast(node, sw, block, position, masks);
                if (update != null) {
                    updates.add(update);
                }
            }
        }
        return updates;
    }

    private @Nullable Update multicast(ManagedNode node, int sw, int block, int position, Masks masks) {
        MulticastForwardingTable before = node.held().multicast(position, block);
        MulticastForwardingTable value = MulticastForwardingTable.TYPE.create();
        for (int i = 0; i < MulticastForwardingTable.BLOCK; i++) {
            int mask = mask(sw, Lids.MIN_MULTICAST + block * MulticastForwardingTable.BLOCK + i, position);
            int now = before == null ? 0 : before.getInt(MulticastForwardingTable.MASKS, i);
            value.set(
                    MulticastForwardingTable.MASKS,
                    i,
                    switch (masks) {
                        case EMPTY -> 0;
                        case LESS -> mask & now;
                        case ALL -> mask;
                    });
        }
        if (before != null && before.differences(value).isEmpty()) {
            return null;
        }
        return Update.table(
                node,
                0,
                MulticastForwardingTable.TYPE,
                Modifiers.multicast(position, block),
                value,
                answer -> node.held().multicast(position, block, answer),
                () -> node.held().forgetMulticast(position, block),
                answer -> answer.differences(value).isEmpty());
    }

    private int mask(int sw, int mlid, int position) {
        MulticastTables.Tree tree = desired.routing().multicast().tree(mlid);
        if (tree == null) {
            return 0;
        }
        PortMask ports = tree.ports(sw);
        int mask = 0;
        for (int bit = 0; bit < MulticastForwardingTable.PORTS; bit++) {
            int port = position * MulticastForwardingTable.PORTS + bit;
            mask |= ports.contains(port) ? 1 << bit : 0;
        }
        return mask;
    }
}
