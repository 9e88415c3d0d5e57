package org.railyard.mad.umad;

import org.railyard.base.host.NodeClock;

/** The clock of programs that talk to ibsim. */
enum RealClock implements NodeClock {
    CLOCK;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallNanos() {
        return 0;
    }
}
