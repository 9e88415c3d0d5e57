package org.railyard.selftest.node;

import java.util.concurrent.atomic.LongAdder;

/** How many calls of tests failed in a session. Thread-safe. */
final class FailedCalls {
    private final LongAdder pings = new LongAdder();
    private final LongAdder brws = new LongAdder();

    void count(boolean ofPing) {
        (ofPing ? pings : brws).increment();
    }

    int pings() {
        return pings.intValue();
    }

    int brws() {
        return brws.intValue();
    }
}
