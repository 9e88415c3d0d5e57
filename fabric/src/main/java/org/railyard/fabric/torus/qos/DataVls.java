package org.railyard.fabric.torus.qos;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;

/**
 * The smallest numbers of data VLs in a fabric (spec 30 §1.1).
 *
 * @param switches over ports between switches, capped by {@code max_op_vls}; 1 to 15
 * @param ends over CA and router ports; 1 to 15
 */
public record DataVls(int switches, int ends) {
    private static final int MOST = 15;
    private static final int[] BY_CODE = {1, 1, 2, 4, 8, MOST};

    /**
     * Looks at all ports whose link is up.
     *
     * @param maxOpVls cap, coded like VLCap: 1 to 5
     */
    public static DataVls of(Fabric fabric, int maxOpVls) {
        int switches = MOST;
        int ends = MOST;
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer == Fabric.NONE) {
                continue;
            }
            int vls = BY_CODE[Math.min(fabric.vlCap(port), maxOpVls)];
            if (!fabric.isSwitch(fabric.nodeOf(port))) {
                ends = Math.min(ends, vls);
            } else if (fabric.isSwitch(fabric.nodeOf(peer))) {
                switches = Math.min(switches, vls);
            }
        }
        return new DataVls(switches, ends);
    }

    /** Returns what cannot be done at all with these VLs. */
    public List<Refusal.Reason> problems(QosMode mode) {
        List<Refusal.Reason> problems = new ArrayList<>();
        if (switches < 2) {
            problems.add(new Refusal.Reason(
                    "4E48", "switches offer " + switches + " data VL, a torus needs 2: look at VLCap and max_op_vls"));
        } else if (switches < mode.neededVls()) {
            problems.add(new Refusal.Reason(
                    "vls",
                    "multicast on VLs of its own needs " + mode.neededVls() + " data VLs, switches offer " + switches));
        }
        return problems;
    }

    /** Returns what these VLs do not allow, for the log. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (switches < 4) {
            warnings.add("warning: " + switches + " data VLs between switches: no failed switch can be routed around");
        }
        if (switches < 8) {
            warnings.add("warning: " + switches + " data VLs between switches: both QoS levels share them");
        }
        if (ends < 2) {
            warnings.add("warning: " + ends + " data VL at end ports: both QoS levels share it");
        }
        return warnings;
    }
}
