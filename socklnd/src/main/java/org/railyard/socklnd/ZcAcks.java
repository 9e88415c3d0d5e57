package org.railyard.socklnd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.socklnd.wire.ZeroCopyAck;

/** Messages to one peer whose zero-copy requests it has not acknowledged (spec 02 §7.1). Bounded by the peer's credits. Thread-safe. */
final class ZcAcks {
    /** How far a message got, and so on whose side it is that time runs out. */
    private enum Progress {
        QUEUED(HealthStatus.LOCAL_TIMEOUT),
        POSTED(HealthStatus.NETWORK_TIMEOUT),
        WRITTEN(HealthStatus.REMOTE_TIMEOUT);

        final HealthStatus late;

        Progress(HealthStatus late) {
            this.late = late;
        }
    }

    private static final class Pending {
        final long cookie;
        final LndMessage message;
        final long deadline;
        Progress progress = Progress.QUEUED;

        Pending(long cookie, LndMessage message, long deadline) {
            this.cookie = cookie;
            this.message = message;
            this.deadline = deadline;
        }
    }

    private final boolean enabled;
    private final int minPayload;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long nextCookie = ZeroCopyAck.FIRST_COOKIE;

    ZcAcks(SockContext context) {
        this.enabled = context.config().zeroCopyRequests();
        this.minPayload = context.config().get(SockTunable.ZC_MIN_PAYLOAD);
    }

    /** Tells whether a message asks for an ack; it is complete only when that came. */
    boolean wants(LndMessage message) {
        return enabled && message.payloadLength() >= minPayload;
    }

    /** Notes a message, which is to be acknowledged before a time, and returns its cookie. */
    synchronized long add(LndMessage message, long deadline) {
        long cookie = nextCookie++;
        if (nextCookie == 0) {
            nextCookie = ZeroCopyAck.FIRST_COOKIE;
        }
        pending.add(new Pending(cookie, message, deadline));
        return cookie;
    }

    /**
     * Removes the messages that an ack is about.
     *
     * @param into gets them
     * @return false if it names cookies that are not known
     */
    synchronized boolean acknowledge(ZeroCopyAck ack, List<LndMessage> into) {
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

    /** Notes that a message is being written: bytes of it may have left. */
    void posted(LndMessage message) {
        note(message, Progress.POSTED);
    }

    /** Notes that every byte of a message has left. */
    void written(LndMessage message) {
        note(message, Progress.WRITTEN);
    }

    private synchronized void note(LndMessage message, Progress progress) {
        for (Pending each : pending) {
            if (each.message == message) {
                each.progress = progress;
                return;
            }
        }
    }

    /** Gives all messages back: the connections are closed. After a time-out, health goes by how far each got. */
    void giveBackAll(LndUpcalls stack, Errno errno) {
        List<Pending> all;
        synchronized (this) {
            all = new ArrayList<>(pending);
            pending.clear();
        }
        for (Pending each : all) {
            HealthStatus health = errno == Errno.ETIMEDOUT ? each.progress.late : HealthStatus.LOCAL_ERROR;
            stack.complete(each.message, errno.status(), health);
        }
    }

    /** Tells whether an ack is overdue. */
    synchronized boolean isOverdue(long now) {
        for (Pending each : pending) {
            if (now - each.deadline > 0) {
                return true;
            }
        }
        return false;
    }
}
