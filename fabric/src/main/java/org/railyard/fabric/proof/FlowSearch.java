package org.railyard.fabric.proof;

import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.SourceGroups.Source;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Finds who sends what waits somewhere: walks the paths of all senders to one destination. The check itself keeps sets
 * of flows, not each of them.
 */
final class FlowSearch {
    private final Fabric fabric;
    private final Routing routing;
    private final SourceGroups sources;

    FlowSearch(Fabric fabric, Routing routing, SourceGroups sources) {
        this.fabric = fabric;
        this.routing = routing;
        this.sources = sources;
    }

    /**
     * Returns a flow to a LID by an SL that uses a channel and wants another next: of the nearest sender, of the first
     * if several are.
     */
    Optional<Flow> through(int channel, int wanted, int destinationLid, int sl) {
        return nearest(destinationLid, sl, (before, at, _, _) -> before == channel && at == wanted);
    }

    /** The same of a flow that comes to a switch by a port, be it that the switch drops it. */
    Optional<Flow> across(int input, int sw, int destinationLid, int sl) {
        return nearest(destinationLid, sl, (_, _, switchThere, inputThere) -> switchThere == sw && inputThere == input);
    }

    /** Where a packet may be on its way. */
    private interface Place {
        /**
         * Tells whether it is this one.
         *
         * @param before channel that the packet is in, {@link Fabric#NONE} if it is the one of its sender
         * @param wanted channel that it wants
         * @param sw switch where it wants it
         * @param input port index of the port of that switch by which it came
         */
        boolean is(int before, int wanted, int sw, int input);
    }

    private Optional<Flow> nearest(int destinationLid, int sl, Place place) {
        int self = fabric.portOfLid(destinationLid);
        int destinationClass = routing.sls().classOf(destinationLid);
        int nearest = Integer.MAX_VALUE;
        int nearestSender = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (Source source : sources.of(sw)) {
                int from = source.lidTo(self);
                if (from != 0 && sends(source, destinationClass, sl)) {
                    int hops = hops(sw, source, destinationLid, sl, place);
                    nearestSender = hops < nearest ? from : nearestSender;
                    nearest = Math.min(nearest, hops);
                }
            }
        }
        return nearestSender == 0 ? Optional.empty() : Optional.of(new Flow(nearestSender, destinationLid, sl));
    }

    private boolean sends(Source source, int destinationClass, int sl) {
        PathSls sls = routing.sls();
        boolean sends = false;
        for (int level = 0; source.slClass() >= 0 && destinationClass >= 0 && level < sls.levels(); level++) {
            sends |= sls.classSl(source.slClass(), destinationClass, level) == sl;
        }
        return sends;
    }

    /** Returns after how many hops a packet comes to a place, a large number if never. */
    private int hops(int first, Source source, int destinationLid, int sl, Place place) {
        int sw = first;
        int input = source.input();
        int before = Fabric.NONE;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int output = routing.forwarding().port(sw, destinationLid);
            if (output > fabric.ports(sw)) {
                return Integer.MAX_VALUE;
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), sl);
            int port = fabric.portIndex(sw, output);
            int wanted = Channel.number(port, vl);
            if (place.is(before, wanted, sw, fabric.portIndex(sw, input))) {
                return hops;
            }
            int peer = fabric.peer(port);
            if (vl == SlToVl.DROP || output == 0 || peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
                return Integer.MAX_VALUE;
            }
            sw = fabric.nodeOf(peer);
            input = fabric.portNumber(peer);
            before = wanted;
        }
        return Integer.MAX_VALUE;
    }
}
