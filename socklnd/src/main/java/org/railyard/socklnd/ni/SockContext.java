package org.railyard.socklnd.ni;

import java.util.function.Supplier;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.stats.SockLndStats;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;

/**
 * What all parts of one transport share. Thread-safe.
 *
 * @param config the tunables
 * @param stack who gets messages and completions
 * @param clock the node's time
 * @param counters what {@link SockLndStats} shows
 * @param log the log of refusals
 */
public record SockContext(SockLndConfig config, LndUpcalls stack, NodeClock clock, Counters counters, LimitedLog log) {
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Time between two lines about one kind of refusal, ns. */
    private static final long LOG_INTERVAL_NANOS = 60 * NANOS_PER_SECOND;

    /** Makes what all NIs of the transport share. */
    public SockContext(SockLndConfig config, LndUpcalls stack, NodeClock clock) {
        this(
                config,
                stack,
                clock,
                new Counters(),
                new LimitedLog(LOG, System.Logger.Level.WARNING, clock, LOG_INTERVAL_NANOS));
    }

    /** Counts a refusal and logs it, if the reason was not logged just before. */
    public void refuse(HandshakeRefusal reason, Supplier<String> text) {
        counters.refused(reason);
        if (log.wants(reason.name())) {
            log.log(reason.name(), text.get());
        }
    }

    /** Logs something odd, if it was not logged just before. */
    public void warn(String topic, String line) {
        log.log(topic, line);
    }

    /** Returns a tunable that is in seconds, ns. */
    public long nanos(SockTunable seconds) {
        return config.get(seconds) * NANOS_PER_SECOND;
    }
}
