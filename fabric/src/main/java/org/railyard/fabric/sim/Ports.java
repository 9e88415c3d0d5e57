package org.railyard.fabric.sim;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;

/** Cables and what is at their ends, by port index of the fabric; of a cable both directions change together. */
final class Ports {
    /** Bits behind the point of {@link #nanosPerByte}. */
    private static final int FRACTION = 20;

    private static final double ONE = 1 << FRACTION;

    /** The port at the other end, whether the cable is up or not. */
    final int[] far;

    /** The switch that the port is on; {@link Fabric#NONE} for other nodes. */
    final int[] switchOf;

    final int[] number;
    final boolean[] up;

    /** Changes whenever the link goes down or up: what was sent before is lost. */
    final char[] epoch;

    private final long[] nanosPerByte;

    Ports(Fabric fabric) {
        int count = fabric.portCount();
        far = new int[count];
        switchOf = new int[count];
        number = new int[count];
        up = new boolean[count];
        epoch = new char[count];
        nanosPerByte = new long[count];
        Arrays.fill(switchOf, Fabric.NONE);
        for (int port = 0; port < count; port++) {
            int node = fabric.nodeOf(port);
            far[port] = fabric.cable(port);
            switchOf[port] = fabric.isSwitch(node) ? node : Fabric.NONE;
            number[port] = fabric.portNumber(port);
            up[port] = fabric.peer(port) != Fabric.NONE;
            setRate(port, LinkRate.bytesPerNano(fabric.width(port), fabric.speed(port)));
        }
    }

    int count() {
        return far.length;
    }

    void setRate(int port, double bytesPerNano) {
        nanosPerByte[port] = Math.max(1, Math.round(ONE / bytesPerNano));
    }

    /** Returns how long a port takes to send some bytes, ns. */
    long nanos(int port, int bytes) {
        return bytes * nanosPerByte[port] + (1 << FRACTION) - 1 >>> FRACTION;
    }

    boolean isEnd(int port) {
        return switchOf[port] == Fabric.NONE;
    }
}
