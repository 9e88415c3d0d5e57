package org.railyard.lnet;

/**
 * Messages through an NI, by type (spec 10 §17.1).
 *
 * @param sent messages sent; a response counts under the request that it answers
 * @param received messages received
 * @param dropped messages dropped
 */
public record Traffic(Counts sent, Counts received, Counts dropped) {
    /**
     * Counts by message type.
     *
     * @param put PUTs
     * @param get GETs
     * @param reply REPLYs
     * @param ack ACKs
     * @param hello HELLOs, always 0 here
     */
    public record Counts(long put, long get, long reply, long ack, long hello) {
        /** Returns the sum. */
        public long sum() {
            return put + get + reply + ack + hello;
        }
    }
}
