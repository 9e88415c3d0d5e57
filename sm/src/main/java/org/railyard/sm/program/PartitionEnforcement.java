package org.railyard.sm.program;

import java.util.Locale;

/** Which packets switches hold against the P_Keys of the end port that they come from or go to (spec 41 §8). */
public enum PartitionEnforcement {
    BOTH(true, true),
    IN(true, false),
    OUT(false, true),
    OFF(false, false);

    private final boolean in;
    private final boolean out;

    PartitionEnforcement(boolean in, boolean out) {
        this.in = in;
        this.out = out;
    }

    /** Returns the one with a name of {@code part_enforce} in {@code opensm.conf}. */
    public static PartitionEnforcement named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Tells whether packets that an end port sends are held against its keys. */
    public boolean in() {
        return in;
    }

    /** Tells whether packets that go to an end port are held against its keys. */
    public boolean out() {
        return out;
    }
}
