package org.railyard.fabric.model;

/** The code of PortInfo's VLCap and OperationalVLs: 1 to {@value #MAX_CODE} for 1, 2, 4, 8 and 15 data VLs. */
public final class VlCodes {
    /** Largest code. */
    public static final int MAX_CODE = 5;

    private static final int[] COUNTS = {0, 1, 2, 4, 8, 15};

    private VlCodes() {}

    /** Returns how many data VLs a code, 0 to {@value #MAX_CODE}, stands for; 0 for 0. */
    public static int count(int code) {
        return COUNTS[code];
    }
}
