package org.railyard.socklnd.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ZeroCopyAck;

/**
 * Messages to one peer whose zero-copy requests it has not acknowledged (spec 02 §7.1). Bounded by the peer's credits.
 * Thread-safe.
 */
public final class ZcAcks {
    private record Pending(long cookie, LndMessage message, long sinceNanos) {}

    private final boolean enabled;
    private final int minPayload;
    private final NodeClock clock;

    @GuardedBy("this")
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    @GuardedBy("this")
    private long nextCookie = ZeroCopyAck.FIRST_COOKIE;

    /** Makes an empty list of acknowledgements that are awaited. */
    public ZcAcks(SockContext context) {
        this.enabled = context.config().zeroCopyRequests();
        this.minPayload = context.config().get(SockTunable.ZC_MIN_PAYLOAD);
        this.clock = context.clock();
    }

    /** Tells whether a message asks for an ack; it is complete only when that came. */
    public boolean wants(LndMessage message) {
        return enabled && message.payloadLength() >= minPayload;
    }

    /** Notes a message and returns its cookie. */
    public synchronized long add(LndMessage message) {
        long cookie = nextCookie++;
        if (nextCookie == 0) {
            nextCookie = ZeroCopyAck.FIRST_COOKIE;
        }
        pending.add(new Pending(cookie, message, clock.nanoTime()));
        return cookie;
    }

    /** Removes a message that did not leave, and was not taken. */
    synchronized void forget(long cookie) {
        pending.removeIf(next -> next.cookie == cookie);
    }

    /**
     * Removes the messages that an ack is about.
     *
     * @param into gets them
     * @return false if it names cookies that are not known
     */
    public synchronized boolean acknowledge(ZeroCopyAck ack, List<LndMessage> into) {
        long expected = ack.count();
        long found = 0;
        for (Iterator<Pending> i = pending.iterator(); i.hasNext(); ) {
            Pending next = i.next();
            if (ack.covers(next.cookie)) {
                i.remove();
                into.add(next.message);
                found++;
            }
        }
        return found == expected;
    }

    /** Removes and returns all messages. */
    public synchronized List<LndMessage> takeAll() {
        List<LndMessage> all = new ArrayList<>(pending.size());
        pending.forEach(next -> all.add(next.message));
        pending.clear();
        return all;
    }

    /** Tells whether an ack is overdue. */
    public synchronized boolean isOverdue(long now, long limitNanos) {
        Pending oldest = pending.peekFirst();
        return oldest != null && now - oldest.sinceNanos > limitNanos;
    }
}
