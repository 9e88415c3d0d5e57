package org.railyard.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** Time limits that do not fit each other (spec 10 §15, 11 §6.3). */
final class TimeoutCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Set<Integer> transports = new LinkedHashSet<>();
        for (Setup.Ni ni : setup.nis()) {
            if (transports.add(ni.net().typeNumber())) {
                attempts(ni, setup, notes);
            }
        }
        Settings settings = setup.settings();
        Remedy mend = new Remedy(setup);
        int limit = settings.get(Tunable.TRANSACTION_TIMEOUT);
        int interval = settings.get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL);
        int answer = settings.get(Tunable.ROUTER_PING_TIMEOUT);
        if (!setup.routes().isEmpty() && interval > 0 && (long) interval + answer > limit) {
            List<String> commands = new ArrayList<>();
            if (answer > limit / 2) {
                commands.add(mend.set(Tunable.ROUTER_PING_TIMEOUT, Math.max(1, limit / 2)));
            }
            if (interval > limit / 2) {
                commands.add(mend.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, Math.max(1, limit / 2)));
            }
            notes.add(new Finding(
                    "slow-router-checks",
                    Severity.WARNING,
                    Tunable.ALIVE_ROUTER_CHECK_INTERVAL.text(),
                    "alive_router_check_interval " + interval + " s + router_ping_timeout " + answer
                            + " s is more than transaction_timeout " + limit + " s",
                    "messages through a dead gateway have failed before it is noticed",
                    commands));
        }
        int givenUp = settings.get(Tunable.RECOVERY_LIMIT);
        if (givenUp > 0 && givenUp < limit) {
            notes.add(
                    "short-recovery",
                    Severity.WARNING,
                    Tunable.RECOVERY_LIMIT.text(),
                    "recovery_limit " + givenUp + " s is less than transaction_timeout " + limit + " s",
                    "a peer NI is given up for good while the first message to it still waits",
                    mend.set(Tunable.RECOVERY_LIMIT, 0) + "   # never, or " + limit + " and more");
        }
    }

    private static void attempts(Setup.Ni ni, Setup setup, Notes notes) {
        Settings settings = setup.settings();
        int limit = settings.get(Tunable.TRANSACTION_TIMEOUT);
        int cap = settings.get(Tunable.RETRY_COUNT_CAP);
        int wanted = settings.get(Tunable.RETRY_COUNT);
        int retries = cap == 0 ? wanted : Math.min(wanted, cap);
        boolean lustre = settings.is(Tunable.TIMEOUT_FORMULA);
        long share = lustre ? Math.max(1, (limit - 1L) / (retries + 1L)) : Math.max(1, limit / Math.max(1, retries));
        long attempt = ni.lndTimeout() == 0 ? share : lustre ? ni.lndTimeout() : Math.min(ni.lndTimeout(), share);
        long all = attempt * (retries + 1L);
        if (all <= limit) {
            return;
        }
        Remedy mend = new Remedy(setup);
        List<String> commands = new ArrayList<>(List.of(mend.lndTimeout(ni, limit / (retries + 1))));
        if (ni.lndTimeout() > 0) {
            commands.add("or "
                    + mend.set(
                            Tunable.TRANSACTION_TIMEOUT,
                            Math.toIntExact(Math.min(
                                    ni.lndTimeout() * (retries + 1L),
                                    Tunable.TRANSACTION_TIMEOUT.spec().max()))));
        }
        boolean first = attempt >= limit;
        notes.add(new Finding(
                first ? "lnd-timeout" : "attempts-do-not-fit",
                first ? Severity.ERROR : Severity.WARNING,
                "net " + ni.net(),
                "LND timeout " + attempt + " s x (retry_count " + retries + " + 1) = " + all
                        + " s is more than transaction_timeout " + limit + " s",
                first
                        ? "a message is given up before its first attempt has failed: nothing is ever sent again"
                        : "only " + limit / attempt + " of " + (retries + 1)
                                + " attempts get their full time before a message is given up",
                commands));
    }
}
