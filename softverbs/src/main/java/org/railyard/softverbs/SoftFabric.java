package org.railyard.softverbs;

import java.util.random.RandomGenerator;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.cm.SoftManagers;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.time.Timeline;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * A fabric with machines on it, in virtual time (spec 23 §3). A run is a function of fabric, tables, seed and what is
 * done to it.
 */
public final class SoftFabric extends SimulatedFabric {
    private final SoftManagers managers = new SoftManagers();

    /**
     * Makes a fabric without machines.
     *
     * @param time drives it
     * @param random its random numbers, from the seed of the run
     * @param fabric switches, cards and cables, with LIDs
     * @param routing tables for them
     * @param trace hears what happens
     */
    public SoftFabric(
            Timeline time,
            RandomGenerator random,
            Fabric fabric,
            Routing routing,
            SoftSettings settings,
            FabricTrace trace) {
        super(time, random, fabric, routing, settings, trace);
    }

    /** Adds a machine without cards. */
    public SoftNode addNode(String name, MemoryModel memory) {
        return new SoftNode(this, managers, name, memory);
    }

    /** Breaks the connections between two ports, at both ends, as cards do that find an error in them. */
    public void breakConnections(SoftPort one, SoftPort other) {
        one.device().breakConnections(one, other);
        other.device().breakConnections(other, one);
    }
}
