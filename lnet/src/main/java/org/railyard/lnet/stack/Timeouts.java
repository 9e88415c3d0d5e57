package org.railyard.lnet.stack;

import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;

/**
 * How the time limits of messages follow from the tunables (spec 10 §15). Pure functions; times in ns unless they say
 * otherwise. A limit of a descriptor's own is 0 for none.
 */
final class Timeouts {
    private static final long SECOND = 1_000_000_000L;

    private Timeouts() {}

    /** Returns how often a message may be sent again. */
    static int retries(Settings settings) {
        int retries = settings.get(Tunable.RETRY_COUNT);
        int cap = settings.get(Tunable.RETRY_COUNT_CAP);
        return cap == 0 ? retries : Math.min(retries, cap);
    }

    /**
     * Returns the limit of a message from the first attempt to the end: its descriptor's if that is shorter than the
     * node's.
     */
    private static long total(Settings settings, long ownLimit) {
        long transaction = settings.transactionNanos();
        return ownLimit > 0 ? Math.min(ownLimit, transaction) : transaction;
    }

    /** Returns the limit of one attempt, by the resiliency document: an equal share of the whole for each resend. */
    static long message(Settings settings, long ownLimit) {
        return total(settings, ownLimit) / Math.max(1, retries(settings));
    }

    /**
     * Returns how long a transport may take for one attempt.
     *
     * @param lndSeconds the transport's own limit, s, 0 if it has none
     * @param parts messages of the transport that one message takes, at least 1
     */
    static long lnd(Settings settings, int lndSeconds, int parts, long ownLimit) {
        long own = lndSeconds * SECOND;
        if (settings.is(Tunable.TIMEOUT_FORMULA)) {
            return lndSeconds > 0 ? own : lustreSeconds(settings) * SECOND;
        }
        long share = Math.max(1, message(settings, ownLimit) / parts);
        return lndSeconds > 0 ? Math.min(own, share) : share;
    }

    /**
     * Returns how long the transport that a message comes from may take for its payload; 0 if only its own limit
     * counts.
     */
    static long receipt(Settings settings, Message message) {
        LocalNi ni = message.ni();
        return ni == null ? 0 : lnd(settings, ni.lnd().timeoutSeconds(), 1, 0);
    }

    private static long lustreSeconds(Settings settings) {
        return Math.max(1, (settings.get(Tunable.TRANSACTION_TIMEOUT) - 1L) / (retries(settings) + 1L));
    }

    /** Returns the deadline of a message that enters the stack now. */
    static long firstDeadline(Settings settings, long now, long ownLimit) {
        return now + total(settings, ownLimit);
    }

    /**
     * Tells whether the deadline begins anew with each attempt; a limit of the descriptor's own holds from the first
     * attempt to the end.
     */
    static boolean isRenewed(Settings settings, long ownLimit) {
        return settings.is(Tunable.DEADLINE_RULE) && ownLimit == 0;
    }

    /** Returns the deadline of a message whose path was chosen now, if that renews it. */
    static long renewedDeadline(Settings settings, long now, int lndSeconds) {
        return now
                + (lndSeconds > 0
                        ? (lndSeconds * (settings.get(Tunable.RETRY_COUNT) + 1L) + 1) * SECOND
                        : settings.transactionNanos());
    }
}
