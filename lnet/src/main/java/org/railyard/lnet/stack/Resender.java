package org.railyard.lnet.stack;

import java.util.function.Predicate;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.route.Liveness;

/** Sends again what failed (spec 10 §12.2): the monitor calls it, so that no failure, however fast, makes a loop. */
public final class Resender {
    /** Most messages that are sent again while the lock is held. */
    static final int BATCH = 64;

    private final Node node;
    private final CreditGate credits;
    private final Launcher launcher;
    private final Dispatcher dispatcher;

    Resender(Node node, CreditGate credits, Launcher launcher, Dispatcher dispatcher) {
        this.node = node;
        this.credits = credits;
        this.launcher = launcher;
        this.dispatcher = dispatcher;
    }

    /** Sends again all messages whose time has come. Needs no lock. */
    public void run(long now) {
        Pending work = node.pending();
        boolean more = true;
        while (more) {
            node.lock.lock();
            try {
                more = sendBatch(now, work);
            } finally {
                node.lock.unlock();
            }
            dispatcher.run(work);
        }
    }

    private boolean sendBatch(long now, Pending work) {
        node.lock.assertHeld();
        for (int i = 0; i < BATCH; i++) {
            Message message = node.resends.poll(now);
            if (message == null) {
                return false;
            }
            launcher.launch(message, work);
        }
        return true;
    }

    /**
     * Takes the messages that were to leave by an NI out of the lines that they wait in, its own and those of peer NIs;
     * the monitor finds another way for them. They do not wait for what the NI's device has: that may take its time.
     * Needs the lock.
     */
    public void moveFrom(LocalNi ni) {
        node.lock.assertHeld();
        Pending work = node.pending();
        for (Message waiting = ni.credits.first(); waiting != null; waiting = ni.credits.first()) {
            move(waiting, work);
        }
        for (Peer peer : node.peers.all()) {
            for (PeerNi hop : peer.nis()) {
                moveFromLine(hop, waiting -> waiting.ni() == ni, work);
            }
        }
    }

    /**
     * Takes the messages that wait for credits of a gateway which does not answer out of its lines, where another route
     * could carry them.
     */
    public void moveFrom(Gateway gateway) {
        node.lock.assertHeld();
        Pending work = node.pending();
        for (PeerNi hop : gateway.peer.nis()) {
            moveFromLine(hop, this::hasOtherWay, work);
        }
    }

    /**
     * A peer NI lost health. If another one of its peer is better only since then, those that wait for its credits and
     * would take another by now do so: none of them has left, and if the peer NI is silent they would wait for what its
     * transport has.
     *
     * @param before the health that it had
     */
    public void reconsider(PeerNi hop, int before) {
        node.lock.assertHeld();
        if (hop.credits.first() == null || node.stopping || !node.settings.is(Tunable.REQUEUE_ON_NI_FAILURE)) {
            return;
        }
        int best = 0;
        for (PeerNi other : hop.peer().nis()) {
            best = other == hop ? best : Math.max(best, other.health);
        }
        if (hop.health < best && best <= before) {
            moveFromLine(hop, this::wouldLeave, node.pending());
        }
    }

    private boolean wouldLeave(Message message) {
        PeerNi target = node.peers.find(message.path().requestedTarget());
        return target != null && node.selector.prefersAnother(message, target, node.settings);
    }

    private void moveFromLine(PeerNi hop, Predicate<Message> which, Pending work) {
        Message waiting = hop.credits.first();
        while (waiting != null) {
            Message following = hop.credits.following(waiting);
            if (which.test(waiting)) {
                move(waiting, work);
            }
            waiting = following;
        }
    }

    private void move(Message waiting, Pending work) {
        credits.withdraw(waiting, work);
        waiting.path().leave();
        node.resends.addMoved(waiting);
    }

    private boolean hasOtherWay(Message message) {
        return message.path().route() != null
                && node.routes.to(message.path().route().net()).stream()
                        .anyMatch(route -> Liveness.bar(route, node.settings) == null);
    }

    /** Fails what waits to be sent again: the node is stopping. Needs no lock. */
    public void abandonAll() {
        Pending work = node.pending();
        node.lock.lock();
        try {
            for (Message message = node.resends.pollAny(); message != null; message = node.resends.pollAny()) {
                work.fail(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ERROR);
            }
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    /** Returns when a message is to be sent again, at latest {@code latest}; monotonic ns. */
    public long nextTime(long latest) {
        node.lock.lock();
        try {
            return node.resends.nextTime(latest);
        } finally {
            node.lock.unlock();
        }
    }
}
