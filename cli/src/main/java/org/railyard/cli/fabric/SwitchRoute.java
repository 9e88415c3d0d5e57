package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.text.Doc;
import org.railyard.fabric.analysis.HopReasons;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusPlan;

/** Why a switch sends packets for a LID where it does: the entry, and the way on from there. */
public final class SwitchRoute {
    private final Fabric fabric;
    private final Routing routing;
    private final Optional<TorusPlan> plan;

    /**
     * Prepares it.
     *
     * @param plan how the torus is routed; empty for other engines
     */
    public SwitchRoute(Fabric fabric, Routing routing, Optional<TorusPlan> plan) {
        this.fabric = fabric;
        this.routing = routing;
        this.plan = plan;
    }

    /**
     * Returns the entry with the way on, hop by hop.
     *
     * @param name the switch: description or GUID
     * @param destination an end port: LID, GUID or description
     * @throws FabricInputException if there is no such switch or end port
     */
    public Map<String, Object> document(String name, String destination) {
        EndPortFinder finder = new EndPortFinder(fabric);
        int sw = finder.findSwitch(name);
        int target = finder.find(destination);
        int lid = finder.lid(destination, target);
        int output = routing.forwarding().port(sw, lid);
        Doc doc = new Doc()
                .put("switch", fabric.description(sw))
                .put("lid", lid)
                .put("destination", fabric.portName(target))
                .put("engine", routing.engine());
        if (output > fabric.ports(sw)) {
            return doc.put("port", "none")
                    .put("why", "the engine has no way from here to this LID")
                    .map();
        }
        doc.put("port", output);
        if (output == 0) {
            return doc.put("why", "it is the LID of the switch itself").map();
        }
        int own = fabric.portIndex(sw, 0);
        int sl = routing.sls().sl(fabric.lid(own), lid, 0);
        doc.put("sl", sl == PathSls.NO_SL ? "none" : Integer.toString(sl));
        if (sl != PathSls.NO_SL) {
            TablePath path = TablePath.follow(fabric, routing, own, lid, sl);
            doc.put("hops", hops(path)).put("end", path.end().text());
        }
        return doc.map();
    }

    private List<Object> hops(TablePath path) {
        Optional<List<String>> reasons = plan.map(torus ->
                new HopReasons(fabric, TorusLayout.of(fabric, torus.placement()), Optional.of(torus.order())).of(path));
        List<Object> hops = new ArrayList<>();
        for (int i = 0; i < path.hops().size(); i++) {
            TablePath.Hop hop = path.hops().get(i);
            Doc one = new Doc()
                    .put("from", fabric.portName(hop.port()))
                    .put("to", fabric.portName(fabric.peer(hop.port())))
                    .put("vl", hop.vl());
            String why = reasons.isPresent() ? reasons.get().get(i) : "";
            hops.add((why.isEmpty() ? one : one.put("why", why)).map());
        }
        return hops;
    }
}
