package org.railyard.softverbs.net;

import org.jspecify.annotations.Nullable;

/** From one port to another on a service level. */
public final class PortPair {
    private final FabricPort from;
    private final FabricPort to;
    private final int sl;
    private @Nullable Transit transit;

    /** Makes one. */
    public PortPair(FabricPort from, FabricPort to, int sl) {
        this.from = from;
        this.to = to;
        this.sl = sl;
    }

    /** Returns the port that sends. */
    public FabricPort from() {
        return from;
    }

    /** Returns the port that receives. */
    public FabricPort to() {
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
