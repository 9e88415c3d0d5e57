package org.railyard.socklnd;

import java.util.function.Supplier;
import org.railyard.lnet.host.NodeClock;
import org.railyard.lnet.lnd.LndUpcalls;

/**
 * What all parts of one transport share. Thread-safe.
 *
 * @param config the tunables
 * @param stack who gets messages and completions
 * @param clock the node's time
 * @param counters what {@link SockLndStats} shows
 * @param log the log of refusals
 */
record SockContext(SockLndConfig config, LndUpcalls stack, NodeClock clock, Counters counters, RateLimitedLog log) {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Counts a refusal and logs it, if the reason was not logged just before. */
    void refuse(Refusal reason, Supplier<String> text) {
        counters.refused(reason);
        log.log(reason, text);
    }

    /** Returns a tunable that is in seconds, ns. */
    long nanos(SockTunable seconds) {
        return config.get(seconds) * NANOS_PER_SECOND;
    }
}
