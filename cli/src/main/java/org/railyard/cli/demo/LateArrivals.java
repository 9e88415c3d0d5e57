package org.railyard.cli.demo;

import java.util.LinkedHashSet;

/** The attempts that one slot saw arrive of late, to notice one that is delivered twice. Thread-safe. */
final class LateArrivals {
    /** Most attempts remembered; a late one is at most seconds old. */
    private static final int MAX = 16_384;

    private final LinkedHashSet<Long> recent = new LinkedHashSet<>();

    /** Notes an attempt; false if it was there before. */
    synchronized boolean isNew(long attempt) {
        boolean added = recent.add(attempt);
        if (recent.size() > MAX) {
            recent.removeFirst();
        }
        return added;
    }
}
