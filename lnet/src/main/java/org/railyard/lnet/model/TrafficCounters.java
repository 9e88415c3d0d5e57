package org.railyard.lnet.model;

import org.railyard.lnet.Traffic;
import org.railyard.lnet.wire.MessageType;

/** Counts of messages by type (spec 10 §17.1). */
public final class TrafficCounters {
    private static final int TYPES = MessageType.values().length;

    private final long[] sent = new long[TYPES];
    private final long[] received = new long[TYPES];
    private final long[] dropped = new long[TYPES];

    /** Makes counters at 0. */
    public TrafficCounters() {}

    /** Counts a message sent; a response is counted under the request that it answers. */
    public void sent(MessageType type) {
        switch (type) {
            case REPLY -> sent[MessageType.GET.number()]++;
            case ACK -> sent[MessageType.PUT.number()]++;
            default -> sent[type.number()]++;
        }
    }

    /** Counts a message received. */
    public void received(MessageType type) {
        received[type.number()]++;
    }

    /** Counts a message dropped. */
    public void dropped(MessageType type) {
        dropped[type.number()]++;
    }

    /** Returns the counts now. */
    public Traffic snapshot() {
        return new Traffic(counts(sent), counts(received), counts(dropped));
    }

    private static Traffic.Counts counts(long[] of) {
        return new Traffic.Counts(
                of[MessageType.PUT.number()],
                of[MessageType.GET.number()],
                of[MessageType.REPLY.number()],
                of[MessageType.ACK.number()],
                of[MessageType.HELLO.number()]);
    }
}
