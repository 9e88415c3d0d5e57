package org.railyard.mad.sim;

/**
 * How a simulated subnet behaves.
 *
 * @param hopNanos time from node to node, ns
 * @param jitterNanos most time added by chance to each delivery, ns
 * @param agentNanos time that an agent needs for one request, ns; it does one at a time
 * @param agentQueue most requests that wait at an agent; more are dropped
 * @param trapRepeatNanos time after which a trap that nobody repressed is sent again, ns
 */
public record SimulationSettings(
        long hopNanos, long jitterNanos, long agentNanos, int agentQueue, long trapRepeatNanos) {
    /** 500 ns per hop, no jitter, 10 µs per request, 64 waiting requests, traps again after 1 s. */
    public static final SimulationSettings DEFAULT = new SimulationSettings(500, 0, 10_000, 64, 1_000_000_000L);

    /** Checks the numbers. */
    public SimulationSettings {
        if (hopNanos < 0 || jitterNanos < 0 || agentNanos < 0 || agentQueue < 1 || trapRepeatNanos < 1) {
            throw new IllegalArgumentException("times from 0, a queue and a repeat time from 1 expected: " + hopNanos
                    + " " + jitterNanos + " " + agentNanos + " " + agentQueue + " " + trapRepeatNanos);
        }
    }
}
