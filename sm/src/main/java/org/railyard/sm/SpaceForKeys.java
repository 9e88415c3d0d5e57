package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.sm.program.Desired;
import org.railyard.sm.program.PartitionEnforcement;

/** Ports that have space for fewer P_Keys than they shall have (spec 41 §8): a line for a cause, not for a port. */
final class SpaceForKeys {
    /** Most ports that a line names. */
    private static final int MAX_NAMED = 8;

    private SpaceForKeys() {}

    /** Tells which end ports keep the tables that they have; returns nothing if there is none. */
    static List<String> excess(Desired desired) {
        Fabric fabric = desired.fabric();
        List<String> ports = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.lid(port) != 0 && desired.lacksKeySpace(port)) {
                ports.add("%s: %d P_Keys, but there is space for %d"
                        .formatted(
                                fabric.portName(port),
                                desired.keys().of(fabric, port).size(),
                                desired.keySpace(port)));
            }
        }
        return SomeNames.line(
                ports,
                ": its table is left as it is; put it into fewer partitions",
                "%d ports have space for fewer P_Keys than they shall have, their tables are left as they are; put them"
                        + " into fewer partitions",
                MAX_NAMED,
                "; ");
    }

    /** Tells which ports of switches enforce nothing, because they would keep out what belongs there. */
    static List<String> unenforced(Desired desired) {
        Fabric fabric = desired.fabric();
        List<String> ports = new ArrayList<>();
        if (desired.ports().enforcement() == PartitionEnforcement.OFF) {
            return ports;
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int end = desired.endBehind(port);
            int space = desired.enforcedKeys(port);
            if (space > 0 && end != Fabric.NONE && !desired.mayEnforce(port)) {
                ports.add("%s: %d P_Keys of %s, but there is space for %d"
                        .formatted(
                                fabric.portName(port),
                                desired.keys().of(fabric, end).size(),
                                fabric.portName(end),
                                space));
            }
        }
        return SomeNames.line(
                ports,
                ": it enforces no partitions",
                "%d ports of switches have space for fewer P_Keys than the hosts behind them, and enforce no"
                        + " partitions",
                MAX_NAMED,
                "; ");
    }
}
