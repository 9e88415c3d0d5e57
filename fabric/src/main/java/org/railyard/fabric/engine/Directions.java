package org.railyard.fabric.engine;

/** Which cables lead from each switch to the switch that was asked for. */
interface Directions {
    /**
     * Turns to a destination.
     *
     * @return a switch that has no way to it, or −1 if all have
     */
    int turnTo(int target);

    /** Returns whether a packet for the destination may go from a switch to this neighbour. */
    boolean leads(int from, int neighbour);
}
