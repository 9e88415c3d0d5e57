package org.railyard.lab.scenario;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.dlc.Configuration;
import org.railyard.dlc.ConfigurationException;
import org.railyard.dlc.NiSpec;
import org.railyard.dlc.Problem;

/** The configuration of nodes inside a scenario: lnetctl's YAML, whose interfaces must be devices of the nodes. */
final class NodeSection {
    private NodeSection() {}

    /**
     * Reads the configuration, or notes what is wrong with it.
     *
     * @param item where it is
     * @param devices the devices that the nodes have
     */
    static @Nullable Configuration read(Item item, Map<String, String> devices) {
        try {
            Configuration configuration = Configuration.read(item.problems().file(), item.node());
            for (NiSpec ni : configuration.nis()) {
                checkDevice(ni, item, devices);
            }
            return configuration;
        } catch (ConfigurationException e) {
            for (Problem problem : e.problems()) {
                item.problems().add(problem.toString());
            }
            return null;
        }
    }

    private static void checkDevice(NiSpec ni, Item item, Map<String, String> devices) {
        String name = ni.request().interfaceName();
        if (name == null || !devices.containsKey(name)) {
            item.problems()
                    .add(new Problem(
                                    ni.place(),
                                    name == null ? "an NI without an interface" : "'" + name + "'",
                                    "one of the node's devices: " + String.join(", ", devices.keySet()))
                            .toString());
        }
    }
}
