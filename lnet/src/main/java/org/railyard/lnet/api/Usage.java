package org.railyard.lnet.api;

/**
 * How much an interface is used of late.
 *
 * @param heat messages sent and received, each counting half as much after a minute
 * @param txMessagesPerSecond messages sent per second, of the last seconds
 * @param txBytesPerSecond payload sent per second, of the last seconds
 */
public record Usage(double heat, double txMessagesPerSecond, double txBytesPerSecond) {
    /** Of an interface that was never used. */
    public static final Usage NONE = new Usage(0, 0, 0);
}
