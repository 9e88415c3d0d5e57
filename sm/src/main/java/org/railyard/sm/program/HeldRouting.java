package org.railyard.sm.program;

import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.subnet.HeldTables;
import org.railyard.sm.subnet.ManagedNode;

/** The tables that nodes are known to hold, as routes of the fabric at hand. */
final class HeldRouting {
    private HeldRouting() {}

    /**
     * Returns the tables. SL to VL tables that nobody knows are taken for those of the engine, or, where no packet can
     * pass yet, for what they shall be: they are written before links come up. So are all entries of switches that
     * forward nothing.
     */
    static Routing of(Desired desired) {
        Fabric fabric = desired.fabric();
        Routing wanted = desired.routing();
        byte[][] rows = new byte[fabric.switchCount()][lastLid(desired) + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            HeldTables held = desired.nodes().get(sw).held();
            held.copyLinear(rows[sw]);
            for (int lid = 0; lid < rows[sw].length && held.forwardsUnknown(); lid++) {
                rows[sw][lid] = (byte) wanted.forwarding().port(sw, lid);
            }
        }
        // Whether packets that turn back are dropped is not guessed.
        SlToVl guessed = wanted.slToVl() instanceof NoTurningBack all ? all.engine() : wanted.slToVl();
        BitSet passing = passing(desired);
        SlToVl slToVl = new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                ManagedNode node = desired.nodes().get(switchIndex);
                int port0 = fabric.portIndex(switchIndex, 0);
                SlToVl otherwise = passing.get(port0 + in) && passing.get(port0 + out) ? guessed : wanted.slToVl();
                return node.held().slToVl(in, out, otherwise.table(switchIndex, in, out));
            }

            @Override
            public long endTable(int endPort) {
                int port = fabric.portNumber(endPort);
                return desired.nodeOf(endPort)
                        .held()
                        .slToVl(0, port, wanted.slToVl().endTable(endPort));
            }
        };
        Routing before = desired.before();
        PathSls sls = before == null ? wanted.sls() : before.sls();
        return new Routing("held", new ForwardingTables(rows), sls, slToVl, multicast(desired), List.of());
    }

    /** Returns the ports of switches that packets may pass, by index: each is asked for many times. */
    private static BitSet passing(Desired desired) {
        Fabric fabric = desired.fabric();
        BitSet passing = new BitSet(fabric.portCount());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            ManagedNode node = desired.nodes().get(sw);
            for (int port = 0; port <= fabric.ports(sw) && !node.held().forwardsUnknown(); port++) {
                passing.set(fabric.portIndex(sw, port), port == 0 || node.state(port) == PortState.ACTIVE);
            }
        }
        return passing;
    }

    /** Returns the last LID that tables may know: of ports that are gone too. */
    static int lastLid(Desired desired) {
        int last = desired.fabric().maxLid();
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            int blocks = desired.nodes().get(sw).held().linearBlocks();
            if (blocks > last / LinearForwardingTable.BLOCK + 1) {
                last = Math.min(blocks * LinearForwardingTable.BLOCK - 1, Lids.MAX_UNICAST);
            }
        }
        return last;
    }

    /** Returns the SL of a group's packets that are on their way: the old one where it is known. */
    private static int sl(Desired desired, int mlid) {
        Routing before = desired.before();
        MulticastTables.Tree old = before == null ? null : before.multicast().tree(mlid);
        MulticastTables.Tree tree = old == null ? desired.routing().multicast().tree(mlid) : old;
        return tree == null ? 0 : tree.sl();
    }

    private static MulticastTables multicast(Desired desired) {
        int blocks = 0;
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            blocks = Math.max(blocks, desired.nodes().get(sw).held().multicastBlocks());
        }
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        for (int entry = 0; entry < blocks * MulticastForwardingTable.BLOCK; entry++) {
            PortMask[] masks = new PortMask[desired.fabric().switchCount()];
            boolean used = false;
            for (int sw = 0; sw < masks.length; sw++) {
                masks[sw] = mask(desired.nodes().get(sw), entry);
                used |= !masks[sw].isEmpty();
            }
            if (used) {
                int mlid = Lids.MIN_MULTICAST + entry;
                trees.put(mlid, new MulticastTables.Tree(sl(desired, mlid), masks));
            }
        }
        return new MulticastTables(trees);
    }

    private static PortMask mask(ManagedNode node, int entry) {
        PortMask mask = PortMask.EMPTY;
        int block = entry / MulticastForwardingTable.BLOCK;
        for (int position = 0; position <= node.lastPort() / MulticastForwardingTable.PORTS; position++) {
            MulticastForwardingTable table = node.held().multicast(position, block);
            int bits = table == null
                    ? 0
                    : table.getInt(MulticastForwardingTable.MASKS, entry % MulticastForwardingTable.BLOCK);
            for (int bit = 0; bits >>> bit != 0; bit++) {
                if ((bits >>> bit & 1) != 0) {
                    mask = mask.with(position * MulticastForwardingTable.PORTS + bit);
                }
            }
        }
        return mask;
    }
}
