package org.railyard.fabric.torus.conf;

import java.util.List;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * What a {@code torus-2QoS.conf} says (spec 30 §1.2). Immutable.
 *
 * @param shape radices and open dimensions
 * @param seeds in the order of the file; the first is the default, the others are backups
 * @param portgroupMaxPorts most cables between two switches, and most end ports of a switch including port 0; 1 to 255
 * @param portOrder end ports in the order in which they are spread over parallel cables, 0 to 254 each; those not named
 *     follow ascending
 * @param maxChanges most differences between two runs that are reported
 */
public record TorusConf(
        TorusShape shape, List<TorusSeed> seeds, int portgroupMaxPorts, List<Integer> portOrder, int maxChanges) {
    /** The engine's name in OpenSM's {@code routing_engine}. */
    public static final String ENGINE = "torus-2QoS";

    /** What {@code portgroup_max_ports} is unless told. */
    public static final int DEFAULT_PORTGROUP_MAX_PORTS = 16;

    /** What {@code max_changes} is unless told. */
    public static final int DEFAULT_MAX_CHANGES = 32;

    /** Copies the lists. */
    public TorusConf {
        seeds = List.copyOf(seeds);
        portOrder = List.copyOf(portOrder);
    }

    /** Returns the file that says the same, readable by OpenSM; settings with their default value are left out. */
    public String toText() {
        StringBuilder text = new StringBuilder("torus");
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            text.append(' ').append(shape.radix(d)).append(shape.open(d) && shape.radix(d) > 2 ? "M" : "");
        }
        text.append('\n');
        for (int i = 0; i < seeds.size(); i++) {
            text.append(i == 0 ? "" : "next_seed\n");
            append(text, seeds.get(i));
        }
        if (portgroupMaxPorts != DEFAULT_PORTGROUP_MAX_PORTS) {
            text.append("portgroup_max_ports ").append(portgroupMaxPorts).append('\n');
        }
        if (!portOrder.isEmpty()) {
            text.append("port_order");
            portOrder.forEach(port -> text.append(' ').append(port));
            text.append('\n');
        }
        if (maxChanges != DEFAULT_MAX_CHANGES) {
            text.append("max_changes ").append(maxChanges).append('\n');
        }
        return text.toString();
    }

    private static void append(StringBuilder text, TorusSeed seed) {
        seed.links()
                .forEach((group, link) -> text.append(SeedRules.keyword(group))
                        .append(' ')
                        .append(SeedRules.hex(link.from()))
                        .append(' ')
                        .append(SeedRules.hex(link.to()))
                        .append('\n'));
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            if (seed.dateline(d) != 0) {
                text.append("xyz".charAt(d))
                        .append("_dateline ")
                        .append(seed.dateline(d))
                        .append('\n');
            }
        }
    }
}
