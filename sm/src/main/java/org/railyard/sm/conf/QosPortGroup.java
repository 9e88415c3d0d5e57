package org.railyard.sm.conf;

import java.util.List;
import java.util.Set;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;

/**
 * Ports that rules of a QoS policy name together: each of what follows adds some.
 *
 * @param name as rules name it
 * @param guids port GUIDs
 * @param portNames ports as {@code DESCRIPTION/P1}
 * @param pKeys P_Keys, 15 bits, of partitions whose members belong to it
 * @param types node types whose ports belong to it
 * @param hasManager whether the port of the subnet manager does
 */
public record QosPortGroup(
        String name,
        List<QosRange> guids,
        Set<String> portNames,
        List<QosRange> pKeys,
        Set<NodeType> types,
        boolean hasManager) {
    private static final int PARTITION = 0x7FFF;

    /** Takes copies. */
    public QosPortGroup {
        guids = List.copyOf(guids);
        portNames = Set.copyOf(portNames);
        pKeys = List.copyOf(pKeys);
        types = Set.copyOf(types);
    }

    /**
     * Tells whether an end port belongs to it.
     *
     * @param port port index
     * @param keys P_Keys of the port
     * @param isManager whether the subnet manager is there
     */
    public boolean has(Fabric fabric, int port, int[] keys, boolean isManager) {
        int node = fabric.nodeOf(port);
        if (isManager && hasManager
                || types.contains(fabric.type(node))
                || QosRange.anyHas(guids, fabric.portGuid(port))
                || !portNames.isEmpty()
                        && portNames.contains(fabric.rawDescription(node) + "/P" + fabric.portNumber(port))) {
            return true;
        }
        for (int key : keys) {
            if (QosRange.anyHas(pKeys, key & PARTITION)) {
                return true;
            }
        }
        return false;
    }
}
