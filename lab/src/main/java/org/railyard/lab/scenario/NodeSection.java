package org.railyard.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Problem;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.NetType;

/** The configuration of nodes inside a scenario: lnetctl's YAML, whose interfaces must be devices of the nodes. */
final class NodeSection {
    private NodeSection() {}

    /**
     * Reads the configuration, or notes what is wrong with it.
     *
     * @param item where it is
     * @param devices rail by name of device that the nodes have
     * @param rails the rails by name
     */
    static @Nullable Configuration read(Item item, Map<String, String> devices, Map<String, Scenario.Rail> rails) {
        try {
            Configuration configuration = Configuration.read(item);
            for (NiSpec ni : configuration.nis()) {
                checkDevice(ni, item, devices);
                checkNetwork(ni, item, devices, rails);
            }
            return configuration;
        } catch (DocumentException e) {
            for (Problem problem : e.problems()) {
                item.findings().error(problem);
            }
            return null;
        }
    }

    /** Nets of type o2ib are on cards of a fabric, if the nodes have any; other nets never are, and groups always. */
    private static void checkNetwork(
            NiSpec ni, Item item, Map<String, String> devices, Map<String, Scenario.Rail> rails) {
        boolean anyFabric = devices.values().stream().anyMatch(rail -> isFabric(rail, rails));
        boolean group = interfaces(ni).size() > 1;
        boolean o2ib = ni.request().net().type().equals(Optional.of(NetType.O2IB));
        for (String name : interfaces(ni)) {
            boolean onFabric = isFabric(devices.get(name), rails);
            if (o2ib ? (anyFabric || group) && !onFabric : onFabric) {
                tell(
                        ni,
                        item,
                        ni.request().net() + " on '" + name + "'",
                        "nets of type o2ib on cards of a torus, other nets on other devices");
            }
        }
    }

    private static boolean isFabric(@Nullable String name, Map<String, Scenario.Rail> rails) {
        Scenario.Rail rail = name == null ? null : rails.get(name);
        return rail != null && rail.torus() != null;
    }

    private static List<String> interfaces(NiSpec ni) {
        String name = ni.request().interfaceName();
        return name == null ? List.of() : InterfaceNames.split(name);
    }

    private static void checkDevice(NiSpec ni, Item item, Map<String, String> devices) {
        String expected = "one of the node's devices: " + String.join(", ", devices.keySet());
        if (interfaces(ni).isEmpty()) {
            tell(ni, item, "an NI without an interface", expected);
        }
        for (String name : interfaces(ni)) {
            if (!devices.containsKey(name)) {
                tell(ni, item, "'" + name + "'", expected);
            }
        }
    }

    private static void tell(NiSpec ni, Item item, String found, String expected) {
        item.findings().error(ni.place(), found, expected);
    }
}
