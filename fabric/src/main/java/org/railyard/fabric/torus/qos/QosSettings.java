package org.railyard.fabric.torus.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.railyard.fabric.route.SlToVl;

/**
 * The QoS settings of a subnet manager, and what in them does not go with torus-2QoS (spec 30 §8). Immutable.
 *
 * @param switches ports between switches, {@code qos_swe}
 * @param cas CA ports, {@code qos_ca}
 * @param managementPorts ports 0 of switches, {@code qos_sw0}
 * @param routers router ports, {@code qos_rtr}
 */
public record QosSettings(Ports switches, Ports cas, Ports managementPorts, Ports routers) {
    private static final int SWITCH_VLS = 8;
    private static final int END_VLS = 2;
    private static final int LEVEL_VLS = 4;

    /**
     * Settings of one kind of port.
     *
     * @param maxVls {@code max_vls}
     * @param high {@code vlarb_high}
     * @param low {@code vlarb_low}
     * @param slToVl {@code sl2vl} as a table of {@link SlToVl}, empty if it is not told; torus-2QoS has tables of its
     *     own
     */
    public record Ports(int maxVls, VlArbTable high, VlArbTable low, OptionalLong slToVl) {
        /** OpenSM's defaults. */
        public static final Ports DEFAULT =
                new Ports(15, VlArbTable.DEFAULT_HIGH, VlArbTable.DEFAULT_LOW, OptionalLong.empty());
    }

    /** Returns one line for each setting that torus-2QoS cannot keep its promises with. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        evenWeights("qos_swe_vlarb_high", switches.high(), warnings);
        evenWeights("qos_swe_vlarb_low", switches.low(), warnings);
        common("qos_swe", switches, SWITCH_VLS, warnings);
        end("qos_ca", cas, warnings);
        end("qos_sw0", managementPorts, warnings);
        end("qos_rtr", routers, warnings);
        return warnings;
    }

    private static void end(String prefix, Ports ports, List<String> warnings) {
        unusedVls(prefix + "_vlarb_high", ports.high(), warnings);
        unusedVls(prefix + "_vlarb_low", ports.low(), warnings);
        common(prefix, ports, END_VLS, warnings);
    }

    private static void common(String prefix, Ports ports, int vls, List<String> warnings) {
        if (ports.maxVls() < vls) {
            warnings.add("warning: " + prefix + "_max_vls is " + ports.maxVls() + ", torus-2QoS wants " + vls);
        }
        if (ports.slToVl().isPresent()) {
            warnings.add("warning: " + prefix + "_sl2vl is overridden by torus-2QoS");
        }
    }

    private static void evenWeights(String name, VlArbTable table, List<String> warnings) {
        if (uneven(table, 0) || uneven(table, LEVEL_VLS)) {
            warnings.add("warning: " + name + " must give VLs 0-3 the same weight, and VLs 4-7 the same weight");
        }
    }

    private static boolean uneven(VlArbTable table, int firstVl) {
        for (int vl = firstVl + 1; vl < firstVl + LEVEL_VLS; vl++) {
            if (table.weight(vl) != table.weight(firstVl)) {
                return true;
            }
        }
        return false;
    }

    private static void unusedVls(String name, VlArbTable table, List<String> warnings) {
        for (int vl = END_VLS; vl < SWITCH_VLS; vl++) {
            if (table.weight(vl) > 0) {
                warnings.add("warning: " + name + " gives weight to VL " + vl + ", but end ports use VLs 0 and 1 only");
                return;
            }
        }
    }
}
