package org.railyard.fabric.sim.traffic;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.LinkRate;

/**
 * What a pattern asks of each link, counted along the forwarding tables without any time (spec 33 §2, ORCS): a bound
 * for what can be carried. Multicast is left out. Takes time with pairs of hosts · hops. Immutable.
 */
public final class CountedLoad {
    private final Fabric fabric;

    /**
     * By port: what it is to send when each host sends as much as its link carries, as a share of what this link
     * carries.
     */
    private final double[] asked;

    private double arriving;
    private double hops;
    private double sent;

    private CountedLoad(Fabric fabric) {
        this.fabric = fabric;
        asked = new double[fabric.portCount()];
    }

    /** Counts. */
    public static CountedLoad of(Fabric fabric, Routing routing, Destinations destinations) {
        CountedLoad load = new CountedLoad(fabric);
        for (int from = 0; from < destinations.hosts(); from++) {
            for (int to = 0; to < destinations.hosts(); to++) {
                double share = destinations.share(from, to);
                if (share > 0) {
                    load.add(routing, destinations.port(from), destinations.port(to), share);
                }
            }
        }
        return load;
    }

    private void add(Routing routing, int from, int to, double share) {
        double bytes = share * LinkRate.bytesPerNano(fabric.width(from), fabric.speed(from));
        sent += share;
        ask(from, bytes);
        int at = fabric.peer(from);
        int lid = fabric.lid(to);
        for (int passed = 1; at != Fabric.NONE && passed <= fabric.switchCount(); passed++) {
            int sw = fabric.nodeOf(at);
            int output = fabric.isSwitch(sw) ? routing.forwarding().port(sw, lid) : 0;
            if (output == 0 || output > fabric.ports(sw)) {
                return;
            }
            int port = fabric.portIndex(sw, output);
            ask(port, bytes);
            at = fabric.peer(port);
            if (at == to) {
                arriving += share;
                hops += share * passed;
                return;
            }
        }
    }

    private void ask(int port, double bytes) {
        asked[port] += bytes / LinkRate.bytesPerNano(fabric.width(port), fabric.speed(port));
    }

    /**
     * Returns what a port is asked to send when each host sends as much as its link carries, as a share of what the
     * port's link carries.
     */
    public double of(int port) {
        return asked[port];
    }

    /**
     * Returns the port that is asked for most, the first of equals; {@link Fabric#NONE} if none is asked for anything.
     */
    public int busiest() {
        int best = Fabric.NONE;
        for (int port = 0; port < asked.length; port++) {
            // Sums of the same shares in another order differ in their last digits.
            if (asked[port] > (best == Fabric.NONE ? 0 : asked[best] * (1 + 1e-9))) {
                best = port;
            }
        }
        return best;
    }

    /** Returns the load at which the busiest link is full: more no run can carry, at most 1. */
    public double bound() {
        int busiest = busiest();
        return busiest == Fabric.NONE ? 1 : Math.min(1, 1 / asked[busiest]);
    }

    /** Returns which part of all packets has a way to its destination. */
    public double arriving() {
        return sent == 0 ? 1 : arriving / sent;
    }

    /** Returns how many switches those pass, in the mean. */
    public double meanHops() {
        return arriving == 0 ? 0 : hops / arriving;
    }
}
