package org.railyard.lab.fabric;

import org.railyard.lab.payload.PayloadPattern;
import org.railyard.softverbs.net.MemoryMover;
import org.railyard.verbs.card.memory.Stretch;

/** Stores references to payloads instead of their bytes, piece by piece as cards see memory. */
final class PayloadMover implements MemoryMover {
    @Override
    public void move(Stretch from, Stretch to, long bytes) {
        long stretch = bytes < PayloadPattern.MIN_REFERRED
                ? PayloadPattern.NONE
                : PayloadPattern.find(from.memory(), from.position(), bytes);
        if (stretch == PayloadPattern.NONE) {
            COPY.move(from, to, bytes);
        } else {
            PayloadPattern.refer(stretch, to.memory(), to.position(), bytes);
        }
    }
}
