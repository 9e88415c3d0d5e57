package org.railyard.fabric.format;

import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;

/** Finds end ports by their GUID. */
final class EndPortsByGuid {
    private final Fabric fabric;
    private final Map<Long, Integer> portOf = new TreeMap<>();

    EndPortsByGuid(Fabric fabric) {
        this.fabric = fabric;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.portGuid(port) != 0) {
                portOf.putIfAbsent(fabric.portGuid(port), port);
            }
        }
    }

    /** Returns the port with this GUID, or {@link Fabric#NONE}. */
    int port(long guid) {
        return portOf.getOrDefault(guid, Fabric.NONE);
    }

    /**
     * Returns where an entry written for a port belongs now: base LID + offset within the LMC, or the written LID if
     * the port is unknown.
     */
    int presentLid(long guid, int written) {
        int there = fabric.portOfLid(written);
        if (there != Fabric.NONE && fabric.portGuid(there) == guid) {
            // As a rule nothing moved, and there are very many entries.
            return written;
        }
        int port = port(guid);
        if (port == Fabric.NONE || fabric.lid(port) == 0) {
            return written;
        }
        return fabric.lid(port) + (written & (1 << fabric.lmc(port)) - 1);
    }
}
