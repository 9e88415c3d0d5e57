package org.railyard.lnet.stack;

import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageQueue;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.wire.LNetHeader;

/**
 * The two credits that a message needs to go: of its peer NI first, of its NI second; without one it waits in line (spec 10 §7). Guarded by the
 * stack's lock.
 */
final class CreditGate {
    private final Node node;
    private final Drops drops;

    CreditGate(Node node, Drops drops) {
        this.node = node;
        this.drops = drops;
    }

    /** A message has its path: it goes as soon as it has its credits. */
    void enter(Message message, LocalNi ni, PeerNi peerNi, Pending work) {
        peerNi.queuedBytes += charge(message);
        message.peerCredit = peerNi.credits.take(message);
        if (message.peerCredit) {
            takeNiCredit(message, ni, work);
        }
    }

    /** A message is through: gives back what it holds, which may start others. No effect if it has no path. */
    void leave(Message message, Pending work) {
        LocalNi ni = message.ni;
        PeerNi peerNi = message.peerNi;
        if (message.niCredit && ni != null) {
            message.niCredit = false;
            Message next = ni.credits.giveBack(message);
            if (next != null) {
                next.niCredit = true;
                post(next, ni, work);
            }
        }
        if (peerNi != null) {
            peerNi.queuedBytes -= charge(message);
            if (message.peerCredit) {
                message.peerCredit = false;
                Message next = peerNi.credits.giveBack();
                if (next != null && next.ni != null) {
                    next.peerCredit = true;
                    takeNiCredit(next, next.ni, work);
                }
            }
        }
    }

    /** Changes the CPU partitions of an NI, which may start messages that waited. */
    void move(LocalNi ni, int[] cpts, Pending work) {
        MessageQueue going = new MessageQueue();
        ni.credits.move(cpts, going);
        for (Message next = going.poll(); next != null; next = going.poll()) {
            next.niCredit = true;
            post(next, ni, work);
        }
    }

    private static int charge(Message message) {
        return LNetHeader.NID4_BYTES + message.header().payloadLength();
    }

    private void takeNiCredit(Message message, LocalNi ni, Pending work) {
        message.niCredit = ni.credits.take(message);
        if (message.niCredit) {
            post(message, ni, work);
        }
    }

    /** A message has all its credits: it goes, unless nobody wants it any more, its NI is going, or it is too late (the drop check). */
    private void post(Message message, LocalNi ni, Pending work) {
        if (message.md != null && message.md.aborted) {
            // Nobody's fault: an error without a health status costs no health.
            work.fail(message, Errno.ECANCELED.status(), HealthStatus.OK);
        } else if (ni.state == LocalNi.State.DELETING) {
            work.fail(message, Errno.ESHUTDOWN.status(), HealthStatus.OK);
        } else if (message.deadline - node.now() <= 0) {
            drops.count(ni, message.peerNi, message.header());
            work.fail(message, Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
        } else {
            work.toSend.add(message);
        }
    }
}
