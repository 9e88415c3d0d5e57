package org.railyard.sm.program;

import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;

/** End ports of a fabric by what clients name them by. */
public final class EndPorts {
    private EndPorts() {}

    /**
     * Returns the end ports that have a GUID and a LID, by their GUID: of several that claim one, that which has the
     * LID, and of these the first.
     */
    public static Map<Long, Integer> byGuid(Fabric fabric) {
        Map<Long, Integer> ports = new TreeMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.portGuid(port) != 0 && fabric.lid(port) != 0) {
                ports.putIfAbsent(fabric.portGuid(port), port);
            }
        }
        return ports;
    }
}
