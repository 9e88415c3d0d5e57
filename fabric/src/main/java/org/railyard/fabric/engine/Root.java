package org.railyard.fabric.engine;

import java.util.List;
import org.railyard.fabric.model.Fabric;

/**
 * A switch that is to be a root.
 *
 * @param guid node GUID
 * @param place where that is said, such as {@code roots:3}
 */
public record Root(long guid, String place) {
    /** Returns whether it is in a fabric. */
    boolean isIn(Fabric fabric) {
        int node = fabric.nodeOfGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) && fabric.isConnected(node);
    }

    /** Returns a line for each root that is not in a fabric. */
    static List<String> missing(List<Root> roots, Fabric fabric) {
        return roots.stream()
                .filter(root -> !root.isIn(fabric))
                .map(root -> "%s: no switch with a cable has the node GUID 0x%016x: it is no root"
                        .formatted(root.place, root.guid))
                .toList();
    }
}
