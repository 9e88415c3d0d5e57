package org.railyard.sm;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.subnet.ManagedNode;

/** Names of ports by LID, as the last sweep found them; safe to print. For the loop. */
final class LidNames {
    private final Map<Long, ManagedNode> nodes;

    /** Makes it over nodes that others change. */
    LidNames(Map<Long, ManagedNode> nodes) {
        this.nodes = nodes;
    }

    /** Returns the LID and, if it is known, who has it: the switch, or the node and its port. */
    String of(int lid) {
        for (ManagedNode node : nodes.values()) {
            for (int port = 0; port <= (node.isSwitch() ? 0 : node.lastPort()); port++) {
                if (has(node.port(port), lid)) {
                    return "LID %d (%s)".formatted(lid, node.isSwitch() ? node.name() : node.portName(port));
                }
            }
        }
        return "LID " + lid;
    }

    private static boolean has(@Nullable PortInfo port, int lid) {
        if (port == null) {
            return false;
        }
        int base = port.getInt(PortInfo.LID);
        return base != 0 && lid >= base && lid < base + (1 << port.getInt(PortInfo.LMC));
    }
}
