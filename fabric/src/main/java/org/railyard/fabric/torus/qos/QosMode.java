package org.railyard.fabric.torus.qos;

import org.railyard.fabric.torus.grid.TorusShape;

/** How service levels are shared out between QoS levels and multicast (spec 30 §5). */
public enum QosMode {
    /** Two QoS levels, SL 0 to 15; multicast on SL 0 or 8 beside unicast. Wants 8 data VLs. */
    TWO_LEVELS,
    /**
     * All unicast on SL 8 to 15, thus VL 4 to 7; multicast alone on SL 0, so that any one tree is safe. Needs 8 data
     * VLs.
     */
    SEPARATE_MULTICAST,
    /** One level on SL 0 to 7, multicast on SL 0 beside it. Wants 4 data VLs; 2 do while no switch is missing. */
    SHARED;

    private static final int LEVEL_BIT = 3;
    private static final int VLS_FOR_TWO_LEVELS = 8;

    /** Returns the mode for one QoS level: multicast apart if the switches have the VLs for it. */
    public static QosMode forOneLevel(int switchVls) {
        return switchVls >= VLS_FOR_TWO_LEVELS ? SEPARATE_MULTICAST : SHARED;
    }

    /** Returns the data VLs between switches that this mode cannot do without. */
    public int neededVls() {
        return this == SEPARATE_MULTICAST ? VLS_FOR_TWO_LEVELS : 2;
    }

    /**
     * Returns the SL of a unicast path.
     *
     * @param datelineBits SL bits 0 to 2, from {@link TorusShape#datelineBits}
     * @param hint the SL that partition, QoS policy or the client would give, 0 to 15; only its bit 3 counts
     */
    public int unicastSl(int datelineBits, int hint) {
        return datelineBits | level(hint) << LEVEL_BIT;
    }

    private int level(int hint) {
        return switch (this) {
            case TWO_LEVELS -> hint >> LEVEL_BIT & 1;
            case SEPARATE_MULTICAST -> 1;
            case SHARED -> 0;
        };
    }

    /**
     * Tells whether a multicast group may have {@code sl}: dateline bits clear, and the level one that this mode gives
     * to groups.
     */
    public boolean allowsMulticastSl(int sl) {
        return sl == 0 || this == TWO_LEVELS && sl == 1 << LEVEL_BIT;
    }
}
