package org.railyard.node.o2ib;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.tune.LiveNi;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.DeviceAttributes.Ability;

/** What a running NI has for the calculator of tunables, as a document that goes over the control socket, and back. */
public final class LiveNiDocument {
    private static final String PROTOCOL = "protocol";
    private static final String NID = "nid";
    private static final String PROFILE = "profile";
    private static final String INTERFACES = "interfaces";
    private static final String REGISTRATION = "registration";
    private static final String ABILITIES = "abilities";
    private static final String QUEUE_DEPTH = "queue_depth";
    private static final String MAX_FRAGS = "max_frags";

    private LiveNiDocument() {}

    /** Puts together what is known of an NI and its routes. */
    static LiveNi liveNi(InterfaceGroupView group, List<RouteSetView> sets) {
        return new LiveNi(
                group.nid(),
                group.tunables().given(),
                group.members().stream()
                        .map(member -> new LiveNi.Interface(
                                member.interfaceName(),
                                member.device(),
                                member.attributes(),
                                Registration.named(member.registration())))
                        .toList(),
                sets.stream().map(LiveNiDocument::peer).toList());
    }

    private static LiveNi.Peer peer(RouteSetView set) {
        return new LiveNi.Peer(
                set.peer(),
                set.routes().stream()
                        .map(route -> new LiveNi.Route(
                                route.interfaceName(),
                                Ipv4.text(route.remoteIp()),
                                route.extra(),
                                route.connections(),
                                route.protocol(),
                                route.agreed()))
                        .toList());
    }

    /** Writes a document. */
    public static Map<String, Object> of(LiveNi ni) {
        Doc tunables = new Doc();
        for (O2ibTunable tunable : O2ibTunable.values()) {
            if (ni.tunables().isGiven(tunable)) {
                tunables.put(tunable.text(), ni.tunables().get(tunable));
            }
        }
        List<Object> interfaces = new ArrayList<>();
        ni.interfaces().forEach(each -> interfaces.add(document(each)));
        List<Object> peers = new ArrayList<>();
        for (LiveNi.Peer peer : ni.peers()) {
            List<Object> routes = new ArrayList<>();
            peer.routes().forEach(route -> routes.add(document(route)));
            peers.add(new Doc()
                    .put(NID, peer.nid().toString())
                    .put("routes", routes)
                    .map());
        }
        return new Doc()
                .put(NID, ni.nid().toString())
                .put("tunables", tunables)
                .put(INTERFACES, interfaces)
                .put("peers", peers)
                .map();
    }

    private static Map<String, Object> document(LiveNi.Interface each) {
        DeviceAttributes device = each.attributes();
        return new Doc()
                .put("interface", each.name())
                .put("device", each.device())
                .put(REGISTRATION, each.registration().text())
                .put(PROFILE, device.profile())
                .put("ports", device.ports())
                .put("max_qp", device.maxQp())
                .put("max_qp_wr", device.maxQpWr())
                .put("max_cq", device.maxCq())
                .put("max_cqe", device.maxCqe())
                .put("max_sge", device.maxSge())
                .put("max_mr", device.maxMr())
                .put("max_page_list", device.maxPageList())
                .put(
                        ABILITIES,
                        device.abilities().stream().<Object>map(Ability::name).toList())
                .map();
    }

    private static Map<String, Object> document(LiveNi.Route route) {
        Doc document = new Doc()
                .put("dev", route.interfaceName())
                .put("remote ip", route.address())
                .put("takes turns", !route.extra())
                .put("connections", route.connections())
                .put(PROTOCOL, route.protocol());
        ConnectionParameters agreed = route.agreed();
        if (agreed != null) {
            document.put(QUEUE_DEPTH, agreed.queueDepth()).put(MAX_FRAGS, agreed.maxFragments());
        }
        return document.map();
    }

    /**
     * Reads a document.
     *
     * @throws ErrnoException EPROTO if it is none, as from a daemon of another version
     */
    public static LiveNi read(Map<?, ?> document) {
        try {
            Tunables tunables = Tunables.DEFAULT;
            for (Map.Entry<?, ?> each : map(document.get("tunables")).entrySet()) {
                tunables = tunables.with(each.getKey() + "=" + each.getValue());
            }
            List<LiveNi.Interface> interfaces = new ArrayList<>();
            for (Object each : list(document.get(INTERFACES))) {
                interfaces.add(readInterface(map(each)));
            }
            List<LiveNi.Peer> peers = new ArrayList<>();
            for (Object each : list(document.get("peers"))) {
                List<LiveNi.Route> routes = new ArrayList<>();
                for (Object route : list(map(each).get("routes"))) {
                    routes.add(readRoute(map(route)));
                }
                peers.add(new LiveNi.Peer(Nid.parse(text(map(each), NID)), routes));
            }
            return new LiveNi(Nid.parse(text(document, NID)), tunables, interfaces, peers);
        } catch (IllegalArgumentException | ArithmeticException | ErrnoException e) {
            throw new ErrnoException(
                    Errno.EPROTO,
                    "the service tells of its NI what this version can not read: " + e.getMessage()
                            + "; are both of the same version?",
                    e);
        }
    }

    private static LiveNi.Interface readInterface(Map<?, ?> document) {
        Set<Ability> abilities = EnumSet.noneOf(Ability.class);
        for (Object each : list(document.get(ABILITIES))) {
            abilities.add(Ability.valueOf(String.valueOf(each)));
        }
        return new LiveNi.Interface(
                text(document, "interface"),
                text(document, "device"),
                new DeviceAttributes(
                        text(document, PROFILE),
                        number(document, "ports"),
                        number(document, "max_qp"),
                        number(document, "max_qp_wr"),
                        number(document, "max_cq"),
                        number(document, "max_cqe"),
                        number(document, "max_sge"),
                        number(document, "max_mr"),
                        number(document, "max_page_list"),
                        abilities),
                Registration.named(text(document, REGISTRATION)));
    }

    private static LiveNi.Route readRoute(Map<?, ?> document) {
        return new LiveNi.Route(
                text(document, "dev"),
                text(document, "remote ip"),
                !Boolean.TRUE.equals(document.get("takes turns")),
                number(document, "connections"),
                number(document, PROTOCOL),
                document.containsKey(QUEUE_DEPTH)
                        ? ConnectionParameters.of(number(document, QUEUE_DEPTH), number(document, MAX_FRAGS))
                        : null);
    }

    private static Map<?, ?> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("found " + value + ", expected a mapping");
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("found " + value + ", expected a list");
    }

    private static String text(Map<?, ?> document, String key) {
        if (document.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(key + " is missing");
    }

    private static int number(Map<?, ?> document, String key) {
        if (document.get(key) instanceof Number number) {
            return Math.toIntExact(number.longValue());
        }
        throw new IllegalArgumentException(key + " is missing, or no number");
    }
}
