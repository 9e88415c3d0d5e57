package org.railyard.lnet.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.HealthStatus;

/**
 * Loses messages on receipt, or fails them on sending (spec 10 §18).
 *
 * @param filter which
 * @param healthErrors if empty, messages are lost on receipt, and their sender notices nothing; otherwise they fail on
 *     sending, with one of these statuses by chance
 * @param random with an interval: instead of one in that time, every second message by chance
 * @param all all that match, on sending and on receipt, whatever rate and errors say
 */
public record DropRule(FaultFilter filter, Set<HealthStatus> healthErrors, boolean random, boolean all)
        implements FaultRule {
    /** All statuses of failures. */
    public static final Set<HealthStatus> ANY_ERROR =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(HealthStatus.OK)));

    /**
     * Checks.
     *
     * @throws ErrnoException EINVAL if there is not exactly one of rate and interval, a random rule has no interval, or
     *     OK is among the errors
     */
    public DropRule {
        filter.requireRateOrInterval();
        if (random && filter.interval() == 0) {
            throw new ErrnoException(Errno.EINVAL, "a drop rule by chance has a rate; expected an interval");
        }
        if (healthErrors.contains(HealthStatus.OK)) {
            throw new ErrnoException(Errno.EINVAL, "OK as health error of a drop rule; expected a failure");
        }
        healthErrors = healthErrors.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(healthErrors));
    }

    /** Returns a rule that loses messages on receipt. */
    public static DropRule of(FaultFilter filter) {
        return new DropRule(filter, Set.of(), false, false);
    }

    /** Returns a copy that fails messages on sending with one of some statuses. */
    public DropRule withHealthErrors(Set<HealthStatus> errors) {
        return new DropRule(filter, errors, random, all);
    }

    /** Returns a copy that goes by chance. */
    public DropRule withRandom() {
        return new DropRule(filter, healthErrors, true, all);
    }

    /** Returns a copy that hits all that match, on both sides. */
    public DropRule withAll() {
        return new DropRule(filter, healthErrors, random, true);
    }

    @Override
    public FaultKind kind() {
        return FaultKind.DROP;
    }
}
