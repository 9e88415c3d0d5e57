package org.railyard.fabric.proof;

/**
 * Hears what a check says of each destination while it has its tables at hand: by which SLs packets leave each switch.
 * Whoever hears it need not believe it: whether what leaves a switch comes from its senders, and goes on at the next
 * one, is seen switch by switch. For the thread of the check.
 */
public interface SlClaims {
    /** Does not listen. */
    SlClaims NOBODY = (_, _, _) -> {};

    /**
     * Hears of a destination.
     *
     * @param lid LID of the destination
     * @param column by switch the output port in its table; must not be changed, and is another one afterwards
     * @param leaving by switch a bit for each SL of the packets that leave it by a cable to another switch; the same
     *     rule
     */
    void to(int lid, byte[] column, char[] leaving);
}
