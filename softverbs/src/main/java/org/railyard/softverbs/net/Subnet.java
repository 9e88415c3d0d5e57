package org.railyard.softverbs.net;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.verbs.PathRecord;

/**
 * Switches, links and forwarding tables as they are at present. Tables change only when somebody routes anew: a broken
 * link stays in them.
 */
final class Subnet {
    private static final int HINT_SHIFT = 5;

    private final Fabric whole;
    private final SoftSettings settings;
    private final BitSet down = new BitSet();
    private final int[] lanes;
    private final LinkSpeed[] speeds;
    private Fabric present;
    private Routing routing;
    private long epoch = 1;

    Subnet(Fabric fabric, Routing routing, SoftSettings settings) {
        this.whole = fabric;
        this.present = fabric;
        this.routing = routing;
        this.settings = settings;
        this.lanes = new int[fabric.portCount()];
        this.speeds = new LinkSpeed[fabric.portCount()];
        for (int port = 0; port < lanes.length; port++) {
            lanes[port] = fabric.width(port);
            speeds[port] = fabric.speed(port);
        }
    }

    /** Returns the fabric without the links that are down. */
    Fabric present() {
        return present;
    }

    /** Returns a number that changes whenever a path may have changed. */
    long epoch() {
        return epoch;
    }

    /** Returns the SLs of paths. */
    PathSls sls() {
        return routing.sls();
    }

    /** Takes new tables. */
    void reroute(Routing tables) {
        routing = tables;
        epoch++;
    }

    /** Takes links down or up; of a cable one end is enough. */
    void setDown(BitSet ports, boolean isDown) {
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            down.set(port, isDown);
            int other = whole.cable(port);
            if (other != Fabric.NONE) {
                down.set(other, isDown);
            }
        }
        present = whole.withLinksDown(down);
        epoch++;
    }

    /** Changes what a link carries. */
    void setRate(int port, int newLanes, LinkSpeed speed) {
        int other = whole.cable(port);
        lanes[port] = newLanes;
        speeds[port] = speed;
        if (other != Fabric.NONE) {
            lanes[other] = newLanes;
            speeds[other] = speed;
        }
        epoch++;
    }

    int lanes(int port) {
        return lanes[port];
    }

    LinkSpeed speed(int port) {
        return speeds[port];
    }

    /** Tells whether the port's own link carries anything. */
    boolean isUp(int port) {
        return present.peer(port) != Fabric.NONE;
    }

    /** Returns the path record for two ports, with the SL of the routing engine; null if there is no path. */
    @Nullable
    PathRecord path(FabricPort from, FabricPort to, int typeOfService) {
        int hint = typeOfService < 0 ? 0 : typeOfService >>> HINT_SHIFT & 0x7;
        int sl = routing.sls().sl(from.lid(), to.lid(), hint);
        return sl == PathSls.NO_SL ? null : pathOfLevel(from, to, sl);
    }

    /** Returns the path record for two ports and an SL; null if there is no path. */
    @Nullable
    PathRecord pathOfLevel(FabricPort from, FabricPort to, int sl) {
        Transit transit = transit(from.fabricPort(), to.fabricPort(), sl);
        return transit.arrives()
                ? new PathRecord(from.lid(), to.lid(), sl, settings.mtu(), transit.slowestLink())
                : null;
    }

    /** Follows the tables from one end port to another. */
    Transit transit(int fromPort, int toPort, int sl) {
        if (fromPort == toPort) {
            double rate = LinkRates.dataBitsPerNano(lanes[fromPort], speeds[fromPort]);
            long signalling = LinkRates.signalling(lanes[fromPort], speeds[fromPort]);
            return new Transit(isUp(fromPort), settings.linkDelay(), rate, signalling, epoch);
        }
        if (!isUp(fromPort) || !isUp(toPort)) {
            return new Transit(false, 0, 1, 0, epoch);
        }
        TablePath path = TablePath.follow(present, routing, fromPort, whole.lid(toPort), sl);
        double slowest = Double.MAX_VALUE;
        long signalling = Long.MAX_VALUE;
        for (TablePath.Hop hop : path.hops()) {
            slowest = Math.min(slowest, LinkRates.dataBitsPerNano(lanes[hop.port()], speeds[hop.port()]));
            signalling = Math.min(signalling, LinkRates.signalling(lanes[hop.port()], speeds[hop.port()]));
        }
        int hops = path.hops().size();
        long delay = hops * settings.linkDelay() + Math.max(0, hops - 1) * settings.switchDelay();
        return new Transit(path.end() == TablePath.End.ARRIVED, delay, slowest, signalling, epoch);
    }
}
