package org.railyard.verbs;

/** Rights on a memory region, bits to be added up. Reading locally is always allowed. */
public final class Access {
    /** The device may store what arrives in receives. */
    public static final int LOCAL_WRITE = 1;

    /** A peer that knows the remote key may write. */
    public static final int REMOTE_WRITE = 2;

    private Access() {}
}
