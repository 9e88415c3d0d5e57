package org.railyard.sm;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.subnet.ManagedNode;

/** Names of ports by LID, as the last sweep found them; safe to print. For the loop. */
final class LidNames {
    private final Map<Long, ManagedNode> nodes;

    /** Who had a LID when it was last looked for: traps come in storms, and to look at all nodes takes long. */
    private final Map<Integer, Place> last = new TreeMap<>();

    private record Place(ManagedNode node, int port) {
        boolean has(int lid) {
            return LidNames.has(node.port(port), lid);
        }

        String name() {
            return node.isSwitch() ? node.name() : node.portName(port);
        }
    }

    /** Makes it over nodes that others change. */
    LidNames(Map<Long, ManagedNode> nodes) {
        this.nodes = nodes;
    }

    /** Returns the LID and, if it is known, who has it: the switch, or the node and its port. */
    String of(int lid) {
        Place place = last.get(lid);
        if (place == null || nodes.get(place.node.guid()) != place.node || !place.has(lid)) {
            place = find(lid);
        }
        if (place == null) {
            last.remove(lid);
            return "LID " + lid;
        }
        last.put(lid, place);
        return "LID %d (%s)".formatted(lid, place.name());
    }

    private @Nullable Place find(int lid) {
        for (ManagedNode node : nodes.values()) {
            for (int port = 0; port <= (node.isSwitch() ? 0 : node.lastPort()); port++) {
                if (has(node.port(port), lid)) {
                    return new Place(node, port);
                }
            }
        }
        return null;
    }

    /** Returns whether a LID is one of those of a port: with an LMC there are several. */
    static boolean has(@Nullable PortInfo port, int lid) {
        if (port == null) {
            return false;
        }
        int base = port.getInt(PortInfo.LID);
        return base != 0 && lid >= base && lid < base + (1 << port.getInt(PortInfo.LMC));
    }
}
