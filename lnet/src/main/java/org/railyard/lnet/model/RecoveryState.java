package org.railyard.lnet.model;

/** How far the recovery of an NI or a peer NI is (spec 10 §13). */
public final class RecoveryState {
    /** Recovery pings since anything was last received from it. */
    public int pingCount;

    /**
     * When the next ping is due, in seconds of the node's monotonic clock; 0 for never. Keeps its last value after the
     * recovery.
     */
    public long nextPing;

    /** Whether a ping is under way. */
    public boolean pinging;

    /** Whether an administrator wants it to be pinged, heard or not. */
    public boolean wanted;

    /** Makes the state of what never failed. */
    public RecoveryState() {}
}
