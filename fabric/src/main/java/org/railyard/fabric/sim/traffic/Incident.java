package org.railyard.fabric.sim.traffic;

import java.util.BitSet;

/** Something that happens to a fabric while packets are on their way. */
public sealed interface Incident {
    /** Latest time of an incident, ns: ten seconds. */
    long MAX_NANOS = 10_000_000_000L;

    /** Returns when it happens, ns of virtual time. */
    long nanos();

    /** Returns what happens to what, for people. */
    String text();

    /** Checks a time. */
    private static long checked(long nanos) {
        if (nanos < 0 || nanos > MAX_NANOS) {
            throw new IllegalArgumentException("an incident at %,d ns: expected 0 to %,d".formatted(nanos, MAX_NANOS));
        }
        return nanos;
    }

    /**
     * Cables go down, with everything that is on them, or come up.
     *
     * @param nanos when, 0…{@link #MAX_NANOS}
     * @param text for people
     * @param ports port indices; of a cable one end is enough; never changed
     * @param up whether they come up
     */
    record Links(long nanos, String text, BitSet ports, boolean up) implements Incident {
        /** Checks the time. */
        public Links {
            nanos = checked(nanos);
        }
    }

    /**
     * An end port takes packets more slowly, or not at all, or as fast as they come again.
     *
     * @param nanos when, 0…{@link #MAX_NANOS}
     * @param text for people
     * @param port index of a port of a CA
     * @param share of the rate of its link; 0 = it stops
     */
    record Sink(long nanos, String text, int port, double share) implements Incident {
        /** Checks the time. */
        public Sink {
            nanos = checked(nanos);
        }
    }
}
