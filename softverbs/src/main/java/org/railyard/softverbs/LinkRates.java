package org.railyard.softverbs;

import org.railyard.fabric.model.LinkSpeed;
import org.railyard.verbs.PortAttributes;

/** How much a link carries. */
final class LinkRates {
    /** Bits of 0.1 Mb/s are 10⁵ a second: so many of them make one bit per ns. */
    private static final double UNITS_PER_BIT_AND_NANO = 10_000.0;

    private LinkRates() {}

    /** Returns the code of the port attributes for a speed. One that is not told counts as SDR. */
    static int speedCode(LinkSpeed speed) {
        return switch (speed) {
            case SDR, UNKNOWN -> 1;
            case DDR -> 2;
            case QDR -> 4;
            case FDR10 -> 8;
            case FDR -> 16;
            case EDR -> 32;
            case HDR -> 64;
            case NDR -> 128;
        };
    }

    /** Returns the signalling rate of a link, in units of 0.1 Mb/s. */
    static long signalling(int lanes, LinkSpeed speed) {
        return (long) lanes * PortAttributes.laneRate(speedCode(speed));
    }

    /** Returns how many bits of data a link carries per ns: of 10 bits 8 up to QDR, of 66 bits 64 above (spec 23 §3.2). */
    static double dataBitsPerNano(int lanes, LinkSpeed speed) {
        boolean eightOfTen = speedCode(speed) <= 4;
        return signalling(lanes, speed) / UNITS_PER_BIT_AND_NANO * (eightOfTen ? 0.8 : 64.0 / 66.0);
    }
}
