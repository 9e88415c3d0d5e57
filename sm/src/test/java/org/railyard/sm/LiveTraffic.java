package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.SimListener;
import org.railyard.fabric.sim.SimSettings;

/**
 * Packets between all hosts of a fabric, from random senders to random destinations, while somebody changes tables and
 * links. Packets stay where they are for as long as it takes: what waits for itself stays a deadlock.
 */
final class LiveTraffic {
    private static final int BYTES = 2048;

    /** How often a host sends, ns on average: a part of what its link carries. */
    private static final long GAP = 4_000;

    private final Fabric fabric;
    private final Routing sls;
    private final FabricSim sim;
    private final SplittableRandom random;
    private final List<Integer> hosts = new ArrayList<>();
    private final long[] next;
    private final byte[][] rows;
    private final Set<Integer> lost = new TreeSet<>();

    /** Begins with the tables that a fabric has. */
    LiveTraffic(Fabric fabric, Routing routing, long nanos, SplittableRandom random) {
        this.fabric = fabric;
        this.sls = routing;
        this.random = random;
        rows = rows(fabric, routing);
        sim = new FabricSim(
                fabric, tables(), SimSettings.forHosts(fabric.nodeCount()).withBuffers(2 * BYTES), new SimListener() {
                    @Override
                    public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
                        // Only what is lost matters.
                    }

                    @Override
                    public void dropped(long token, DropReason reason) {
                        lost.add((int) token);
                    }
                });
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE) {
                hosts.add(port);
            }
        }
        next = new long[hosts.size()];
        sim.runUntil(nanos);
        for (int i = 0; i < next.length; i++) {
            next[i] = nanos + random.nextLong(2 * GAP);
        }
    }

    private static byte[][] rows(Fabric fabric, Routing routing) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 0; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte) routing.forwarding().port(sw, lid);
            }
        }
        return rows;
    }

    private Routing tables() {
        return new Routing("now", new ForwardingTables(rows), sls.sls(), sls.slToVl(), MulticastTables.NONE, List.of());
    }

    /** Lets packets go up to a time, ns. */
    void until(long nanos) {
        for (int i = 0; i < next.length; i++) {
            while (next[i] <= nanos) {
                int to = random.nextInt(hosts.size());
                if (to != i) {
                    int from = fabric.lid(hosts.get(i));
                    int lid = fabric.lid(hosts.get(to));
                    sim.injectAt(next[i], hosts.get(i), lid, sls.sls().sl(from, lid, 0), BYTES, pair(from, lid));
                }
                next[i] += 1 + random.nextLong(2 * GAP);
            }
        }
        sim.runUntil(nanos);
    }

    private static int pair(int from, int to) {
        return from << 16 | to;
    }

    /** A switch has other entries from now on. */
    void table(int sw, byte[] row) {
        rows[sw] = row.clone();
        sim.setRouting(sw, tables());
    }

    /** A cable goes down or up. */
    void link(int port, boolean up) {
        sim.setLink(port, up);
    }

    /** Lets everything arrive that is on its way; no host sends any more. */
    FabricSim.Outcome drain() {
        return sim.drain(sim.now() + 10_000_000_000L);
    }

    FabricSim sim() {
        return sim;
    }

    /** Returns which pairs of hosts lost packets since this was last asked, other than those that may. */
    List<String> lost(Allowed allowed) {
        List<String> others = lost.stream()
                .filter(pair -> !allowed.mayLose(pair >>> 16, pair & 0xFFFF))
                .map(pair -> fabric.portName(fabric.portOfLid(pair >>> 16)) + " to "
                        + fabric.portName(fabric.portOfLid(pair & 0xFFFF)))
                .toList();
        lost.clear();
        return others;
    }

    /** Which pairs of hosts may lose packets. */
    interface Allowed {
        /** Tells it of a pair of LIDs. */
        boolean mayLose(int from, int to);
    }

    /** Returns the ports by which a packet passes switches, as text. */
    static List<Integer> path(Fabric fabric, Routing routing, int from, int to) {
        List<Integer> path = new ArrayList<>();
        int sw = fabric.switchOf(fabric.portOfLid(from));
        while (sw != Fabric.NONE && path.size() <= fabric.switchCount()) {
            int port = fabric.portIndex(sw, routing.forwarding().port(sw, to));
            path.add(port);
            int peer = fabric.cable(port);
            sw = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) ? fabric.nodeOf(peer) : Fabric.NONE;
        }
        return path;
    }
}
