package org.railyard.fabric.torus.grid;

import org.railyard.fabric.route.SlToVl;

/**
 * SL to VL by the dimensions a packet comes from and goes to (spec 30 §8): VL bit 0 is the dateline bit of the output
 * dimension, bit 1 marks the hop after an illegal turn, bit 2 the QoS level; each as far as the data VLs of the fabric
 * allow.
 *
 * <p>A port's class is the dimension of its group, or {@link #END}: 4 × 4 classes make at most 16 different tables.
 *
 * @param switchVls data VLs that every port between switches has, 1 to 15
 * @param endVls data VLs that every CA and router port has, 1 to 15
 */
public record SlToVlRule(int switchVls, int endVls) {
    /** Class of end ports, of ports that are not connected, and of all ports outside the torus. */
    public static final int END = TorusShape.DIMENSIONS;

    /** Number of service levels. */
    public static final int SLS = 16;

    private static final int MAX_DATA_VLS = 15;

    /** Checks the ranges. */
    public SlToVlRule {
        if (switchVls < 1 || switchVls > MAX_DATA_VLS || endVls < 1 || endVls > MAX_DATA_VLS) {
            throw new IllegalArgumentException("data VLs out of 1.." + MAX_DATA_VLS + ": " + switchVls + ", " + endVls);
        }
    }

    /**
     * Returns the VL, 0 to 7, of a packet with {@code sl} that goes through a switch from a port of class {@code in} to
     * one of class {@code out}.
     */
    public int vl(int in, int out, int sl) {
        int level = sl >> 3 & 1;
        if (out == END) {
            return switchVls >= 2 ? level : 0;
        }
        int vl = switchVls >= 2 ? sl >> out & 1 : 0;
        if (switchVls >= 4 && in != END && in > out) {
            vl |= 2;
        }
        if (switchVls >= 8) {
            vl |= level << 2;
        }
        return vl;
    }

    /** Returns the VLs of all SLs between two classes, packed as {@link SlToVl} has them. */
    public long table(int in, int out) {
        int[] vls = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            vls[sl] = vl(in, out, sl);
        }
        return SlToVl.pack(vls);
    }

    /** Returns the VL, 0 or 1, by which a CA or router sends a packet with {@code sl}. */
    public int endNodeVl(int sl) {
        return endVls >= 2 ? sl >> 3 & 1 : 0;
    }

    /**
     * Returns {@code vl} limited to what a port offers.
     *
     * @param operVls the OperVLs code of the output port: 1 to 5 for 1, 2, 4, 8, 15 data VLs
     */
    public static int masked(int vl, int operVls) {
        return vl & (1 << (operVls - 1)) - 1;
    }
}
