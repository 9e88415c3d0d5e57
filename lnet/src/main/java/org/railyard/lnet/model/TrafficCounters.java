package org.railyard.lnet.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Traffic;
import org.railyard.lnet.api.Usage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stats.DecayingCount;
import org.railyard.lnet.stats.LatencyCounter;
import org.railyard.lnet.wire.MessageType;

/**
 * What goes through an NI or a peer NI (spec 10 §17.1, §17.3). Most peers of a large system are known and never talked
 * to: the counters come with the first message.
 */
public final class TrafficCounters {
    /** Time after which a message counts half for heat, s. */
    private static final int HEAT_HALF_LIFE = 60;

    /** Time after which a message counts half for a rate, s. */
    private static final int RATE_HALF_LIFE = 5;

    private static final int TYPES = MessageType.values().length;

    private static final class Values {
        final long[] sent = new long[TYPES];
        final long[] received = new long[TYPES];
        final long[] dropped = new long[TYPES];
        final LatencyCounter putEgress = new LatencyCounter();
        final LatencyCounter send = new LatencyCounter();
        final LatencyCounter getRtt = new LatencyCounter();
        final LatencyCounter putAck = new LatencyCounter();
        final DecayingCount heat = new DecayingCount(HEAT_HALF_LIFE);
        final DecayingCount txMessages = new DecayingCount(RATE_HALF_LIFE);
        final DecayingCount txBytes = new DecayingCount(RATE_HALF_LIFE);

        long sentBytes;
        long receivedBytes;

        @Nullable
        Nid lastLocal;
    }

    private @Nullable Values values;

    /** Makes counters at 0. */
    public TrafficCounters() {}

    private Values values() {
        Values made = values;
        if (made == null) {
            made = new Values();
            values = made;
        }
        return made;
    }

    /**
     * Counts messages sent; a response of this node is counted under the request that it answers.
     *
     * @param type their type
     * @param forwarded whether they are of another node
     * @param messages how many, from 1
     * @param bytes their payload
     * @param now monotonic time, ns
     */
    public void sent(MessageType type, boolean forwarded, int messages, long bytes, long now) {
        Values to = values();
        MessageType under = switch (type) {
            case REPLY -> forwarded ? type : MessageType.GET;
            case ACK -> forwarded ? type : MessageType.PUT;
            default -> type;
        };
        to.sent[under.number()] += messages;
        to.sentBytes += bytes;
        to.heat.add(messages, now);
        to.txMessages.add(messages, now);
        to.txBytes.add((double) bytes, now);
    }

    /**
     * Adds how long it took to send a message, at the first attempt.
     *
     * @param nanos from choosing its path until its transport had sent it
     */
    public void took(MessageType type, long nanos) {
        Values to = values();
        to.send.add(nanos);
        if (type == MessageType.PUT) {
            to.putEgress.add(nanos);
        }
    }

    /** Adds how long it took to send some messages, each at the first attempt, as {@link #took(MessageType, long)}. */
    public void took(MessageType type, LatencyCounter some) {
        Values to = values();
        to.send.add(some);
        if (type == MessageType.PUT) {
            to.putEgress.add(some);
        }
    }

    /**
     * Counts messages received.
     *
     * @param messages how many, from 1
     * @param bytes their payload
     * @param now monotonic time, ns
     */
    public void received(MessageType type, int messages, long bytes, long now) {
        Values to = values();
        to.received[type.number()] += messages;
        to.receivedBytes += bytes;
        to.heat.add(messages, now);
    }

    /**
     * Adds how long a response took.
     *
     * @param response {@link MessageType#REPLY} or {@link MessageType#ACK}
     * @param nanos since the call
     */
    public void answered(MessageType response, long nanos) {
        (response == MessageType.REPLY ? values().getRtt : values().putAck).add(nanos);
    }

    /** Counts a message dropped. */
    public void dropped(MessageType type) {
        values().dropped[type.number()]++;
    }

    /** Records the local NID that was used last. */
    public void usedFrom(Nid local) {
        values().lastLocal = local;
    }

    /** Returns the local NID that was used last, or null. */
    public @Nullable Nid lastLocal() {
        return values == null ? null : values.lastLocal;
    }

    /** Takes counts and latencies to 0. */
    public void reset() {
        if (values != null) {
            Arrays.fill(values.sent, 0);
            Arrays.fill(values.received, 0);
            Arrays.fill(values.dropped, 0);
            values.sentBytes = 0;
            values.receivedBytes = 0;
            values.putEgress.reset();
            values.send.reset();
            values.getRtt.reset();
            values.putAck.reset();
        }
    }

    /** Returns the counts now. */
    public Traffic snapshot() {
        Values of = values;
        return of == null
                ? Traffic.NONE
                : new Traffic(
                        counts(of.sent),
                        counts(of.received),
                        counts(of.dropped),
                        of.sentBytes,
                        of.receivedBytes,
                        of.putEgress.snapshot(),
                        of.send.snapshot(),
                        of.getRtt.snapshot(),
                        of.putAck.snapshot());
    }

    /** Returns how much it is used, at a monotonic time, ns. */
    public Usage usage(long now) {
        return values == null
                ? Usage.NONE
                : new Usage(values.heat.value(now), values.txMessages.perSecond(now), values.txBytes.perSecond(now));
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
