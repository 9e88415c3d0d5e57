package org.railyard.fabric.sim.traffic;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.sim.Starvation;

/**
 * What came of a load. Of multicast each copy that arrives is a packet that arrives.
 *
 * @param load what was asked for: share of the rates of their links
 * @param offered share of the rates of their links that hosts sent, or would have if their queues were not full, while
 *     it counted
 * @param accepted share that arrived
 * @param delays from the sender's queue to the arrival of the tail
 * @param inNetwork from when a packet's sender began to send it
 * @param levels the same by QoS level; one that sent nothing is not there
 * @param hops packets that arrived, by how many switches they passed
 * @param fairness Jain's index over what hosts got through: 1 if all the same, 1/n if only one
 * @param packets packets that arrived while it counted
 * @param lost packets that were dropped, or not sent, all in all, by reason
 * @param lastLossNanos when the last one was, ns; −1 if none was
 * @param from when it began to count, ns
 * @param counted for how long it counted, ns
 * @param steady whether the mean latency was steady before
 * @param longestWait how long a packet was at the head of a queue before it was sent, ns, at most
 * @param use of links while it counted
 * @param log what happened to the fabric, one line each
 * @param refused whether the engine refused what was left of the fabric
 * @param nanos how long it was simulated, ns
 * @param events events of the simulation
 * @param outcome state at the end
 * @param deadlock the packets that wait for each other, if there are any, or were before a lifetime ended them
 * @param starvation whom packets wait for, if anybody
 */
public record LoadPoint(
        double load,
        double offered,
        double accepted,
        Delays delays,
        Delays inNetwork,
        List<Level> levels,
        SortedMap<Integer, Long> hops,
        double fairness,
        long packets,
        SortedMap<String, Long> lost,
        long lastLossNanos,
        long from,
        long counted,
        boolean steady,
        long longestWait,
        LinkUse use,
        List<String> log,
        boolean refused,
        long nanos,
        long events,
        Outcome outcome,
        Optional<Deadlock> deadlock,
        Optional<Starvation> starvation) {
    /** Takes copies. */
    public LoadPoint {
        levels = List.copyOf(levels);
        hops = Collections.unmodifiableSortedMap(new TreeMap<>(hops));
        lost = Collections.unmodifiableSortedMap(new TreeMap<>(lost));
        log = List.copyOf(log);
    }

    /**
     * One QoS level.
     *
     * @param level 0 or 1
     * @param accepted share of the rates of all links that arrived
     * @param packets that arrived
     * @param delays from the sender's queue to the arrival of the tail
     */
    public record Level(int level, double accepted, long packets, Delays delays) {}

    /** Returns what counted, with what came of it all in the end. */
    LoadPoint after(LoadPoint end) {
        return new LoadPoint(
                load,
                offered,
                accepted,
                delays,
                inNetwork,
                levels,
                hops,
                fairness,
                packets,
                end.lost,
                end.lastLossNanos,
                from,
                counted,
                steady,
                end.longestWait,
                use,
                end.log,
                end.refused,
                end.nanos,
                end.events,
                end.outcome,
                end.deadlock,
                end.starvation);
    }

    /** Returns how many packets were lost, for all reasons. */
    public long lostInAll() {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the mean number of switches that packets passed; 0 if none arrived. */
    public double meanHops() {
        double sum = 0;
        for (var entry : hops.entrySet()) {
            sum += (double) entry.getKey() * entry.getValue();
        }
        return packets == 0 ? 0 : sum / packets;
    }
}
