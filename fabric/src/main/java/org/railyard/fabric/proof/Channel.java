package org.railyard.fabric.proof;

import org.railyard.fabric.model.Fabric;

/**
 * A directed link and a VL: what a packet holds while it waits.
 *
 * @param port port index of the sending port
 * @param vl data VL
 */
public record Channel(int port, int vl) {
    /** Numbers that a port has, one for each VL; the management VL included. */
    public static final int VLS = 16;

    private static final int VL_BITS = 4;

    /** Returns the number of a channel: port index · {@value #VLS} + VL. Ascends with the port, then with the VL. */
    public static int number(int port, int vl) {
        return port << VL_BITS | vl;
    }

    /** Returns the port index that is in the number of a channel. */
    public static int portOf(int number) {
        return number >> VL_BITS;
    }

    /** Returns the VL that is in the number of a channel. */
    public static int vlOf(int number) {
        return number & VLS - 1;
    }

    /** Returns the channel with a number. */
    public static Channel of(int number) {
        return new Channel(portOf(number), vlOf(number));
    }

    /** Returns its number. */
    int number() {
        return number(port, vl);
    }

    /** Returns the channel with the names of its ends. */
    public String text(Fabric fabric) {
        int far = fabric.peer(port);
        return "%s port %d vl %d -> %s"
                .formatted(
                        fabric.description(fabric.nodeOf(port)),
                        fabric.portNumber(port),
                        vl,
                        far == Fabric.NONE ? "nothing" : fabric.description(fabric.nodeOf(far)));
    }
}
