package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Settings;
import org.railyard.lnet.Tunable;
import org.railyard.lnet.UdspRule;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidFormatException;

/** Reads the configuration of a node in lnetctl's YAML (spec 12 §5), as far as a simulated node needs it: nets with their interfaces and tunables, global tunables and selection rules. */
final class LnetctlConfig {
    private static final int MAX_CREDITS = 65_535;

    private final Item item;
    private final Map<String, String> devices;
    private final List<NiRequest> nis = new ArrayList<>();

    private LnetctlConfig(Item item, Map<String, String> devices) {
        this.item = item;
        this.devices = devices;
    }

    /**
     * Reads the configuration.
     *
     * @param item where it is
     * @param devices the devices that the node has
     */
    static NodeConfig read(Item item, Map<String, String> devices) {
        return new LnetctlConfig(item, devices).read();
    }

    private NodeConfig read() {
        Fields fields = item.fields("net", "global", "udsp");
        Item nets = fields.require("net");
        if (nets != null) {
            nets.items().forEach(this::net);
        }
        Settings settings = Settings.DEFAULT;
        Item global = fields.get("global");
        List<UdspRule> policy = new ArrayList<>();
        Item udsp = fields.get("udsp");
        if (udsp != null) {
            udsp.items().forEach(each -> rule(each, policy));
        }
        return new NodeConfig(nis, global == null ? settings : global(global, settings), policy);
    }

    private void net(Item entry) {
        Fields fields = entry.fields("net type", "local NI(s)");
        Item type = fields.require("net type");
        Item local = fields.require("local NI(s)");
        if (type == null || local == null) {
            return;
        }
        try {
            Net net = Net.parse(type.text());
            local.items().forEach(ni -> ni(net, ni));
        } catch (NidFormatException e) {
            type.expected("the name of a net, such as tcp or o2ib1");
        }
    }

    private void ni(Net net, Item entry) {
        Fields fields = entry.fields("interfaces", "tunables");
        Item interfaces = fields.require("interfaces");
        Item tunables = fields.get("tunables");
        NetTunables values = tunables == null ? NetTunables.DEFAULT : tunables(tunables);
        if (interfaces == null) {
            return;
        }
        for (Item name : interfaces.fields().byName().values()) {
            if (!devices.containsKey(name.text())) {
                name.expected("one of the node's devices: " + String.join(", ", devices.keySet()));
            } else {
                nis.add(NiRequest.ofInterface(net, name.text()).withTunables(values));
            }
        }
    }

    private static NetTunables tunables(Item item) {
        Fields fields = item.fields("peer_timeout", "peer_credits", "peer_buffer_credits", "credits");
        NetTunables otherwise = NetTunables.DEFAULT;
        return new NetTunables(
                (int) fields.number("peer_timeout", otherwise.peerTimeout(), 0, Integer.MAX_VALUE),
                (int) fields.number("peer_credits", otherwise.peerCredits(), 1, MAX_CREDITS),
                (int) fields.number("peer_buffer_credits", otherwise.peerBufferCredits(), 0, MAX_CREDITS),
                (int) fields.number("credits", otherwise.credits(), 1, MAX_CREDITS));
    }

    private static void rule(Item item, List<UdspRule> policy) {
        Fields fields = item.fields("idx", "src", "dst", "rte", "action", "priority");
        Item action = fields.get("action");
        Fields priority = action == null ? fields : action.fields("priority");
        try {
            UdspRule rule = UdspRule.of(part(fields, "src"), part(fields, "dst"), part(fields, "rte"));
            policy.add(
                    priority.has("priority")
                            ? rule.withPriority(priority.number("priority", 0, 0, UdspRule.MAX_PRIORITY))
                            : rule);
        } catch (LNetException e) {
            item.found("a rule that can not be", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String part(Fields fields, String name) {
        Item item = fields.get(name);
        return item == null || item.text().equals("NA") ? null : item.text();
    }

    private static Settings global(Item item, Settings settings) {
        Settings changed = settings;
        for (Map.Entry<String, Item> each : item.fields().byName().entrySet()) {
            Item value = each.getValue();
            Optional<Tunable> tunable = Tunable.find(each.getKey());
            Optional<Integer> number = tunable.flatMap(known -> known.parse(value.text()));
            if (tunable.isEmpty()) {
                value.found("the tunable '" + each.getKey() + "'", "the name of one");
            } else if (number.isEmpty()) {
                value.expected("a value of " + each.getKey());
            } else {
                try {
                    changed = changed.with(tunable.get(), number.get());
                } catch (LNetException e) {
                    value.expected("one that fits: " + e.getMessage());
                }
            }
        }
        return changed;
    }
}
