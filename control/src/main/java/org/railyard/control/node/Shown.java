package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.base.text.Doc;
import org.railyard.config.Configuration;
import org.railyard.config.PeerSpec;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.nid.Net;

/** What a node has of what a document lists (spec 12 §5.1, {@code import --show}). */
final class Shown {
    private static final int LEVEL = 4;
    private static final int ROUTE_LEVEL = 1;

    private Shown() {}

    /** Returns the nets and routes that are listed: all that the tool has ever shown. */
    static Map<String, Object> of(Configuration listed, LNet lnet, NodeEnvironment machine) {
        NetView view = new NetView(lnet, machine);
        Set<Net> nets = new LinkedHashSet<>();
        AddressRules.nis(listed, machine.devices())
                .forEach(ni -> nets.add(ni.request().net()));
        List<Object> shown = new ArrayList<>();
        nets.forEach(net -> shown.addAll(view.nets(net, LEVEL)));
        Doc document = new Doc();
        ConfigControl.putIfAny(document, "net", shown);
        List<Object> routes = new ArrayList<>();
        lnet.routes().list().stream()
                .filter(route -> listed.rest().routes().stream()
                        .anyMatch(each -> each.net().equals(route.net())
                                && each.gateways().contains(route.gateway())))
                .forEach(route -> routes.add(RouteControl.route(route, ROUTE_LEVEL, true)));
        ConfigControl.putIfAny(document, "route", routes);
        return document.map();
    }

    /** Returns the rest of what is listed: peers, and whole sections of what there is once. */
    static Map<String, Object> rest(Configuration listed, LNet lnet) {
        PeerView view = new PeerView(lnet, true);
        Map<Object, PeerInfo> peers = new LinkedHashMap<>();
        for (PeerSpec each : listed.peers()) {
            lnet.inventory().peer(each.primary()).ifPresent(peer -> peers.put(peer.primaryNid(), peer));
        }
        List<Object> shown = new ArrayList<>();
        peers.values().forEach(peer -> shown.add(view.peer(peer, LEVEL)));
        Doc document = new Doc();
        ConfigControl.putIfAny(document, "peer", shown);
        List<String> sections = listed.rest().sections();
        if (sections.contains("routing") || sections.contains("buffers")) {
            document.putAll(RouteControl.routing(lnet, false));
        }
        if (sections.contains("global") || sections.contains("numa") || sections.contains("java")) {
            document.putAll(GlobalControl.show(lnet, sections.contains("java")));
        }
        if (sections.contains("bond")) {
            document.putAll(BondControl.show(lnet, null));
        }
        if (sections.contains("udsp")) {
            document.putAll(UdspControl.show(lnet, null));
        }
        return document.map();
    }
}
