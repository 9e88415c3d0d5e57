package org.railyard.lnet.stack;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageQueue;

/**
 * What one thread has decided under the lock and will do without it: messages to hand to their transports, to send or
 * to receive into, descriptors whose handler has an event. It is worked off by the outermost call into the stack on
 * that thread, so that a handler that sends, whose message completes at once, whose handler sends again, takes turns
 * instead of stack.
 */
final class Pending {
    /** Whose it is. */
    final Thread owner = Thread.currentThread();

    /** Most messages that end, or whose events are told, between two takings of the lock: others wait for it. */
    static final int BATCH = 32;

    /** Batches of events that follow each other faster than this come from handlers that are quick, ns. */
    static final long QUICK_NANOS = 100_000;

    /** What so many quick handlers send leaves together: more of it would wait long for one that is not quick. */
    static final int QUICK_CALLS = 8;

    /** Given back by their transport without an error, {@link #givenBackCount} of them. */
    final @Nullable Message[] givenBack = new Message[BATCH];

    /** The events that are being handed to the handler of one descriptor. */
    final @Nullable Message[] told = new Message[BATCH];

    int givenBackCount;

    /**
     * Whether a header has been looked at since the last flush: what was given back since then came with the same read
     * of the transport, and so does the header that follows it.
     */
    boolean inOneRead;

    /** When the last batch of events was handed over, monotonic ns. */
    long batchNanos;

    /**
     * Whether it is still the time that the clock told for the batch of events that is being handed over: handlers do
     * not block, and those of the batch before did not.
     */
    boolean keepsTime;

    /** Messages of one NI that its transport is handed together. */
    final @Nullable Message[] leaving = new Message[BATCH];

    final MessageQueue toSend = new MessageQueue();
    final MessageQueue toFail = new MessageQueue();
    final MessageQueue toReceive = new MessageQueue();
    final ArrayDeque<MemoryDescriptor> ready = new ArrayDeque<>();
    final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    /** Whether the thread is working it off further up. */
    boolean running;

    /** A message will not be sent. */
    void fail(Message message, int status, HealthStatus health) {
        message.waitFor(Message.Waiting.NO);
        message.setOutcome(status, health);
        toFail.add(message);
    }
}
