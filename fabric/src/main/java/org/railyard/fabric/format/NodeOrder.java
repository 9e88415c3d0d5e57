package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;

/** The order of OpenSM's dumps. */
final class NodeOrder {
    private NodeOrder() {}

    /** Returns all nodes by ascending GUID, of whatever type: a merge of the two sorted parts of the fabric. */
    static int[] byGuid(Fabric fabric) {
        int[] order = new int[fabric.nodeCount()];
        int sw = 0;
        int end = fabric.switchCount();
        for (int i = 0; i < order.length; i++) {
            boolean takeSwitch = sw < fabric.switchCount()
                    && (end == fabric.nodeCount() || Long.compareUnsigned(fabric.guid(sw), fabric.guid(end)) < 0);
            order[i] = takeSwitch ? sw++ : end++;
        }
        return order;
    }
}
