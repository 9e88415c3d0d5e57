package org.railyard.roce.api;

import static org.railyard.base.tune.TunableSpec.Flag.MODULE_PARAMETER;
import static org.railyard.base.tune.TunableSpec.Flag.RAILYARD_ONLY;
import static org.railyard.base.tune.TunableSpec.number;
import static org.railyard.base.tune.TunableSpec.onOff;

import org.railyard.base.tune.TunableKey;
import org.railyard.base.tune.TunableSpec;

/** Tunables of verbs over UDP. */
public enum RoceTunable implements TunableKey {
    OFFLOAD(onOff(
            "offload",
            1,
            "send and receive many packets with one call, where Linux and the JVM allow it"
                    + " (`--enable-native-access`)")),
    BUSY_POLL(number(
                    "busy_poll",
                    0,
                    "how long the thread looks for more before it sleeps; for latency, where CPUs are free; 0 means not"
                            + " at all")
            .range(0, (int) (RoceSettings.MAX_BUSY_POLL_NANOS / RoceTunable.NANOS_PER_MICRO))
            .in("µs"));

    private static final long NANOS_PER_MICRO = 1000;

    @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
    private final TunableSpec spec;

    RoceTunable(TunableSpec spec) {
        this.spec = spec.with(MODULE_PARAMETER, RAILYARD_ONLY);
    }

    @Override
    public TunableSpec spec() {
        return spec;
    }

    /** Returns settings with a value of this one, which is in its range. */
    public RoceSettings in(RoceSettings settings, int value) {
        int checked = spec.check(value);
        return switch (this) {
            case OFFLOAD -> settings.withOffload(checked > 0);
            case BUSY_POLL -> settings.withBusyPoll(checked * NANOS_PER_MICRO);
        };
    }
}
