package org.railyard.lnet.sim;

import org.railyard.base.host.StateLock;

/** For tests of what a node guards with its lock. */
public final class HeldLock {
    private HeldLock() {}

    /** Returns a lock that the calling thread holds. */
    public static StateLock make() {
        StateLock lock = new StateLock();
        lock.lock();
        return lock;
    }
}
