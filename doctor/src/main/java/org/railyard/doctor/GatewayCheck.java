package org.railyard.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.doctor.HostFacts.Call;
import org.railyard.doctor.HostFacts.Presence;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/**
 * Gateways that no machine is behind, known before the first check of routers has failed; and a router that is switched
 * on and does not say so yet.
 */
final class GatewayCheck implements Check {
    /** The kind of finding that a gateway is not there. */
    static final String ABSENT = "gateway-absent";

    /** Most gateways that are looked for. */
    static final int MAX_CALLS = 32;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Map<Nid, Call> calls = new LinkedHashMap<>();
        for (Setup.Way route : setup.routes()) {
            if (calls.size() == MAX_CALLS && !calls.containsKey(route.gateway())) {
                notes.notChecked("gateways beyond " + MAX_CALLS, route.gateway().toString());
            } else {
                setup.callTo(route.gateway(), 0).ifPresent(call -> calls.put(route.gateway(), call));
            }
        }
        List<HostFacts.Contact> contacts = calls.isEmpty() ? List.of() : facts.contacts(List.copyOf(calls.values()));
        List<Nid> gateways = List.copyOf(calls.keySet());
        for (int i = 0; i < gateways.size(); i++) {
            if (contacts.get(i).presence() == Presence.ABSENT) {
                absent(gateways.get(i), setup, notes);
            }
        }
        Setup.Running running = setup.running();
        if (running != null && running.routing() == RoutingState.STARTING) {
            waits(setup, notes);
        }
    }

    private static void absent(Nid gateway, Setup setup, Notes notes) {
        String text = gateway.toString();
        String[] delete = setup.routes().stream()
                .filter(route -> route.gateway().equals(gateway))
                .map(route -> setup.start() == null
                        ? "lnetctl route del --net " + route.net() + " --gateway " + gateway
                                + "   # if the address is wrong"
                        : "in the file: mend the gateway of the route to " + route.net())
                .toArray(String[]::new);
        String[] mend = new String[delete.length + 1];
        mend[0] = "ip neigh show to " + text.substring(0, text.indexOf('@')) + "   # FAILED: nobody answers";
        System.arraycopy(delete, 0, mend, 1, delete.length);
        notes.add(
                ABSENT,
                Severity.ERROR,
                "gateway " + gateway,
                "nobody in the subnet answers ARP for the address",
                "the machine is off or not connected, or the address is wrong: no message gets through its routes",
                mend);
    }

    /** Other nodes go on without it meanwhile. */
    private static void waits(Setup setup, Notes notes) {
        int checks = Math.max(0, setup.settings().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL));
        int answer = setup.settings().get(Tunable.ROUTER_PING_TIMEOUT);
        notes.add(
                "router-waits",
                Severity.INFO,
                "routing",
                "it is switched on, and other nodes are told that it is off for " + (checks + answer)
                        + " s after that: alive_router_check_interval " + checks + " s + router_ping_timeout " + answer
                        + " s",
                "until then it finds out which of its nets work; nodes that check routers do not take it yet",
                "lnetctl routing show   # tells when it is enabled");
    }
}
