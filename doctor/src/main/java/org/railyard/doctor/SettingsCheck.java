package org.railyard.doctor;

import org.railyard.lnet.api.Tunable;

/** Settings that do not fit what the node has. */
final class SettingsCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Remedy mend = new Remedy(setup);
        boolean needed = setup.nis().size() > 1 || !setup.routes().isEmpty();
        if (needed && setup.settings().get(Tunable.DISCOVERY) == 0) {
            boolean routes = !setup.routes().isEmpty();
            notes.add(
                    "discovery-off",
                    Severity.WARNING,
                    Tunable.DISCOVERY.text(),
                    "discovery is 0 with "
                            + (routes
                                    ? setup.routes().size() + " routes"
                                    : setup.nis().size() + " NIs"),
                    routes
                            ? "what gateways say of their NIs and of forwarding is not heard"
                            : "peers are not told of the other NIs, nor asked for theirs: only configured peers are"
                                    + " multi-rail",
                    mend.set(Tunable.DISCOVERY, 1));
        }
        if (!setup.routes().isEmpty() && setup.settings().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) <= 0) {
            notes.add(
                    "no-router-checks",
                    Severity.WARNING,
                    Tunable.ALIVE_ROUTER_CHECK_INTERVAL.text(),
                    "gateways are not checked (alive_router_check_interval "
                            + setup.settings().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) + ")",
                    "a gateway that dies is noticed only by messages that fail",
                    mend.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 60));
        }
    }
}
