package org.railyard.softverbs;

import org.jspecify.annotations.Nullable;

/** From one port to another on a service level. */
final class PortPair {
    private final SoftPort from;
    private final SoftPort to;
    private final int sl;
    private @Nullable Transit transit;

    PortPair(SoftPort from, SoftPort to, int sl) {
        this.from = from;
        this.to = to;
        this.sl = sl;
    }

    SoftPort from() {
        return from;
    }

    SoftPort to() {
        return to;
    }

    int sl() {
        return sl;
    }

    /** Returns how messages travel now; followed through the tables anew only if the subnet has changed. */
    Transit transit(Subnet subnet) {
        Transit known = transit;
        if (known == null || known.epoch() != subnet.epoch()) {
            known = subnet.transit(from.fabricPort(), to.fabricPort(), sl);
            transit = known;
        }
        return known;
    }
}
