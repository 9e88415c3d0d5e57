package org.railyard.softverbs.net;

/** Hears everything that happens on a simulated fabric; the same seed gives the same events again. */
@FunctionalInterface
public interface FabricTrace {
    /** Hears nothing. */
    FabricTrace NONE = (_, _, _, _, _) -> {};

    /**
     * Is told of an event.
     *
     * @param timeNanos virtual time, ns
     * @param what what happened
     * @param port where, for example {@code node3/mlx5_0/1}
     * @param subject number of a queue pair or connection
     * @param detail sequence number, status or length
     */
    void event(long timeNanos, String what, String port, long subject, long detail);
}
