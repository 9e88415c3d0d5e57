package org.railyard.fabric.model;

/** The LID space: 16 bits, unicast and multicast (spec 31). */
public final class Lids {
    /** Smallest unicast LID. */
    public static final int MIN_UNICAST = 0x0001;

    /** Largest unicast LID. */
    public static final int MAX_UNICAST = 0xBFFF;

    /** Smallest multicast LID. */
    public static final int MIN_MULTICAST = 0xC000;

    /** Largest multicast LID. */
    public static final int MAX_MULTICAST = 0xFFFE;

    /** Largest LMC: a port has 2^LMC LIDs. */
    public static final int MAX_LMC = 7;

    private Lids() {}

    /** Returns whether the number is a unicast LID. */
    public static boolean isUnicast(int lid) {
        return lid >= MIN_UNICAST && lid <= MAX_UNICAST;
    }

    /** Returns whether the number is a multicast LID. */
    public static boolean isMulticast(int lid) {
        return lid >= MIN_MULTICAST && lid <= MAX_MULTICAST;
    }
}
