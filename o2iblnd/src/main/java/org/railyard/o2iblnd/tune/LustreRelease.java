package org.railyard.o2iblnd.tune;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.o2iblnd.wire.Kib;

/** Releases between which the rules of map_on_demand and of queue sizes changed (spec 22). */
public enum LustreRelease {
    /** Both sides must have equal limits. */
    V2_7("2.7"),
    /** Limits are negotiated; map_on_demand is a limit of fragments. */
    V2_10("2.10"),
    /** The same, but FMR keeps one entry for each fragment. */
    V2_10_29290("2.10-29290"),
    /** map_on_demand is a flag; queues are sized by depth. */
    V2_11("2.11"),
    /** map_on_demand is ignored. */
    NOW("now");

    private final String text;

    LustreRelease(String text) {
        this.text = text;
    }

    /**
     * Returns the era with a name.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    public static LustreRelease named(String name) {
        return Arrays.stream(values())
                .filter(era -> era.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no era '" + name + "', expected one of "
                                + Arrays.stream(values()).map(era -> era.text).collect(Collectors.joining(", "))));
    }

    /** Returns its name. */
    public String text() {
        return text;
    }

    /** Returns the most fragments of a descriptor. */
    public int maxFragments() {
        return this == NOW ? Kib.MAX_FRAGMENTS : Kib.OLD_MAX_FRAGMENTS;
    }

    /** Tells whether map_on_demand is a number of fragments, and concurrent_sends sizes the queue. */
    public boolean isOld() {
        return compareTo(V2_10_29290) <= 0;
    }

    /** Returns how many pieces of memory one RDMA request gathers at most, given the setting. */
    public int gather(int wrqSge) {
        return isOld() ? 1 : wrqSge;
    }
}
