package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.RouteOperation;
import org.railyard.control.RoutingOperation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Routes and router buffers (spec 12 §2.3, §4.4, §4.5). */
final class RouteControl {
    private static final int MAX_HOPS = 255;

    private RouteControl() {}

    static Map<String, Object> execute(RouteOperation operation, OperationContext context) {
        return switch (operation) {
            case RouteOperation.Add add -> context.edit(edits -> add(add, edits));
            case RouteOperation.Delete delete -> context.edit(edits -> delete(delete, edits));
            case RouteOperation.Show show -> show(context.lnet(), show);
        };
    }

    static Map<String, Object> execute(RoutingOperation operation, OperationContext context) {
        return switch (operation) {
            case RoutingOperation.Show _ -> routing(context.lnet(), false);
        };
    }

    private static void add(RouteOperation.Add add, Edits edits) {
        Net net = net(add.net());
        List<Nid> gateways = gateways(add.gateway());
        int hops = add.hop() == null ? Routes.UNDEFINED_HOPS : add.hop();
        if (hops != Routes.UNDEFINED_HOPS && (hops < 1 || hops > MAX_HOPS)) {
            throw new ErrnoException(Errno.EINVAL, hops + " hops; expected 1…" + MAX_HOPS);
        }
        boolean local = edits.lnet().nids().stream().anyMatch(nid -> nid.isOn(net));
        if (local || net.equals(Net.LO)) {
            throw new ErrnoException(Errno.EINVAL, net + " is a net of this node; a route leads to another one");
        }
        for (Nid gateway : gateways) {
            edits.addRoute(net, gateway, hops, add.priority() == null ? 0 : add.priority());
        }
    }

    private static Net net(@Nullable String text) {
        if (text == null) {
            throw new ErrnoException(Errno.EINVAL, "the net that a route leads to is missing");
        }
        return Nids.net(text);
    }

    private static List<Nid> gateways(@Nullable String text) {
        if (text == null) {
            throw new ErrnoException(Errno.EINVAL, "the gateway of a route is missing");
        }
        return Nids.list(text);
    }

    private static void delete(RouteOperation.Delete delete, Edits edits) {
        Net net = net(delete.net());
        gateways(delete.gateway()).forEach(gateway -> edits.deleteRoute(net, gateway));
    }

    private static Map<String, Object> show(LNet lnet, RouteOperation.Show show) {
        Net net = show.net() == null ? null : Nids.net(show.net());
        Nid gateway = show.gateway() == null ? null : Nids.nid(show.gateway());
        int level = Levels.check(show.level());
        List<Object> routes = new ArrayList<>();
        for (RouteInfo route : lnet.routes().list()) {
            boolean fits = (net == null || route.net().equals(net))
                    && (gateway == null || route.gateway().equals(gateway))
                    && (show.hop() == null || route.hops() == show.hop())
                    && (show.priority() == null || route.priority() == show.priority());
            if (fits) {
                routes.add(route(route, level, true));
            }
        }
        return routes.isEmpty() ? Map.of() : Map.of("route", routes);
    }

    /**
     * Shows a route.
     *
     * @param state whether with what it is like now
     */
    static Map<String, Object> route(RouteInfo route, int level, boolean state) {
        Doc doc = new Doc()
                .put("net", route.net().toString())
                .put("gateway", route.gateway().toString());
        if (level > 0) {
            doc.put("hop", route.hops()).put("priority", route.priority());
            if (state) {
                doc.put("state", route.isUp() ? "up" : "down")
                        .put("type", route.singleHop() ? "single-hop" : "multi-hop");
            }
        }
        return doc.map();
    }

    /**
     * Shows buffers and whether the node forwards; nothing if it never did.
     *
     * @param backup only what can be configured: how many buffers are asked for, while those that are too many go as
     *     they come back
     */
    static Map<String, Object> routing(LNet lnet, boolean backup) {
        List<RouterBufferInfo> buffers = lnet.routing().buffers();
        if (buffers.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Doc> byCpt = new LinkedHashMap<>();
        Map<String, Object> totals = new LinkedHashMap<>();
        for (RouterBufferInfo each : buffers) {
            byCpt.computeIfAbsent(each.cpt(), cpt -> new Doc()).put(each.size().text(), pool(each));
            totals.merge(each.size().text(), (long) each.buffers(), (a, b) -> (Long) a + (Long) b);
        }
        if (backup) {
            for (RouterBufferSize size : RouterBufferSize.values()) {
                totals.put(size.text(), (long) size.total(lnet.settings()));
            }
        }
        Doc enable = new Doc().put("enable", lnet.routing().state().number());
        List<Object> items = new ArrayList<>();
        byCpt.forEach((cpt, pools) ->
                items.add(new Doc().put("cpt[" + cpt + "]", pools).map()));
        items.add(enable.map());
        return new Doc()
                .put("routing", backup ? enable.map() : items)
                .put("buffers", totals)
                .map();
    }

    private static Doc pool(RouterBufferInfo pool) {
        return new Doc()
                .put("npages", pool.size().pages())
                .put("nbuffers", pool.buffers())
                .put("credits", pool.credits())
                .put("mincredits", pool.minCredits());
    }
}
