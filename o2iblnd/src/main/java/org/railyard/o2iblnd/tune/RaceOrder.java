package org.railyard.o2iblnd.tune;

/**
 * Who of two nodes that connect at once gives way: the lower one (spec 20 §8). Which one that is differs between
 * releases; both ends should agree.
 */
public enum RaceOrder {
    /** Net XOR address, whose last octet counts most: nodes from 2.15.64 on. */
    HASH,
    /** The NID as a number: nodes before. */
    NUMERIC;

    /** Returns the order that a value of {@link O2ibTunable#RACE_ORDER} stands for. */
    public static RaceOrder of(int value) {
        return value == 0 ? HASH : NUMERIC;
    }

    /** Tells whether one NID is lower than another. */
    public boolean isLower(long nid4, long than) {
        return this == HASH
                ? Integer.compareUnsigned(hash(nid4), hash(than)) < 0
                : Long.compareUnsigned(nid4, than) < 0;
    }

    private static int hash(long nid4) {
        return (int) (nid4 >>> Integer.SIZE) ^ Integer.reverseBytes((int) nid4);
    }
}
