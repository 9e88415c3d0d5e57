package org.railyard.dlc;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** The sections about routers (spec 12 §5.2): checked, and refused where they would have to do something, because this node can not do it yet. */
final class Unsupported {
    private static final int MAX_HOPS = 255;
    private static final int MAX = Integer.MAX_VALUE;
    private static final Pattern CPT = Pattern.compile("cpt\\[[0-9]{1,4}]");

    private Unsupported() {}

    static void readRoutes(Item section) {
        for (Item each : section.items()) {
            Fields fields = Fields.of(
                    each,
                    List.of("net", "gateway", "hop", "priority", "seq_no"),
                    Set.of("state", "type", "health_sensitivity"));
            Item net = fields.require("net");
            if (net != null && !isNet(net.text())) {
                net.expected("the name of a net, such as o2ib1");
            }
            Item gateway = fields.require("gateway");
            if (gateway != null && !isNids(gateway.text())) {
                gateway.expected("the NID of a router, such as 10.0.0.1@tcp");
            }
            Item hop = fields.get("hop");
            if (hop != null && !hop.text().equals("-1")) {
                hop.number(1, MAX_HOPS);
            }
            fields.number("priority", 0, 0, MAX);
            each.found("a route", "none: routes are not supported yet, leave them out");
        }
    }

    private static boolean isNet(String text) {
        try {
            Net.parse(text);
            return true;
        } catch (NidFormatException e) {
            return false;
        }
    }

    private static boolean isNids(String text) {
        try {
            return !NidList.parse(text).nids().isEmpty();
        } catch (NidFormatException e) {
            return false;
        }
    }

    /** Reads {@code routing}, as a mapping or as the list that {@code show} prints. */
    static void readRouting(Item section) {
        for (Item each : section.items()) {
            each.entries().forEach((name, entry) -> {
                if (name.equals("enable")) {
                    entry.value().number(0, 3).ifPresent(value -> {
                        if (value % 2 == 1) {
                            entry.value().found("routing switched on", "0: this node can not route yet");
                        }
                    });
                } else if (!CPT.matcher(name).matches()) {
                    entry.key().found("the key '" + entry.key().shown() + "'", "enable");
                }
            });
        }
    }

    /** Reads {@code buffers}: without routing, nothing uses them. */
    static void readBuffers(Item section) {
        Fields fields = Fields.of(section, "tiny", "small", "large");
        for (String name : fields.names()) {
            fields.number(name, 0, 0, MAX);
        }
    }

    static void refuse(Item.Entry section, String expected) {
        section.key().found("the section '" + section.key().text() + "'", expected);
    }
}
