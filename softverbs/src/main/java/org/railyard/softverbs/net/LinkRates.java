package org.railyard.softverbs.net;

import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.sim.LinkRate;
import org.railyard.verbs.PortAttributes;

/** How much a link carries. */
final class LinkRates {
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

    /** Returns how many bits of data a link carries per ns. */
    static double dataBitsPerNano(int lanes, LinkSpeed speed) {
        return LinkRate.bytesPerNano(lanes, speed) * Byte.SIZE;
    }
}
