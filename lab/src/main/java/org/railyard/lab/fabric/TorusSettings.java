package org.railyard.lab.fabric;

import java.util.List;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.TorusPlan;

/**
 * A rail that is an InfiniBand torus.
 *
 * @param radices switches in x, y and z; 1 if the dimension is absent
 * @param hosts cards that fit on a switch
 * @param engine what routes it
 * @param sweepNanos from a change of the fabric to the new tables, ns
 */
public record TorusSettings(List<Integer> radices, int hosts, Engine engine, long sweepNanos) {
    /** Most cards on a rail: what the rail has addresses for. */
    public static final int MAX_CARDS = 65_000;

    /** What routes. */
    public enum Engine {
        /** Free of credit loops; goes on when a switch fails. */
        TORUS_2QOS("torus-2qos"),
        /** Shortest paths; may have credit loops. */
        MIN_HOP("min-hop");

        private final String text;

        Engine(String text) {
            this.text = text;
        }

        /** Returns what scenarios call it. */
        public String text() {
            return text;
        }
    }

    /**
     * Checks that there is such a torus.
     *
     * @throws FabricException if there is none, or it has no switch that torus-2QoS can start from
     */
    public TorusSettings {
        radices = List.copyOf(radices);
        TorusPlan.torus(radices.get(0), radices.get(1), radices.get(2), hosts).conf(1);
    }

    /** Returns how many cards fit on. */
    public long cards() {
        return (long) radices.get(0) * radices.get(1) * radices.get(2) * hosts;
    }

    TorusPlan plan() {
        return TorusPlan.torus(radices.get(0), radices.get(1), radices.get(2), hosts);
    }
}
