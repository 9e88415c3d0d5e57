package org.railyard.fabric.sim;

/** Hears what becomes of packets, in the thread of the simulation, at the time of the simulation. */
public interface SimListener {
    /**
     * A packet arrived, with its tail. New packets may be injected from here.
     *
     * @param token what it was injected with
     * @param birthNanos when it was injected
     * @param hops switches that it passed
     */
    void delivered(long token, long birthNanos, int hops);

    /**
     * A packet is lost. Nothing may be injected from here.
     *
     * @param token what it was injected with
     */
    void dropped(long token, DropReason reason);

    /** The fabric stands still, for the first time. */
    default void deadlocked(Deadlock deadlock) {
        // Whoever wants to know asks FabricSim.deadlock() in the end.
    }
}
