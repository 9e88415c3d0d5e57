package org.railyard.lnet.api;

/**
 * Messages through an NI or a peer NI (spec 10 §17.1).
 *
 * @param sent messages sent; a response counts under the request that it answers
 * @param received messages received
 * @param dropped messages dropped
 * @param sentBytes payload of the messages sent
 * @param receivedBytes payload of the messages received
 * @param putEgress time from choosing the path of a PUT until its transport has sent it, first attempts only
 * @param send the same of messages of all types
 * @param getRtt time from a GET until its REPLY
 * @param putAck time from a PUT until its ACK
 */
public record Traffic(
        Counts sent,
        Counts received,
        Counts dropped,
        long sentBytes,
        long receivedBytes,
        Latency putEgress,
        Latency send,
        Latency getRtt,
        Latency putAck) {
    /** Of an interface that was never used. */
    public static final Traffic NONE = new Traffic(
            Counts.NONE, Counts.NONE, Counts.NONE, 0, 0, Latency.NONE, Latency.NONE, Latency.NONE, Latency.NONE);

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
        /** Of nothing. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        /** Returns the sum. */
        public long sum() {
            return put + get + reply + ack + hello;
        }

        /** Returns the sums by type. */
        public Counts plus(Counts other) {
            return new Counts(
                    put + other.put, get + other.get, reply + other.reply, ack + other.ack, hello + other.hello);
        }
    }

    /** Returns the time of a transaction, from a GET until its REPLY or a PUT until its ACK. */
    public Latency transaction() {
        return getRtt.plus(putAck);
    }

    /** Returns both together. */
    public Traffic plus(Traffic other) {
        return new Traffic(
                sent.plus(other.sent),
                received.plus(other.received),
                dropped.plus(other.dropped),
                sentBytes + other.sentBytes,
                receivedBytes + other.receivedBytes,
                putEgress.plus(other.putEgress),
                send.plus(other.send),
                getRtt.plus(other.getRtt),
                putAck.plus(other.putAck));
    }
}
