package org.railyard.doctor;

import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.Tunable;

/** Health of the node's own NIs, and whether it is minded at all. */
final class HealthCheck implements Check {
    private static final int FULL = 1000;
    private static final CompatProfile PROFILE = CompatProfile.RAILYARD;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        if (setup.running() != null) {
            setup.running().nis().forEach(ni -> look(ni, notes));
        }
        if (nis(setup) > 1) {
            severalNis(setup, notes);
        }
    }

    /** The interfaces of a group are one NI. */
    private static long nis(Setup setup) {
        return setup.nis().stream().filter(ni -> !ni.further()).count();
    }

    private static void look(NiInfo ni, Notes notes) {
        if (ni.health() < FULL && !ni.failures().fatal()) {
            notes.add(
                    "ni-health",
                    Severity.WARNING,
                    ni.interfaceName() + " (" + ni.nid() + ")",
                    "health is " + ni.health() + " of " + FULL,
                    "sending on it failed; healthier NIs are chosen before it until recovery pings are answered",
                    "lnetctl explain health " + ni.nid() + "   # tells what failed",
                    "lnetctl net set --nid " + ni.nid() + " --health " + FULL
                            + "   # when the cause is gone: well at once instead of ping by ping");
        }
    }

    private static void severalNis(Setup setup, Notes notes) {
        Remedy mend = new Remedy(setup);
        long nis = nis(setup);
        if (setup.settings().get(Tunable.HEALTH_SENSITIVITY) == 0) {
            notes.add(
                    "health-off",
                    Severity.WARNING,
                    Tunable.HEALTH_SENSITIVITY.text(),
                    "health_sensitivity is 0 with " + nis + " NIs",
                    "failures cost no health and nothing is sent again: messages on a broken rail are lost while"
                            + " others work",
                    mend.set(Tunable.HEALTH_SENSITIVITY, Tunable.HEALTH_SENSITIVITY.defaultIn(PROFILE)),
                    mend.set(Tunable.RETRY_COUNT, Tunable.RETRY_COUNT.defaultIn(PROFILE)));
        } else if (setup.settings().get(Tunable.RETRY_COUNT) == 0) {
            notes.add(
                    "no-retries",
                    Severity.WARNING,
                    Tunable.RETRY_COUNT.text(),
                    "retry_count is 0 with " + nis + " NIs",
                    "a message that fails on one rail is not sent again over another",
                    mend.set(Tunable.RETRY_COUNT, Tunable.RETRY_COUNT.defaultIn(PROFILE)));
        }
    }
}
