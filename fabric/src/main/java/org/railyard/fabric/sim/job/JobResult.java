package org.railyard.fabric.sim.job;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.railyard.fabric.sim.Deadlock;
import org.railyard.fabric.sim.Starvation;

/**
 * What became of a job.
 *
 * @param end how it ended
 * @param nanos when, ns: when the last message arrived if it was done
 * @param slowest rank that ended last, -1 if not all did
 * @param meanEnd when ranks were done in the mean, ns; 0 if not all were
 * @param messages messages that arrived
 * @param bytes their bytes
 * @param meanMessage how long a message took in the mean, from its first packet to its last, ns
 * @param longestMessage how long the slowest one took, ns
 * @param resent packets that were sent again
 * @param lost packets that were lost, by reason
 * @param busiest port index of the port between switches that sent most, -1 if there is none
 * @param busiestShare which share of what its link carries it sent, over the whole time
 * @param log what happened to the fabric, one line each
 * @param wasRefused whether the engine refused what was left of the fabric
 * @param trouble the message that was given up, empty if none was
 * @param deadlock packets that wait for each other, if it ended so
 * @param starvation whom packets wait for, if it ended so
 */
public record JobResult(
        End end,
        long nanos,
        int slowest,
        double meanEnd,
        long messages,
        long bytes,
        double meanMessage,
        long longestMessage,
        long resent,
        SortedMap<String, Long> lost,
        int busiest,
        double busiestShare,
        List<String> log,
        boolean wasRefused,
        String trouble,
        Optional<Deadlock> deadlock,
        Optional<Starvation> starvation) {
    /** How a job ends. */
    public enum End {
        /** All messages arrived. */
        DONE,
        /** A message was given up. */
        BROKEN,
        /** The time was over. */
        TIME_OVER,
        /** Packets wait for each other for ever. */
        DEADLOCK,
        /** Packets wait for somebody who takes none. */
        STARVED
    }
}
