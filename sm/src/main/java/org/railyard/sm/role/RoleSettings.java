package org.railyard.sm.role;

/**
 * How a subnet manager stands among others.
 *
 * @param priority the larger one is master, 0 to {@value #MAX_PRIORITY}
 * @param smKey subnet managers with another one, or without one, get no mastership from us, and we give way to none of
 *     them; with 0 all are trusted, with 1, which all have that are told none, those without one as well
 * @param pollNanos how often a standby asks the master whether it lives, ns
 * @param pollRetries how many polls may go unanswered one after the other: after one more the standby takes over
 */
public record RoleSettings(int priority, long smKey, long pollNanos, int pollRetries) {
    /** Largest priority. */
    public static final int MAX_PRIORITY = 15;

    /** Most polls that may go unanswered. */
    public static final int MAX_POLL_RETRIES = 1_000_000;

    /** Priority 0, the key that OpenSM has if it is told none, a dead master is found within 8 s. */
    public static final RoleSettings DEFAULT = new RoleSettings(0, 1, 2_000_000_000L, 3);

    private static final long MILLI = 1_000_000L;

    /** Checks the ranges. */
    public RoleSettings {
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("priority " + priority + " is not 0 to " + MAX_PRIORITY);
        }
        if (pollNanos < MILLI || pollRetries < 0 || pollRetries > MAX_POLL_RETRIES) {
            throw new IllegalArgumentException(
                    "polls of the master every %d ns, %d may fail: 1 ms or more and 0 to %d expected"
                            .formatted(pollNanos, pollRetries, MAX_POLL_RETRIES));
        }
    }

    /** Returns the same with another priority. */
    public RoleSettings withPriority(int other) {
        return new RoleSettings(other, smKey, pollNanos, pollRetries);
    }

    /** Returns the same with another time between polls, in ns, and number of polls that may fail. */
    public RoleSettings withPolls(long nanos, int retries) {
        return new RoleSettings(priority, smKey, nanos, retries);
    }

    /** Returns whether a subnet manager that tells this key is trusted. */
    boolean trusts(long key) {
        return smKey == 0 || key == smKey || key == 0 && smKey == DEFAULT.smKey;
    }
}
