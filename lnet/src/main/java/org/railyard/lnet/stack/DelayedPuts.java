package org.railyard.lnet.stack;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.portal.Portal;

/**
 * PUTs that match nothing yet and wait on their portal, their payload in memory of their own, so that the connection
 * they came on is free (spec 10 §4.2, 01 §4.3).
 */
final class DelayedPuts {
    /** Most PUTs that wait at a time, in the whole node; further ones are dropped. */
    static final int MAX_MESSAGES = 4096;

    /** Most bytes of payload that wait at a time; what would be more is dropped. */
    static final long MAX_BYTES = 64L << 20;

    private final Node node;
    private final Drops drops;
    private int count;
    private long bytes;

    DelayedPuts(Node node, Drops drops) {
        this.node = node;
        this.drops = drops;
    }

    /** Tells whether one more PUT may wait. */
    boolean hasRoomFor(int payload) {
        node.lock.assertHeld();
        return count < MAX_MESSAGES && bytes + payload <= MAX_BYTES;
    }

    /** Gives a PUT memory of its own to receive into; false if there is none. */
    boolean begin(Message message) {
        node.lock.assertHeld();
        int payload = message.header().payloadLength();
        MemorySegment own;
        try {
            own = payload == 0 ? MemorySegment.NULL : OwnMemory.allocate(payload);
        } catch (ErrnoException _) {
            return false;
        }
        count++;
        bytes += payload;
        message.selectOwn(own);
        return true;
    }

    /**
     * The payload of a PUT has arrived, or failed to: it gets its descriptor if there is one by now, or waits on, or is
     * gone.
     *
     * @return the message, if it has a descriptor now
     */
    @Nullable
    Message settle(Message message, Pending work) {
        node.lock.assertHeld();
        Portal portal = node.portals.get(message.header().portal());
        if (message.status() < 0) {
            end(message);
            node.release(message);
            return null;
        }
        Portal.Outcome outcome = match(portal, message, work);
        if (outcome == Portal.Outcome.NO_MATCH) {
            if (!node.stopping && portal.parksUnmatched()) {
                portal.delayed().add(message);
            } else {
                end(message);
                drops.discard(message, "no match", work);
            }
        }
        return outcome == Portal.Outcome.MATCHED ? message : null;
    }

    /** A descriptor was attached: PUTs that match now go to it, oldest first. */
    void matchAll(Portal portal, Completer completer, Pending work) {
        node.lock.assertHeld();
        for (int left = portal.delayed().size(); left > 0; left--) {
            Message message = portal.delayed().poll();
            if (message == null) {
                return;
            }
            switch (match(portal, message, work)) {
                case MATCHED -> completer.endPut(message, work);
                case NO_MATCH -> portal.delayed().add(message);
                case TOO_LONG -> {}
            }
        }
    }

    /**
     * Tries to find a descriptor; if there is one, the payload is in it then. A PUT that is too long for it is dropped.
     */
    private Portal.Outcome match(Portal portal, Message message, Pending work) {
        node.lock.assertHeld();
        // Discovery may have learnt in the meantime whose NID it is.
        message.setInitiator(node.peers.primaryOf(message.header().srcNid()));
        Portal.Outcome outcome = portal.match(message, node.identity);
        if (outcome == Portal.Outcome.NO_MATCH) {
            return outcome;
        }
        MemorySegment payload = end(message);
        if (outcome == Portal.Outcome.TOO_LONG) {
            drops.discard(message, Receiver.TOO_LONG, work);
        } else {
            Receiver.openPut(message);
            copy(payload, message);
        }
        return outcome;
    }

    private static void copy(MemorySegment payload, Message message) {
        long at = 0;
        for (int i = 0; i < message.fragmentCount(); i++) {
            MemorySegment target = MemorySegment.ofBuffer(message.fragments()[i]);
            MemorySegment.copy(payload, at, target, 0, target.byteSize());
            at += target.byteSize();
        }
    }

    /** A PUT waits no more; returns its payload. */
    private MemorySegment end(Message message) {
        node.lock.assertHeld();
        count--;
        bytes -= message.header().payloadLength();
        return message.takeOwn();
    }

    /** Drops everything that waits on a portal. */
    void drop(Portal portal, String why, Pending work) {
        node.lock.assertHeld();
        for (Message message = portal.delayed().poll();
                message != null;
                message = portal.delayed().poll()) {
            end(message);
            drops.discard(message, why, work);
        }
    }
}
