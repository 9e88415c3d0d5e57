package org.railyard.fabric.sim.job;

/**
 * What the ranks of a job send to each other, in steps: a rank begins a step when all messages that it awaits in the
 * step before have arrived, whether its own are under way or not. Ranks, steps and messages count from 0. Immutable.
 */
public interface Job {
    /** Returns what people call it. */
    String name();

    /** Returns how many ranks there are. */
    int ranks();

    /** Returns how many steps a rank takes. */
    int steps(int rank);

    /** Returns how many messages a rank sends in a step; a message belongs to that step at its receiver, too. */
    int sends(int rank, int step);

    /** Returns the rank that a message goes to, which is not its sender. */
    int to(int rank, int step, int message);

    /** Returns the length of a message; 0 is a message, too. */
    long bytes(int rank, int step, int message);

    /** Returns the time before which a message is not sent, ns; it does not decrease from message to message. */
    default long notBefore(int rank, int step, int message) {
        return 0;
    }

    /** Returns how many messages of a step a rank has to have before the next one. */
    int awaits(int rank, int step);
}
