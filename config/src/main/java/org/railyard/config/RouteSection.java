package org.railyard.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** The sections about routers: {@code route} and {@code routing} (spec 12 §5.2). */
final class RouteSection {
    private static final String EXPECTED_GATEWAY = "the NID of a router, such as 10.0.0.1@tcp";
    private static final int MAX_HOPS = 255;
    private static final int MAX = Integer.MAX_VALUE;
    private static final int LAST_STATE = 3;
    private static final Pattern CPT = Pattern.compile("cpt\\[[0-9]{1,4}]");
    private static final Set<String> SHOWN = Set.of("state", "type", "health_sensitivity");

    private final List<RouteSpec> routes = new ArrayList<>();
    private final Map<String, Place> places = new LinkedHashMap<>();
    private @Nullable Boolean forwarding;

    List<RouteSpec> routes() {
        return routes;
    }

    /** Returns whether the node is to forward, null if the file does not say. */
    @Nullable
    Boolean forwarding() {
        return forwarding;
    }

    void readRoutes(Item section) {
        section.items().forEach(this::route);
    }

    private void route(Item item) {
        Fields fields = Fields.of(item, List.of("net", "gateway", "hop", "priority", "seq_no"), SHOWN);
        Item netItem = fields.require("net");
        Item gatewayItem = fields.require("gateway");
        Item hopItem = fields.get("hop");
        int hops = Routes.UNDEFINED_HOPS;
        if (hopItem != null && !hopItem.text().equals("-1")) {
            hops = (int) hopItem.number(1, MAX_HOPS).orElse(1);
        }
        int priority = fields.number("priority", 0, 0, MAX);
        Net net = netItem == null ? null : NetSection.netOf(netItem);
        List<Nid> gateways = gatewayItem == null ? List.of() : gateways(gatewayItem);
        if (net == null || gateways.isEmpty()) {
            return;
        }
        for (Nid gateway : gateways) {
            Place before = places.putIfAbsent(net + " by " + gateway, item.place());
            if (before != null) {
                item.found(
                        "the route to " + net + " by " + gateway + " again",
                        "each route once; it is at " + before.at());
                return;
            }
        }
        routes.add(new RouteSpec(net, gateways, hops, priority, item.place()));
    }

    private static List<Nid> gateways(Item item) {
        try {
            List<Nid> gateways = NidList.parse(item.text()).nids();
            for (Nid gateway : gateways) {
                String why = gateway.whyNotCalled();
                if (why != null) {
                    item.expected(EXPECTED_GATEWAY + " (" + gateway + " " + why + ")");
                    return List.of();
                }
            }
            return gateways;
        } catch (NidFormatException e) {
            item.expected(EXPECTED_GATEWAY);
            return List.of();
        }
    }

    /** Reads {@code routing}, as a mapping or as the list that {@code show} prints. */
    void readRouting(Item section) {
        for (Item each : section.items()) {
            each.entries().forEach((name, entry) -> {
                if (name.equals("enable")) {
                    // 2 is on its way to 0, and 3 to 1.
                    entry.value().number(0, LAST_STATE).ifPresent(value -> forwarding = value % 2 == 1);
                } else if (!CPT.matcher(name).matches()) {
                    entry.key().unknownKey("enable");
                }
            });
        }
    }
}
