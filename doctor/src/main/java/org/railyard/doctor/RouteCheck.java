package org.railyard.doctor;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerInfo.PeerNiInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Routes that can not work, do not work, or work in one direction only (spec 11 §6). */
final class RouteCheck implements Check {
    private static final String ASYMMETRIC = "asymmetric-route";

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        setup.routes().forEach(route -> look(route, setup, notes));
        Setup.Running running = setup.running();
        if (running != null) {
            Set<Nid> told = new LinkedHashSet<>();
            running.routes().forEach(route -> {
                if (!route.isUp() && !isSilentYet(route, running)) {
                    down(route, told, notes);
                }
            });
            running.routes().forEach(route -> farSide(route, running, setup, notes));
            wayBack(running, setup, notes);
        }
    }

    /** Before its first answer a gateway counts as one that does not forward; whether it is there, others tell. */
    private static boolean isSilentYet(RouteInfo route, Setup.Running running) {
        return route.down().filter(reason -> reason == Reason.ROUTING_OFF).isPresent()
                && running.probes().silent().containsKey(route.primaryNid());
    }

    private static void look(Setup.Way route, Setup setup, Notes notes) {
        String subject = "route to " + route.net() + " by " + route.gateway();
        boolean runs = setup.start() == null;
        String delete = runs
                ? "lnetctl route del --net " + route.net() + " --gateway " + route.gateway()
                : "in the file: take the route away, or mend its spelling";
        boolean isThis = setup.nis().stream().anyMatch(ni -> ni.has(route.gateway()));
        if (setup.isOn(route.net()) && !isThis) {
            notes.add(
                    "route-to-local-net",
                    Severity.ERROR,
                    subject,
                    "this node is on " + route.net() + " itself",
                    "the route is never taken, and refused when it is added",
                    delete);
        } else if (!setup.isOn(route.gateway().net())) {
            notes.add(
                    "gateway-not-local",
                    Severity.ERROR,
                    subject,
                    "this node is not on " + route.gateway().net() + ", the net of the gateway",
                    "the route can not be taken: a gateway has to be a neighbour",
                    runs
                            ? "lnetctl net add --net " + route.gateway().net() + " --if IF"
                            : "in the file: add the net " + route.gateway().net(),
                    delete);
        }
    }

    private static void down(RouteInfo route, Set<Nid> told, Notes notes) {
        Reason reason = route.down().orElse(Reason.ROUTE_DOWN);
        String gateway = route.gateway().toString();
        String subject = "route to " + route.net() + " by " + gateway;
        switch (reason) {
            case GATEWAY_DOWN -> {
                if (told.add(route.primaryNid())) {
                    notes.add(
                            "gateway-down",
                            Severity.ERROR,
                            "gateway " + gateway,
                            "it does not answer",
                            "its routes are not taken until it answers the next check",
                            "lnetctl ping " + gateway + "   # if it answers, the next check brings the routes up",
                            "lnetctl doctor   # there");
                }
            }
            case ROUTING_OFF -> {
                if (told.add(route.primaryNid())) {
                    notes.add(
                            "gateway-forwards-not",
                            Severity.ERROR,
                            "gateway " + gateway,
                            "it answers, and says that it does not forward",
                            "its routes are not taken",
                            "lnetctl set routing 1   # there");
                }
            }
            case GATEWAY_FAR_DOWN ->
                notes.add(
                        ASYMMETRIC,
                        Severity.ERROR,
                        subject,
                        "the gateway has no NID on " + route.net() + " that is up",
                        "messages would get as far as the gateway; the route is not taken (avoid_asym_router_failure)",
                        "lnetctl net show --net " + route.net() + "   # there; bring its device up",
                        "lnetctl route add --net " + route.net() + " --gateway " + gateway
                                + " --hop 2   # if another router comes behind it, after 'lnetctl route del'");
            default ->
                notes.add(
                        "route-down",
                        Severity.ERROR,
                        subject,
                        reason.text(),
                        "the route is not taken",
                        "lnetctl ping " + gateway + "   # tells its NIDs",
                        "lnetctl routing show   # there");
        }
    }

    /** A route that counts as up although its gateway has said that nothing gets out on the far side. */
    private static void farSide(RouteInfo route, Setup.Running running, Setup setup, Notes notes) {
        if (!route.isUp() || setup.settings().is(Tunable.AVOID_ASYM_ROUTER_FAILURE)) {
            return;
        }
        List<PeerNiInfo> far = running.peers().stream()
                .filter(peer -> peer.primaryNid().equals(route.primaryNid()))
                .flatMap(peer -> peer.nis().stream())
                .filter(ni -> ni.nid().isOn(route.net()))
                .toList();
        if (!far.isEmpty() && far.stream().noneMatch(PeerNiInfo::up)) {
            notes.add(
                    ASYMMETRIC,
                    Severity.WARNING,
                    "route to " + route.net() + " by " + route.gateway(),
                    "the gateway says that its NIDs on " + route.net()
                            + " are down, and avoid_asym_router_failure is 0",
                    "messages get as far as the gateway and are lost there",
                    new Remedy(setup).set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 1));
        }
    }

    /** Messages that come by a gateway are dropped if no route leads back through it, where that is forbidden. */
    private static void wayBack(Setup.Running running, Setup setup, Notes notes) {
        if (!setup.settings().is(Tunable.DROP_ASYM_ROUTE)) {
            return;
        }
        Set<Net> routed = new LinkedHashSet<>();
        running.routes().forEach(route -> routed.add(route.net()));
        for (PeerInfo peer : running.peers()) {
            List<RouteInfo> through = running.routes().stream()
                    .filter(route -> route.primaryNid().equals(peer.primaryNid()))
                    .toList();
            if (through.isEmpty()) {
                continue;
            }
            Nid gateway = through.getFirst().gateway();
            for (Net net : routed) {
                boolean isThere = peer.nis().stream().anyMatch(ni -> ni.nid().isOn(net));
                boolean hasRoute =
                        through.stream().anyMatch(route -> route.net().equals(net));
                if (isThere && !hasRoute) {
                    notes.add(
                            ASYMMETRIC,
                            Severity.WARNING,
                            "gateway " + gateway,
                            "it is on " + net + ", routes to " + net + " lead through other gateways only, and"
                                    + " drop_asym_route is 1",
                            "what comes from " + net + " through it is dropped",
                            "lnetctl route add --net " + net + " --gateway " + gateway,
                            "or " + new Remedy(setup).set(Tunable.DROP_ASYM_ROUTE, 0));
                }
            }
        }
    }
}
