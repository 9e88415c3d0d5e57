package org.railyard.lnet.api;

import java.util.Arrays;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** The node-wide tunables of a node, each in its range and all of them consistent. Immutable. */
public final class Settings {
    private static final long SECOND = 1_000_000_000L;

    /** The defaults of {@link CompatProfile#RAILYARD}. */
    public static final Settings DEFAULT = of(CompatProfile.RAILYARD);

    private final int[] settings;

    private Settings(int[] settings) {
        this.settings = settings;
    }

    /** Returns the defaults of a profile. */
    public static Settings of(CompatProfile profile) {
        Tunable[] all = Tunable.values();
        int[] settings = new int[all.length];
        for (Tunable tunable : all) {
            settings[tunable.ordinal()] = tunable.defaultIn(profile);
        }
        return new Settings(settings);
    }

    /** Returns a tunable. */
    public int get(Tunable tunable) {
        return settings[tunable.ordinal()];
    }

    /** Tells whether a switch is on, or a tunable with two named settings has the second one. */
    public boolean is(Tunable tunable) {
        return settings[tunable.ordinal()] != 0;
    }

    /** Returns the limit of a transaction, {@link Tunable#TRANSACTION_TIMEOUT}, ns (spec 10 §15). */
    public long transactionNanos() {
        return get(Tunable.TRANSACTION_TIMEOUT) * SECOND;
    }

    /**
     * Returns a copy with one tunable changed. A {@link Tunable#HEALTH_SENSITIVITY} of 0 takes {@link
     * Tunable#RETRY_COUNT} to 0 as well.
     *
     * @throws ErrnoException EINVAL if it is out of its range; ERANGE if it does not fit the others: the retry count
     *     and the resend interval must be below the transaction timeout, and the retry count 0 while health is off
     */
    public Settings with(Tunable tunable, int value) {
        return with(Map.of(tunable, value));
    }

    /**
     * Returns a copy with several tunables changed at once: they need to fit only in the end. A {@link
     * Tunable#HEALTH_SENSITIVITY} of 0 takes {@link Tunable#RETRY_COUNT} to 0 as well, unless that is among them.
     *
     * @throws ErrnoException as {@link #with(Tunable, int)}
     */
    public Settings with(Map<Tunable, Integer> changes) {
        int[] changed = settings.clone();
        if (changes.getOrDefault(Tunable.HEALTH_SENSITIVITY, 1) == 0) {
            changed[Tunable.RETRY_COUNT.ordinal()] = 0;
        }
        changes.forEach(
                (tunable, value) -> changed[tunable.ordinal()] = tunable.spec().check(value));
        Settings result = new Settings(changed);
        result.requireConsistent();
        return result;
    }

    /** Returns a copy with a switch on or off. */
    public Settings with(Tunable tunable, boolean on) {
        return with(tunable, on ? 1 : 0);
    }

    /**
     * Returns a copy with everything at the defaults of a profile in which the profiles differ; the rest stays.
     *
     * @throws ErrnoException ERANGE if that does not fit the rest
     */
    public Settings withProfile(CompatProfile profile) {
        int[] changed = settings.clone();
        for (Tunable tunable : Tunable.values()) {
            if (!tunable.spec().profiles().isEmpty()) {
                changed[tunable.ordinal()] = tunable.defaultIn(profile);
            }
        }
        Settings result = new Settings(changed);
        result.requireConsistent();
        return result;
    }

    private void requireConsistent() {
        int retries = get(Tunable.RETRY_COUNT);
        int limit = get(Tunable.TRANSACTION_TIMEOUT);
        if (retries >= limit) {
            throw new ErrnoException(
                    Errno.ERANGE,
                    "retry_count " + retries + " with a transaction_timeout of " + limit
                            + " s; the retry count must be below the timeout");
        }
        int pause = get(Tunable.RESEND_INTERVAL);
        if (pause >= limit * 1000L) {
            throw new ErrnoException(
                    Errno.ERANGE,
                    "resend_interval " + pause + " ms with a transaction_timeout of " + limit
                            + " s; nothing could be sent again before its time is over");
        }
        if (retries > 0 && get(Tunable.HEALTH_SENSITIVITY) == 0) {
            throw new ErrnoException(
                    Errno.ERANGE,
                    "retry_count " + retries + " while health_sensitivity is 0; nothing is sent again without health");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Settings that && Arrays.equals(settings, that.settings);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(settings);
    }

    /** Returns what differs from {@link #DEFAULT}, as {@code name=value}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Tunable tunable : Tunable.values()) {
            if (get(tunable) != DEFAULT.get(tunable)) {
                text.append(text.isEmpty() ? "" : " ")
                        .append(tunable.text())
                        .append('=')
                        .append(tunable.spec().describe(get(tunable)));
            }
        }
        return text.isEmpty() ? "defaults" : text.toString();
    }
}
