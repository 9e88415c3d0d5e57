package org.railyard.fabric.sim;

/** Hears what becomes of packets, in the thread of the simulation, at the time of the simulation. */
public interface SimListener {
    /**
     * The sender of a packet begins to send it, after what was before it in its queue. Nothing may be injected from
     * here.
     *
     * @param token what it was injected with
     */
    default void leaves(long token) {
        // Most want to know what arrives.
    }

    /**
     * An end port took a packet, whose tail has come; of a multicast packet this is heard from each end port. New
     * packets may be injected from here.
     *
     * @param token what it was injected with
     * @param port index of the end port
     * @param birthNanos when it was injected
     * @param sentNanos when its sender began to send it
     * @param hops switches that it passed
     */
    void delivered(long token, int port, long birthNanos, long sentNanos, int hops);

    /**
     * A packet is lost, or one copy of a multicast packet. Nothing may be injected from here.
     *
     * @param token what it was injected with
     */
    void dropped(long token, DropReason reason);

    /** There is a deadlock, for the first time. */
    default void deadlocked(Deadlock deadlock) {
        // Whoever wants to know asks FabricSim.deadlock() in the end.
    }
}
