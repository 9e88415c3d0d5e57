package org.railyard.fabric.sim;

import org.railyard.fabric.model.LinkSpeed;

/** How much data a link carries. */
public final class LinkRate {
    private static final double BITS = 8;
    private static final double EIGHT_OF_TEN = 0.8;
    private static final double SIXTY_FOUR_OF_66 = 64.0 / 66.0;

    private LinkRate() {}

    /**
     * Returns the bytes of data that a link carries per ns: of 10 bits 8 up to QDR, of 66 bits 64 above (spec 23 §3.2).
     * Lanes of EDR and above signal at 66/64 of the rate by which they are called (spec 33 §3). One that is not told
     * counts as SDR.
     */
    public static double bytesPerNano(int lanes, LinkSpeed speed) {
        double laneGigabits = switch (speed) {
            case SDR, UNKNOWN -> 2.5 * EIGHT_OF_TEN;
            case DDR -> 5 * EIGHT_OF_TEN;
            case QDR -> 10 * EIGHT_OF_TEN;
            case FDR10 -> 10.3125 * SIXTY_FOUR_OF_66;
            case FDR -> 14.0625 * SIXTY_FOUR_OF_66;
            case EDR -> 25;
            case HDR -> 50;
            case NDR -> 100;
        };
        return lanes * laneGigabits / BITS;
    }
}
