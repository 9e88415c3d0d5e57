package org.railyard.control;

import java.util.Arrays;
import java.util.Optional;
import org.railyard.lnet.api.Tunable;

/**
 * Settings of which {@code lnetctl set} takes numbers out of their range, as the tool of kernel nodes does and scripts
 * rely on (spec 12 §2.5). Files and module parameters keep to the range.
 */
public enum LenientSetting {
    DISCOVERY(Tunable.DISCOVERY, "set takes any other number as 1") {
        @Override
        public int taken(int value) {
            return value == 0 ? 0 : 1;
        }
    },
    DROP_ASYM_ROUTE(Tunable.DROP_ASYM_ROUTE, "set takes any other number as 1") {
        @Override
        public int taken(int value) {
            return value == 0 ? 0 : 1;
        }
    },
    MAX_INTERFACES(Tunable.MAX_INTERFACES, "set takes less as 4096") {
        @Override
        public int taken(int value) {
            return value < tunable().spec().min() ? tunable().spec().defaultValue() : value;
        }
    },
    /** Without a sign on kernel nodes: what is below 0 is above all distances. */
    NUMA_RANGE(Tunable.NUMA_RANGE, "set takes less as 2147483647") {
        @Override
        public int taken(int value) {
            return value < 0 ? Integer.MAX_VALUE : value;
        }
    },
    /** Given up long ago on kernel nodes; here it counts as a module parameter. */
    RECOVERY_INTERVAL(
            Tunable.RECOVERY_INTERVAL,
            "set takes any number, without effect; lnetd --param and the section java set it") {
        @Override
        public boolean isIgnored() {
            return true;
        }

        @Override
        public int taken(int value) {
            return value;
        }
    };

    private final Tunable tunable;
    private final String text;

    LenientSetting(Tunable tunable, String text) {
        this.tunable = tunable;
        this.text = text;
    }

    /** Returns what is known of a tunable, nothing if {@code set} keeps to its range. */
    public static Optional<LenientSetting> of(Tunable tunable) {
        return Arrays.stream(values()).filter(each -> each.tunable == tunable).findFirst();
    }

    /** Returns the tunable. */
    public Tunable tunable() {
        return tunable;
    }

    /** Returns what {@code set} does with a number out of range, in words. */
    public String text() {
        return text;
    }

    /** Tells whether {@code set} changes nothing, whatever the number. */
    public boolean isIgnored() {
        return false;
    }

    /** Returns the value that a number stands for; it may still be above the range. */
    public abstract int taken(int value);
}
