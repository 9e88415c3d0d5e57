package org.railyard.lab.fabric;

import java.util.List;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.softverbs.net.SoftSettings;

/**
 * A rail that is an InfiniBand torus.
 *
 * @param radices switches in x, y and z; 1 if the dimension is absent
 * @param hosts cards that fit on a switch
 * @param engine what routes it
 * @param sweepNanos from a change of the fabric to the new tables, ns
 * @param fidelity whether messages or packets travel
 * @param bufferBytes room of an input buffer of a switch for one VL, bytes; where packets travel
 */
public record TorusSettings(
        List<Integer> radices, int hosts, Engine engine, long sweepNanos, Fidelity fidelity, int bufferBytes) {
    /** Most cards on a rail: what the rail has addresses for. */
    public static final int MAX_CARDS = 65_000;

    /** What routes. */
    public enum Engine {
        /** Free of credit loops; goes on when a switch fails. */
        TORUS_2QOS(EngineName.TORUS_2QOS),
        /** Shortest paths; may have credit loops. */
        MIN_HOP(EngineName.MIN_HOP),
        /** Dimension after dimension, everything on one VL; has credit loops on rings of four and more switches. */
        DOR(EngineName.DOR);

        private final EngineName name;

        Engine(EngineName name) {
            this.name = name;
        }

        /** Returns what scenarios call it. */
        public String text() {
            return name.text();
        }

        RoutingEngine of(TorusConf conf) {
            return name.engine(conf, /* strict */ false, List.of());
        }
    }

    /** How closely it is looked at what travels. */
    public enum Fidelity {
        /** A message is one event; messages do not meet. */
        MESSAGE("message", org.railyard.softverbs.net.Fidelity.MESSAGE),
        /** Packets wait for credits, block each other, and can come to stand still. */
        PACKET("packet", org.railyard.softverbs.net.Fidelity.PACKET);

        private final String text;
        private final org.railyard.softverbs.net.Fidelity ofCards;

        Fidelity(String text, org.railyard.softverbs.net.Fidelity ofCards) {
            this.text = text;
            this.ofCards = ofCards;
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
        SampleTorus.torus(radices.get(0), radices.get(1), radices.get(2), hosts).conf(1);
    }

    /** Makes a torus on which messages travel. */
    public TorusSettings(List<Integer> radices, int hosts, Engine engine, long sweepNanos) {
        this(radices, hosts, engine, sweepNanos, Fidelity.MESSAGE, SoftSettings.DEFAULT.bufferBytes());
    }

    /** Returns the same torus with messages or packets. */
    public TorusSettings withFidelity(Fidelity other) {
        return new TorusSettings(radices, hosts, engine, sweepNanos, other, bufferBytes);
    }

    SoftSettings ofFabric() {
        return SoftSettings.DEFAULT.withFidelity(fidelity.ofCards).withBuffers(bufferBytes);
    }

    /** Returns how many cards fit on. */
    public long cards() {
        return (long) radices.get(0) * radices.get(1) * radices.get(2) * hosts;
    }

    SampleTorus plan() {
        return SampleTorus.torus(radices.get(0), radices.get(1), radices.get(2), hosts);
    }
}
