package org.railyard.lab.net;

import java.util.ArrayDeque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lab.engine.SimEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;

/**
 * The receiving end of a connection. Puts frames into order, throws second copies away, hands one message at a time to
 * the stack, and tells the sender what has arrived and what the stack has taken.
 */
final class Inbound implements LndReceiver {
    private static final long ACK_DELAY_NANOS = 1_000_000;
    private static final long ACK_RETRY_NANOS = 20_000_000;
    private static final long MAX_ACK_RETRY_NANOS = 5_000_000_000L;
    private static final int ACK_BYTES = 40;

    /** Frames that may stay without acknowledgement while it is delayed. */
    private static final int ACK_EVERY = 32;

    private final SimEndpoint endpoint;
    private final SendChannel channel;
    private final ArrayDeque<SimFrame> waiting = new ArrayDeque<>();
    private final TreeMap<Long, SimFrame> early = new TreeMap<>();
    private final Ack ack = new Ack();
    private @Nullable SimFrame current;
    private boolean answered;
    private boolean reading;
    private boolean closed;
    private long received;
    private long receivedBytes;
    private long consumed;

    Inbound(SimEndpoint endpoint, SendChannel channel) {
        this.endpoint = endpoint;
        this.channel = channel;
    }

    SimMachine machine() {
        return endpoint.device.machine();
    }

    SendChannel channel() {
        return channel;
    }

    /**
     * Tells the sender how far the receiver is. At most one is on its way; it repeats itself until it got there with
     * the latest state.
     */
    private final class Ack extends SimEvent {
        private boolean onItsWay;
        private long retry = ACK_RETRY_NANOS;
        private long toldReceived;
        private long toldBytes;
        private long toldConsumed;

        void soon(boolean now) {
            if (onItsWay) {
                return;
            }
            long time = endpoint.network.queue.now() + (now ? 0 : ACK_DELAY_NANOS);
            if (!isScheduled() || time() > time) {
                endpoint.network.queue.schedule(this, time);
            }
        }

        @Override
        protected void run() {
            if (closed) {
                return;
            }
            if (!onItsWay) {
                leave();
            } else {
                arrive();
            }
        }

        private void leave() {
            SimDevice there = channel.device();
            long arrival = endpoint.network.pass(endpoint.device, there, ACK_BYTES);
            if (arrival == SimNetwork.LOST) {
                again();
                return;
            }
            onItsWay = true;
            toldReceived = received;
            toldBytes = receivedBytes;
            toldConsumed = consumed;
            endpoint.network.queue.schedule(this, arrival);
        }

        private void arrive() {
            onItsWay = false;
            SimDevice there = channel.device();
            boolean lost = !there.passes() || there.machine().power() == SimMachine.Power.OFF;
            if (lost) {
                again();
                return;
            }
            retry = ACK_RETRY_NANOS;
            if (toldConsumed < consumed || toldReceived < received) {
                endpoint.network.queue.schedule(this, endpoint.network.queue.now() + ackDelay());
            }
            if (!channel.acknowledged(Inbound.this, toldReceived, toldBytes, toldConsumed)) {
                close(false);
            }
        }

        private void again() {
            endpoint.network.queue.schedule(this, endpoint.network.queue.now() + retry);
            retry = Math.min(2 * retry, MAX_ACK_RETRY_NANOS);
        }

        private long ackDelay() {
            return channel.completesOnAck() || received - toldReceived >= ACK_EVERY ? 0 : ACK_DELAY_NANOS;
        }
    }

    /** A frame comes in, for the first time or again. */
    void arrive(SimFrame frame) {
        if (!endpoint.device.passes() || machine().power() == SimMachine.Power.OFF) {
            endpoint.network.listener.lost(channel.from(), channel.to());
            return;
        }
        if (closed) {
            channel.resetFrom(endpoint.device);
            return;
        }
        if (frame.sequence < received || early.containsKey(frame.sequence)) {
            endpoint.network.listener.duplicate(channel.from(), channel.to());
            ack.soon(true);
            return;
        }
        frame.hold();
        if (frame.sequence > received) {
            early.put(frame.sequence, frame);
            return;
        }
        enter(frame);
        while (!early.isEmpty() && early.firstKey() == received) {
            enter(early.pollFirstEntry().getValue());
        }
        ack.soon(received - ack.toldReceived >= ACK_EVERY);
        readOn();
    }

    private void enter(SimFrame frame) {
        received++;
        receivedBytes += frame.wireBytes();
        waiting.add(frame);
    }

    /** Hands waiting frames to the stack, as long as it answers at once. */
    private void readOn() {
        if (reading) {
            return;
        }
        reading = true;
        while (current == null && !closed && !waiting.isEmpty()) {
            SimFrame frame = waiting.poll();
            current = frame;
            answered = false;
            int status = endpoint.stack.parse(endpoint.ni, frame.header, channel.from(), frame.header.srcPid(), this);
            if (status < 0) {
                finish(frame);
                endpoint.refuse(channel.from());
            }
        }
        reading = false;
    }

    @Override
    public void receive(@Nullable LndMessage message, int mlen, int rlen) {
        if (answered) {
            throw new IllegalStateException("the stack answered twice to one header on " + endpoint.nid());
        }
        answered = true;
        SimFrame frame = current;
        if (frame == null) {
            if (message != null) {
                endpoint.stack.complete(message, Errno.ECONNABORTED.status(), HealthStatus.LOCAL_ABORTED);
            }
            return;
        }
        if (rlen != frame.length || mlen < 0 || mlen > rlen) {
            throw new IllegalStateException("the stack wants " + mlen + " of " + rlen + " bytes, the payload has "
                    + frame.length + " on " + endpoint.nid());
        }
        if (message != null) {
            frame.store(
                    message,
                    mlen,
                    endpoint.network.storesReferences() && machine().cards() == null);
        }
        finish(frame);
        if (message != null) {
            endpoint.stack.complete(message, 0, HealthStatus.OK);
        }
        readOn();
    }

    private void finish(SimFrame frame) {
        if (current != null) {
            current = null;
            consumed++;
            if (channel.completesOnAck() || frame.message != null) {
                ack.soon(true);
            }
            endpoint.network.letGo(frame);
        }
    }

    /** Ends it; what was not handed over yet is lost. */
    void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        endpoint.network.queue.cancel(ack);
        waiting.forEach(endpoint.network::letGo);
        waiting.clear();
        early.values().forEach(endpoint.network::letGo);
        early.clear();
        if (current != null) {
            endpoint.network.letGo(current);
            current = null;
        }
        endpoint.remove(this);
        if (reset) {
            channel.resetFrom(endpoint.device);
        }
    }
}
