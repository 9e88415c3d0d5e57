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
    private static final int ANY = -1;

    private final Fabric fabric;
    private final Routing routing;
    private final SourceGroups sources;

    FlowSearch(Fabric fabric, Routing routing, SourceGroups sources) {
        this.fabric = fabric;
        this.routing = routing;
        this.sources = sources;
    }

    /** Returns a flow to a LID by an SL that uses a channel: of the nearest sender, of the first if several are. */
    Optional<Flow> through(int channel, int destinationLid, int sl) {
        return through(channel, ANY, destinationLid, sl);
    }

    /** The same with the channel that it has to want next. */
    Optional<Flow> through(int channel, int next, int destinationLid, int sl) {
        int self = fabric.portOfLid(destinationLid);
        int destinationClass = routing.sls().classOf(destinationLid);
        int nearest = Integer.MAX_VALUE;
        int nearestSender = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (Source source : sources.of(sw)) {
                int from = source.lidTo(self);
                if (from != 0 && sends(source, destinationClass, sl)) {
                    int hops = hops(sw, source, destinationLid, sl, channel, next);
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

    /** Returns after how many hops a packet is in the channel and wants the next, a large number if never. */
    private int hops(int first, Source source, int destinationLid, int sl, int channel, int next) {
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
            int at = Channel.number(port, vl);
            if (next == ANY ? at == channel : before == channel && at == next) {
                return hops;
            }
            int peer = fabric.peer(port);
            if (vl == SlToVl.DROP || output == 0 || peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
                return Integer.MAX_VALUE;
            }
            sw = fabric.nodeOf(peer);
            input = fabric.portNumber(peer);
            before = at;
        }
        return Integer.MAX_VALUE;
    }
}
