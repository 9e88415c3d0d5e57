package org.railyard.fabric.sim;

import org.railyard.fabric.model.LinkSpeed;

/** How much data a link carries. */
public final class LinkRate {
    private static final double BITS = 8;

    private LinkRate() {}

    /** Returns the signalling rate of one lane, Gb/s. One that is not told counts as SDR. */
    public static double laneGigabits(LinkSpeed speed) {
        return switch (speed) {
            case SDR, UNKNOWN -> 2.5;
            case DDR -> 5;
            case QDR -> 10;
            case FDR10 -> 10.3125;
            case FDR -> 14.0625;
            case EDR -> 25;
            case HDR -> 50;
            case NDR -> 100;
        };
    }

    /**
     * Returns the bytes of data that a link carries per ns: of 10 bits 8 up to QDR, of 66 bits 64 above (spec 23 §3.2).
     */
    public static double bytesPerNano(int lanes, LinkSpeed speed) {
        double coding = switch (speed) {
            case SDR, DDR, QDR, UNKNOWN -> 0.8;
            case FDR10, FDR, EDR, HDR, NDR -> 64.0 / 66.0;
        };
        return lanes * laneGigabits(speed) * coding / BITS;
    }
}
