package org.railyard.config.parameter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.NetSpecs.InterfaceSpec;
import org.railyard.config.parameter.NetSpecs.NetSpec;
import org.railyard.lnet.api.Routes;

/** Turns the module parameters into the YAML that says the same. */
public final class Conversion {
    private Conversion() {}

    /**
     * Returns the document.
     *
     * @param networks the parameter of that name, blank for none
     * @param ip2nets the parameter of that name, blank for none
     * @param routes the parameter of that name, blank for none
     * @param bonding whether the interfaces of a net of type o2ib are one NI (spec 21 cb-008)
     * @param warnings is told of what YAML says otherwise on some nodes
     * @throws ErrnoException EINVAL if one can not be read, or YAML has no words for it
     */
    public static Map<String, Object> document(
            String networks, String ip2nets, String routes, boolean bonding, Consumer<String> warnings) {
        Doc document = new Doc();
        if (!networks.isBlank()) {
            document.put("net", nets(NetSpecs.parse(networks), bonding));
        }
        if (!ip2nets.isBlank()) {
            document.put("ip2nets", AddressRuleConversion.rules(Ip2Nets.parse(ip2nets), bonding, warnings));
        }
        if (!routes.isBlank()) {
            document.put(
                    "route",
                    RouteSpecs.parse(routes).stream().map(Conversion::route).toList());
        }
        return document.map();
    }

    private static Object route(RouteSpecs.Route route) {
        Doc doc = new Doc()
                .put("net", route.net().toString())
                .put("gateway", route.gateway().toString());
        if (route.hops() != Routes.UNDEFINED_HOPS) {
            doc.put("hop", route.hops());
        }
        return doc.put("priority", route.priority()).map();
    }

    private static List<Object> nets(List<NetSpec> specs, boolean bonding) {
        Map<String, List<Object>> byNet = new LinkedHashMap<>();
        for (NetSpec spec : specs) {
            List<Object> nis = byNet.computeIfAbsent(spec.net().toString(), net -> new ArrayList<>());
            boolean group = bonding
                    && NiGroups.isBondable(spec.net())
                    && !spec.interfaces().isEmpty();
            if (group) {
                Doc ni = new Doc().put("interfaces", numbered(spec.names())).put("bonding", true);
                putCpts(ni, spec.groupCpts());
                nis.add(ni.map());
            }
            for (InterfaceSpec each : group ? List.<InterfaceSpec>of() : spec.interfaces()) {
                Doc ni = new Doc().put("interfaces", numbered(List.of(each.name())));
                putCpts(ni, each.cpts());
                nis.add(ni.map());
            }
            if (nis.isEmpty()) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "networks: " + spec.net()
                                + " without an interface means the first usable one of the machine; name it,"
                                + " such as " + spec.net() + "(eth0)");
            }
        }
        List<Object> nets = new ArrayList<>();
        byNet.forEach((net, nis) ->
                nets.add(new Doc().put("net type", net).put("local NI(s)", nis).map()));
        return nets;
    }

    static void putCpts(Doc doc, List<Integer> cpts) {
        if (!cpts.isEmpty()) {
            doc.put("CPT", cpts.toString().replace(" ", ""));
        }
    }

    static Doc numbered(List<String> texts) {
        Doc doc = new Doc();
        for (int i = 0; i < texts.size(); i++) {
            doc.put(Integer.toString(i), texts.get(i));
        }
        return doc;
    }
}
