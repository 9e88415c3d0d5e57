package org.railyard.fabric.sim.traffic;

import java.util.Optional;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.FabricSim.Outcome;

/**
 * What came of a load.
 *
 * @param offered share of the rates of their links that hosts sent, or would have if their queues were not full, while it counted
 * @param accepted share that arrived
 * @param meanNanos mean time of a packet from its sender's queue to the arrival of its tail, ns
 * @param medianNanos time that half of the packets do not exceed, ns
 * @param mostNanos time that 99 % do not exceed, ns
 * @param maxNanos longest time, ns
 * @param fairness Jain's index over what hosts got through: 1 if all the same, 1/n if only one
 * @param packets packets that arrived while it counted
 * @param lost packets that were dropped, all in all
 * @param nanos how long it was simulated, ns
 * @param events events of the simulation
 * @param outcome how it stands after no more is sent
 * @param deadlock the packets that wait for each other, if there are any
 */
public record LoadPoint(
        double offered,
        double accepted,
        double meanNanos,
        long medianNanos,
        long mostNanos,
        long maxNanos,
        double fairness,
        long packets,
        long lost,
        long nanos,
        long events,
        Outcome outcome,
        Optional<Deadlock> deadlock) {}
