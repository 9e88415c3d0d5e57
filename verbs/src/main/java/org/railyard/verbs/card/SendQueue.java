package org.railyard.verbs.card;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/**
 * The send queue of a queue pair: requests in the order in which they were posted, from then to their completion. Their
 * places count up for ever. How packets are made of them, and what is sent again, is the sender's affair. Makes no
 * garbage once it has been as full as it becomes. Not thread-safe.
 */
public final class SendQueue {
    /** A power of two, as all sizes are. */
    private static final int FIRST_SIZE = 8;

    private final CardQp qp;
    private final int capacity;
    private final int gather;
    private @Nullable SendRequest[] slots;
    private long start;
    private long end;
    private boolean blocked;

    SendQueue(CardQp qp, QpCapabilities capabilities) {
        this.qp = qp;
        this.capacity = capabilities.sends();
        this.slots = new @Nullable SendRequest[FIRST_SIZE];
        this.gather = capabilities.gather();
    }

    /** Returns the place of the first one. */
    public long start() {
        return start;
    }

    /** Returns the place behind the last one. */
    public long end() {
        return end;
    }

    private boolean isEmpty() {
        return start == end;
    }

    /** Returns the request at a place. */
    public SendRequest at(long place) {
        int slot = (int) place & slots.length - 1;
        SendRequest request = slots[slot];
        if (request == null) {
            request = new SendRequest(gather);
            slots[slot] = request;
        }
        return request;
    }

    /** Takes requests that are posted; returns how many. */
    int take(WorkChain chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (end - start == capacity || chain.gatherEnd(i) - chain.gatherStart(i) > gather) {
                return i;
            }
            if (end - start == slots.length) {
                grow();
            }
            at(end++).take(chain, i);
        }
        return chain.size();
    }

    private void grow() {
        @Nullable SendRequest[] larger = new @Nullable SendRequest[slots.length * 2];
        for (long place = start; place < end; place++) {
            larger[(int) place & larger.length - 1] = at(place);
        }
        slots = larger;
    }

    /**
     * Begins a request: one that does not travel is carried out, one that does is checked and gets its packets.
     *
     * @param psn number of its first packet
     * @param packetBytes largest payload of a packet, bytes
     * @param maxMessage longest message, bytes
     */
    public void begin(SendRequest request, long psn, int packetBytes, long maxMessage) {
        if (!request.travels()) {
            request.begin(psn, 0);
            if (carryOut(request)) {
                request.setDone();
            } else {
                fail(request, WorkStatus.LOCAL_PROTECTION);
            }
        } else if (request.bytes() > maxMessage) {
            fail(request, WorkStatus.LOCAL_LENGTH);
        } else if (!request.isReadable(qp.pd())) {
            fail(request, WorkStatus.LOCAL_PROTECTION);
        } else {
            request.begin(psn, (int) Math.max(1, (request.bytes() + packetBytes - 1) / packetBytes));
        }
    }

    private boolean carryOut(SendRequest request) {
        return request.operation() == Operation.REGISTER
                ? qp.pd().register(request.region(), request.key())
                : qp.pd().invalidate(request.region());
    }

    /**
     * Lets a request fail. What is behind it must not be sent: it is going to be flushed. What is before it still is
     * sent, again if need be, since it completes first.
     */
    public void fail(SendRequest request, WorkStatus status) {
        request.fail(status);
        blocked = true;
    }

    /** Tells whether a request has failed, so that no other may be begun. */
    public boolean isBlocked() {
        return blocked;
    }

    /** Lets the oldest request fail that was sent and not acknowledged. */
    public void failOldest(WorkStatus status) {
        for (long i = start; i < end; i++) {
            SendRequest each = at(i);
            if (each.travels() && !each.isDone() && each.failure() == null) {
                fail(each, status);
                return;
            }
        }
    }

    /**
     * Completes requests that are done, in their order. One that has failed ends that, and puts the queue pair in
     * error.
     *
     * @param limit place of the first request that must stay
     */
    public void complete(long limit) {
        while (!isEmpty()) {
            SendRequest first = at(start);
            WorkStatus failure = first.failure();
            if (failure != null) {
                start++;
                qp.requestFailed(failure);
                qp.cq().add(first.id(), failure, first.operation(), 0, qp.number());
                qp.fail();
                return;
            }
            if (!first.isDone() || start == limit) {
                return;
            }
            start++;
            if (first.isSignalled()) {
                qp.cq().add(first.id(), WorkStatus.SUCCESS, first.operation(), 0, qp.number());
            }
        }
    }

    /** Completes everything as flushed: one by one, as a completion queue that overflows takes away the rest. */
    void flush() {
        while (!isEmpty()) {
            SendRequest each = at(start++);
            qp.cq().addFlushed(each.id(), each.operation(), qp.number(), each.hasLeft());
        }
    }

    /** Forgets everything. */
    void clear() {
        start = end;
    }
}
