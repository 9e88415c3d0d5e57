package org.railyard.socklnd.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ZeroCopyAck;

/**
 * Messages to one peer whose zero-copy requests it has not acknowledged (spec 02 §7.1). One is complete when it has
 * left and was acknowledged, whichever comes first: the ack may overtake the thread that has just written the last
 * byte, and a peer may guess cookies. As long as it has not left, it is with the connection that sends it. Bounded by
 * the peer's credits. Thread-safe.
 *
 * @param <C> what carries messages: a connection
 */
public final class ZcAcks<C> {
    private static final class Pending<C> {
        private final long cookie;
        private final C carrier;
        private final LndMessage message;
        private final long sinceNanos;
        private boolean left;
        private boolean acknowledged;

        private Pending(long cookie, C carrier, LndMessage message, long sinceNanos) {
            this.cookie = cookie;
            this.carrier = carrier;
            this.message = message;
            this.sinceNanos = sinceNanos;
        }
    }

    private final boolean enabled;
    private final int minPayload;
    private final NodeClock clock;

    @GuardedBy("this")
    private final ArrayDeque<Pending<C>> pending = new ArrayDeque<>();

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

    /** Notes a message that leaves over a connection, and returns its cookie. */
    public synchronized long add(C carrier, LndMessage message) {
        long cookie = nextCookie++;
        if (nextCookie == 0) {
            nextCookie = ZeroCopyAck.FIRST_COOKIE;
        }
        pending.add(new Pending<>(cookie, carrier, message, clock.nanoTime()));
        return cookie;
    }

    /** All of a message has left. Returns it if it is complete. */
    public synchronized @Nullable LndMessage left(long cookie) {
        Pending<C> found = find(cookie);
        if (found == null) {
            return null;
        }
        found.left = true;
        if (!found.acknowledged) {
            return null;
        }
        pending.remove(found);
        return found.message;
    }

    /** Removes a message, which is not waited for any more, and returns it; null if there is none. */
    synchronized @Nullable LndMessage forget(long cookie) {
        Pending<C> found = find(cookie);
        if (found == null) {
            return null;
        }
        pending.remove(found);
        return found.message;
    }

    @GuardedBy("this")
    private @Nullable Pending<C> find(long cookie) {
        for (Pending<C> next : pending) {
            if (next.cookie == cookie) {
                return next;
            }
        }
        return null;
    }

    /**
     * Takes an ack.
     *
     * @param complete gets the messages that are complete now
     * @return false if it names cookies that wait for no ack
     */
    public synchronized boolean acknowledge(ZeroCopyAck ack, List<LndMessage> complete) {
        long expected = ack.count();
        long found = 0;
        for (Iterator<Pending<C>> i = pending.iterator(); i.hasNext(); ) {
            Pending<C> next = i.next();
            if (next.acknowledged || !ack.covers(next.cookie)) {
                continue;
            }
            found++;
            next.acknowledged = true;
            if (next.left) {
                i.remove();
                complete.add(next.message);
            }
        }
        return found == expected;
    }

    /**
     * Removes and returns the messages that have left over connections which are closed. What left over others may
     * still be acknowledged.
     */
    public synchronized List<LndMessage> takeLeft(Predicate<C> closed) {
        List<LndMessage> all = new ArrayList<>();
        pending.removeIf(next -> next.left && closed.test(next.carrier) && all.add(next.message));
        return all;
    }

    /** Tells whether an ack is overdue. */
    public synchronized boolean isOverdue(long now, long limitNanos) {
        Pending<C> oldest = pending.peekFirst();
        return oldest != null && now - oldest.sinceNanos > limitNanos;
    }
}
