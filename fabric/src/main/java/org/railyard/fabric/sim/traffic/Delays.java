package org.railyard.fabric.sim.traffic;

/**
 * How long packets took, ns.
 *
 * @param mean mean
 * @param median time that half of them do not exceed, to 3 %
 * @param most time that 99 % do not exceed, to 3 %
 * @param max longest
 */
public record Delays(double mean, long median, long most, long max) {
    static Delays of(Latencies latencies) {
        return new Delays(latencies.mean(), latencies.share(0.5), latencies.share(0.99), latencies.max());
    }
}
