package org.railyard.fabric.torus.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.railyard.fabric.format.OpenSmConf;
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

    /**
     * A setting that torus-2QoS cannot keep its promises with.
     *
     * @param setting of one kind of port, such as {@code qos_swe_vlarb_high}
     * @param text what is wrong with it, to be read behind its name
     */
    public record Finding(String setting, String text) {
        private String shared() {
            return setting.replaceFirst("_(swe|ca|sw0|rtr)_", "_");
        }

        /** Returns the setting of a configuration that counts: that of the kind, unless there is only one for all. */
        public String in(OpenSmConf conf) {
            return conf.find(setting).isEmpty() && conf.find(shared()).isPresent() ? shared() : setting;
        }
    }

    /** Returns one line for each setting that torus-2QoS cannot keep its promises with. */
    public List<String> warnings() {
        return findings().stream()
                .map(each -> "warning: %s (or %s) %s".formatted(each.setting, each.shared(), each.text))
                .toList();
    }

    /** Returns the settings that torus-2QoS cannot keep its promises with. */
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        evenWeights("qos_swe_vlarb_high", switches.high(), findings);
        evenWeights("qos_swe_vlarb_low", switches.low(), findings);
        common("qos_swe", switches, SWITCH_VLS, findings);
        end("qos_ca", cas, findings);
        end("qos_sw0", managementPorts, findings);
        end("qos_rtr", routers, findings);
        return findings;
    }

    private static void end(String prefix, Ports ports, List<Finding> findings) {
        unusedVls(prefix + "_vlarb_high", ports.high(), findings);
        unusedVls(prefix + "_vlarb_low", ports.low(), findings);
        common(prefix, ports, END_VLS, findings);
    }

    private static void common(String prefix, Ports ports, int vls, List<Finding> findings) {
        if (ports.maxVls() < vls) {
            findings.add(new Finding(prefix + "_max_vls", "is " + ports.maxVls() + ", torus-2QoS wants " + vls));
        }
        if (ports.slToVl().isPresent()) {
            findings.add(new Finding(prefix + "_sl2vl", "is overridden by torus-2QoS"));
        }
    }

    private static void evenWeights(String name, VlArbTable table, List<Finding> findings) {
        if (uneven(table, 0) || uneven(table, LEVEL_VLS)) {
            findings.add(new Finding(name, "must give VLs 0-3 the same weight, and VLs 4-7 the same weight"));
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

    private static void unusedVls(String name, VlArbTable table, List<Finding> findings) {
        for (int vl = END_VLS; vl < SWITCH_VLS; vl++) {
            if (table.weight(vl) > 0) {
                findings.add(new Finding(name, "gives weight to VL " + vl + ", but end ports use VLs 0 and 1 only"));
                return;
            }
        }
    }
}
