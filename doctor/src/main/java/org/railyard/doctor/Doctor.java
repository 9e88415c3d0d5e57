package org.railyard.doctor;

import java.util.List;

/** Examines a node and its machine with all checks there are. */
public final class Doctor {
    private static final List<Check> CHECKS = List.of(
            new DeviceCheck(),
            new DuplicateCheck(),
            new ConnectionTableCheck(),
            new PortCheck(),
            new DescriptorCheck(),
            new CardCheck(),
            new RailCheck(),
            new ArpCheck(),
            new MtuCheck(),
            new PathMtuCheck(),
            new HealthCheck(),
            new PeerCheck(),
            new ConnectionCheck(),
            new RouteCheck(),
            new GatewayCheck(),
            new BondCheck(),
            new TimeoutCheck(),
            new CreditCheck(),
            new PeersDifferCheck(),
            new RuleCheck(),
            new SettingsCheck());

    private Doctor() {}

    /** Returns what is wrong. Changes nothing. */
    public static Report examine(Setup setup, HostFacts facts) {
        Notes notes = new Notes();
        CHECKS.forEach(check -> check.look(setup, facts, notes));
        return notes.report();
    }

    /** Returns what is to be said of a service without LNet. */
    public static Report notConfigured() {
        Notes notes = new Notes();
        notes.add(
                "not-configured",
                Severity.ERROR,
                "LNet",
                "lnetd runs, and LNet is not configured",
                "this node has no NIs and talks to nobody",
                "lnetctl lnet configure",
                "lnetctl import /etc/lnet.conf");
        return notes.report();
    }
}
