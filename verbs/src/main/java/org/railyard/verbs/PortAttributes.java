package org.railyard.verbs;

/**
 * The state of a port. Width and speed are the codes of the port attributes; {@link #lanes()} and {@link #linkRate()}
 * tell what they mean (spec 20 §16).
 *
 * @param state logical state
 * @param lid local identifier, 0 if it has none
 * @param layer what is below
 * @param maxMtu largest MTU it is able to use, bytes
 * @param activeMtu MTU in use, bytes
 * @param widthCode 1 = 1X, 2 = 4X, 4 = 8X, 8 = 12X, 16 = 2X
 * @param speedCode 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR, 32 EDR, 64 HDR, 128 NDR
 */
public record PortAttributes(
        State state, int lid, LinkLayer layer, int maxMtu, int activeMtu, int widthCode, int speedCode) {
    /** Logical state of a port. */
    public enum State {
        /** Carries nothing. */
        DOWN,
        /** Carries management packets only. */
        INIT,
        /** Ready to become active. */
        ARMED,
        /** Carries data. */
        ACTIVE
    }

    /** What is below the transport. */
    public enum LinkLayer {
        /** InfiniBand. */
        INFINIBAND,
        /** Ethernet: RoCE. */
        ETHERNET
    }

    /** Returns the lanes of a width code, 0 if nobody knows that code. */
    public static int lanes(int widthCode) {
        return switch (widthCode) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    /** Returns the width code for some lanes, 0 if there is none. */
    public static int widthCode(int lanes) {
        return switch (lanes) {
            case 1 -> 1;
            case 2 -> 16;
            case 4 -> 2;
            case 8 -> 4;
            case 12 -> 8;
            default -> 0;
        };
    }

    /**
     * Returns the signalling rate of one lane for a speed code, in units of 0.1 Mb/s so that all of them are whole
     * numbers; 0 if nobody knows that code.
     */
    public static int laneRate(int speedCode) {
        return switch (speedCode) {
            case 1 -> 25_000;
            case 2 -> 50_000;
            case 4 -> 100_000;
            case 8 -> 103_125;
            case 16 -> 140_625;
            case 32 -> 250_000;
            case 64 -> 500_000;
            case 128 -> 1_000_000;
            default -> 0;
        };
    }

    /** Returns the lanes in use, 0 if the code is unknown. */
    public int lanes() {
        return lanes(widthCode);
    }

    /** Returns the signalling rate of the link, in units of 0.1 Mb/s. */
    public long linkRate() {
        return (long) lanes() * laneRate(speedCode);
    }

    /** Tells whether it carries data. */
    public boolean isActive() {
        return state == State.ACTIVE;
    }
}
