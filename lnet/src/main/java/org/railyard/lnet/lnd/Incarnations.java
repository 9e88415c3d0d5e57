package org.railyard.lnet.lnd;

/**
 * Tells by the incarnations that connections with one NID say whether two nodes have it. A node that restarts has a new
 * one and never comes back to the one before. Two old ones that take turns belong to two nodes; a call that was made
 * before a restart and is read after it can look like one or two turns. A program that runs beside a daemon for a while
 * has a new one each time. Nothing but a hint follows: whoever can call can say what it likes. The caller guards it.
 */
public final class Incarnations {
    /** Turns that are evidence. */
    private static final int EVIDENCE = 3;

    private long latest;
    private long before;
    private int turns;

    /**
     * Takes in what a connection said.
     *
     * @return whether the NID was seen to be that of two nodes, each time that they take turns
     */
    public boolean heard(long incarnation) {
        if (incarnation == latest) {
            return false;
        }
        turns = incarnation == before ? turns + 1 : 0;
        before = latest;
        latest = incarnation;
        return turns >= EVIDENCE;
    }
}
