package org.railyard.sm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.model.SubnetSnapshot;

/** What the simulated devices really hold, whatever the subnet manager believes. */
public final class Devices {
    private static final int SLS = 16;

    private final SimulatedSubnet subnet;
    private final Fabric fabric;

    /** Looks at these. */
    public Devices(SimulatedSubnet subnet) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
    }

    /** Returns the fabric with the LIDs of the devices and only the cables that carry data. */
    public Fabric live(PortState least) {
        int[] lid = new int[fabric.portCount()];
        int[] lmc = new int[fabric.portCount()];
        BitSet down = new BitSet();
        BitSet taken = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            SimulatedNode node = subnet.node(fabric.nodeOf(port));
            PortInfo info = node.portInfo(fabric.portNumber(port));
            int own = info.getInt(PortInfo.LID);
            // Two can have one LID while one says that it is the other, or gets another LMC: a fabric has it once.
            int end = own + (1 << info.getInt(PortInfo.LMC));
            int next = taken.nextSetBit(own);
            if (fabric.isEndPort(port) && own != 0 && (next < 0 || next >= end)) {
                taken.set(own, end);
                lid[port] = own;
                lmc[port] = info.getInt(PortInfo.LMC);
            }
            if (!subnet.isUp(port) || info.state().compareTo(least) < 0) {
                down.set(port);
            }
        }
        return fabric.withLids(lid, lmc).withLinksDown(down);
    }

    /** Returns the tables of the devices. */
    public Routing routing(PathSls sls, Fabric live) {
        byte[][] rows = new byte[fabric.switchCount()][live.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            SimulatedNode node = subnet.node(sw);
            int top = node.switchInfo().getInt(SwitchInfo.LINEAR_TOP);
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte) (lid > top ? ForwardingTables.NO_PATH : node.forward(lid));
            }
        }
        SlToVl slToVl = new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                return pack(subnet.node(switchIndex), in, out);
            }

            @Override
            public long endTable(int endPort) {
                return pack(subnet.node(fabric.nodeOf(endPort)), 0, 0);
            }
        };
        return new Routing("devices", new ForwardingTables(rows), sls, slToVl, MulticastTables.NONE, List.of());
    }

    private static long pack(SimulatedNode node, int in, int out) {
        int[] vls = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            vls[sl] = node.slToVl(in, out, sl);
        }
        return SlToVl.pack(vls);
    }

    /** Returns what is not as it has to be after a complete sweep; empty if all is right. */
    public List<String> faults(SubnetSnapshot snapshot) {
        List<String> faults = new ArrayList<>();
        TreeMap<Integer, Integer> owners = new TreeMap<>();
        int smLid = snapshot.fabric().lid(snapshot.smPort());
        for (int port = 0; port < fabric.portCount(); port++) {
            SimulatedNode node = subnet.node(fabric.nodeOf(port));
            PortInfo info = node.portInfo(fabric.portNumber(port));
            String name = fabric.portName(port);
            if (subnet.isUp(port) && info.state() != PortState.ACTIVE) {
                faults.add(name + " is up, but " + info.state());
            }
            boolean inUse = fabric.isSwitch(fabric.nodeOf(port)) ? isConnected(fabric.nodeOf(port)) : subnet.isUp(port);
            if (fabric.isEndPort(port) && inUse) {
                Integer other = owners.put(info.getInt(PortInfo.LID), port);
                if (other != null || !info.isSet(PortInfo.LID)) {
                    faults.add(name + ": LID " + info.getInt(PortInfo.LID) + (other == null ? "" : " is another's"));
                }
                if (info.getInt(PortInfo.MASTER_SM_LID) != smLid) {
                    faults.add(name + ": SM LID " + info.getInt(PortInfo.MASTER_SM_LID) + ", not " + smLid);
                }
            }
        }
        return faults.isEmpty() ? tableFaults(snapshot) : faults;
    }

    private boolean isConnected(int node) {
        for (int port = 1; port <= fabric.ports(node); port++) {
            if (subnet.isUp(fabric.portIndex(node, port))) {
                return true;
            }
        }
        return false;
    }

    private List<String> tableFaults(SubnetSnapshot snapshot) {
        List<String> faults = new ArrayList<>();
        Fabric live = live(PortState.ACTIVE);
        Routing held = routing(snapshot.routing().orElseThrow().sls(), live);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int there = snapshot.fabric().nodeOfGuid(fabric.guid(sw));
            for (int lid = 1; there != Fabric.NONE && lid <= snapshot.fabric().maxLid(); lid++) {
                int wanted = snapshot.routing().orElseThrow().forwarding().port(there, lid);
                if (live.portOfLid(lid) != Fabric.NONE
                        && wanted != held.forwarding().port(sw, lid)) {
                    faults.add("%s: LID %d goes to port %d, not %d"
                            .formatted(
                                    fabric.description(sw),
                                    lid,
                                    held.forwarding().port(sw, lid),
                                    wanted));
                }
            }
        }
        CheckReport report = CreditLoopCheck.check(live, held, CheckOptions.DEFAULT);
        report.loops().forEach(loop -> faults.add("credit loop: " + loop));
        report.faults().forEach(fault -> faults.add(fault.toString()));
        return faults;
    }
}
