package org.railyard.lnet.stack;

import org.railyard.base.Errno;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessageCredits;
import org.railyard.lnet.model.MessageCredits.Hold;
import org.railyard.lnet.model.MessageQueue;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.wire.LNetHeader;

/**
 * The two credits that a message needs to go: of its peer NI first, of its NI second; without one it waits in line
 * (spec 10 §7).
 */
final class CreditGate {
    private final Node node;
    private final Drops drops;

    CreditGate(Node node, Drops drops) {
        this.node = node;
        this.drops = drops;
    }

    /** A message has its path since just now: it goes as soon as it has its credits. */
    void enter(Message message, LocalNi ni, PeerNi peerNi, Pending work) {
        node.lock.assertHeld();
        long now = message.path().committed();
        peerNi.queuedBytes += charge(message);
        if (isDropped(message, ni, now, work)) {
            return;
        }
        boolean there = peerNi.credits.take(message);
        message.credits().setPeer(MessageCredits.taken(there));
        if (there) {
            takeNiCredit(message, ni, now, work);
        } else {
            message.waitFor(Message.Waiting.FOR_CREDIT);
        }
    }

    /** A message is through: gives back what it holds, which may start others. No effect if it has no path. */
    void leave(Message message, Pending work) {
        node.lock.assertHeld();
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (message.credits().ni() == Hold.HELD && ni != null) {
            message.credits().setNi(Hold.NONE);
            Message next = ni.credits.giveBack(message);
            if (next != null) {
                resume(next, ni, work);
            }
        }
        if (peerNi != null) {
            peerNi.queuedBytes -= charge(message);
            if (message.credits().peer() == Hold.HELD) {
                message.credits().setPeer(Hold.NONE);
                passOn(peerNi, work);
            }
        }
    }

    /** Changes the CPU partitions of an NI, which may start messages that waited. */
    void move(LocalNi ni, int[] cpts, Pending work) {
        node.lock.assertHeld();
        MessageQueue going = new MessageQueue();
        ni.credits.move(cpts, going);
        for (Message next = going.poll(); next != null; next = going.poll()) {
            resume(next, ni, work);
        }
    }

    /** A message that waits in line gives up its place, and what else it holds. */
    void withdraw(Message message, Pending work) {
        node.lock.assertHeld();
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (ni == null || peerNi == null) {
            throw new IllegalStateException("a message without a path waits for no credit");
        }
        if (message.credits().ni() == Hold.WAITING) {
            ni.credits.withdraw(message);
            message.credits().setNi(Hold.NONE);
        } else {
            peerNi.credits.withdraw(message);
            message.credits().setPeer(Hold.NONE);
        }
        message.waitFor(Message.Waiting.NO);
        leave(message, work);
    }

    /**
     * A credit of a peer NI is free: the next in line gets it, those whose NI failed meanwhile excepted, who look for
     * another way.
     */
    private void passOn(PeerNi peerNi, Pending work) {
        for (Message next = peerNi.credits.giveBack(); next != null; next = peerNi.credits.giveBack()) {
            next.waitFor(Message.Waiting.NO);
            LocalNi ni = next.ni();
            if (ni != null && !mustMove(ni)) {
                next.credits().setPeer(Hold.HELD);
                takeNiCredit(next, ni, node.now(), work);
                return;
            }
            next.credits().setPeer(Hold.NONE);
            peerNi.queuedBytes -= charge(next);
            next.path().leave();
            node.resends.addMoved(next);
        }
    }

    private boolean mustMove(LocalNi ni) {
        boolean gone = ni.state() == LocalNi.State.DELETING
                || (ni.fatal && !node.settings.is(Tunable.USE_FATAL_NI_AS_LAST_RESORT));
        return gone && !node.stopping && node.settings.is(Tunable.REQUEUE_ON_NI_FAILURE);
    }

    private static int charge(Message message) {
        return LNetHeader.NID4_BYTES + message.header().payloadLength();
    }

    private void takeNiCredit(Message message, LocalNi ni, long now, Pending work) {
        boolean there = ni.credits.take(message);
        message.credits().setNi(MessageCredits.taken(there));
        if (there) {
            post(message, ni, now, work);
        } else {
            message.waitFor(Message.Waiting.FOR_CREDIT);
        }
    }

    /** A message that waited in line has the credit of its NI. */
    private void resume(Message message, LocalNi ni, Pending work) {
        message.waitFor(Message.Waiting.NO);
        message.credits().setNi(Hold.HELD);
        post(message, ni, node.now(), work);
    }

    /** A message has all its credits: it goes, unless there is a reason against it by now. */
    private void post(Message message, LocalNi ni, long now, Pending work) {
        if (!isDropped(message, ni, now, work)) {
            message.setTimeout(timeoutOf(message, ni, now));
            work.toSend.add(message);
        }
    }

    /** Returns what the transport gets of the time that is left, ns. */
    private long timeoutOf(Message message, LocalNi ni, long now) {
        Lnd lnd = ni.lnd();
        Settings settings = node.settings;
        int parts = lnd.messagesPer(message.header().type(), message.length());
        long ownLimit = Launcher.ownLimit(message);
        long limit = Timeouts.lnd(settings, lnd.timeoutSeconds(), parts, ownLimit);
        // Lustre's deadline is renewed by each attempt and ends none: what has its credits gets its whole time.
        boolean endsNothing = Timeouts.isRenewed(settings, ownLimit) && !settings.is(Tunable.EXPIRE_ACTIVE_MESSAGES);
        return endsNothing ? limit : Math.min((message.deadlineNanos() - now) / parts, limit);
    }

    /** A router does not try to reach whom it knows to be down (spec 10 §7). */
    private boolean isNextHopDown(Message message, LocalNi ni) {
        return message.peerNi() != null
                && !message.peerNi().isUp()
                && node.routing.forwards()
                && ni.tunables().peerTimeout() > 0;
    }

    /** The drop check: nobody wants it any more, it is answered, its NI goes, it is late, or a router knows better. */
    private boolean isDropped(Message message, LocalNi ni, long now, Pending work) {
        if ((message.md() != null && message.md().aborted) || Launcher.isSettled(message)) {
            // Nobody's fault: an error without a health status costs no health.
            work.fail(message, Errno.ECANCELED.status(), HealthStatus.OK);
        } else if (ni.state() == LocalNi.State.DELETING) {
            work.fail(message, Errno.ESHUTDOWN.status(), HealthStatus.OK);
        } else if (message.deadlineNanos() - now <= 0) {
            drops.drop(ni, message.peerNi(), message.header(), "it waited for credits until it was too late", work);
            work.fail(message, Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT);
        } else if (message.isForwarding() && isNextHopDown(message, ni)) {
            drops.drop(ni, message.peerNi(), message.header(), "its next hop is down", work);
            work.fail(message, Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED);
        } else {
            return false;
        }
        return true;
    }
}
