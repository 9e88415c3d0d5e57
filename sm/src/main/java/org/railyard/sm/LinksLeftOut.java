package org.railyard.sm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;

/** Why links are left out of the routes of a sweep: their own fault, or that of a node that was told nothing more. */
final class LinksLeftOut {
    /** Most links of one node that a line names. */
    private static final int MAX_NAMED = 8;

    private LinksLeftOut() {}

    /**
     * Returns a line for each link that did not come up, and one for all those of a node that gave no answer to a Set.
     *
     * @param dead one end of each of them
     */
    static List<String> notes(FoundSubnet found, Fabric fabric, BitSet dead) {
        List<String> notes = new ArrayList<>();
        Map<String, List<String>> ofLost = new LinkedHashMap<>();
        for (int port = dead.nextSetBit(0); port >= 0; port = dead.nextSetBit(port + 1)) {
            int far = fabric.cable(port);
            String link = fabric.portName(port) + " to " + fabric.portName(far);
            ManagedNode near = SubnetSweep.node(found, port);
            ManagedNode other = SubnetSweep.node(found, far);
            if (near.isLost() || other.isLost()) {
                ofLost.computeIfAbsent((near.isLost() ? near : other).name(), _ -> new ArrayList<>())
                        .add(link);
            } else {
                notes.add(link + ": does not become active; bad cable or port, or requests that were lost?");
            }
        }
        ofLost.forEach((node, links) -> notes.add(node
                + ": gave no answer, so these links of it are left out until it does: "
                + SomeNames.of(links, MAX_NAMED)));
        return notes;
    }
}
