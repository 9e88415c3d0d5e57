package org.railyard.lnet.discovery;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;

/** What waits for the discovery of peers: messages, and those who want to know. */
final class Waiters {
    private final Node node;
    private final Sender sender;

    Waiters(Node node, Sender sender) {
        this.node = node;
        this.sender = sender;
    }

    /** Tells whether anything waits for a peer. */
    static boolean isAwaited(Peer peer) {
        return !peer.parked.isEmpty() || !peer.waiters.isEmpty();
    }

    /**
     * The discovery of a peer has ended: messages go, or fail with the error.
     *
     * @param now the object for the node now, perhaps another one
     */
    void release(Peer peer, Peer now, int error) {
        node.lock.assertHeld();
        tell(peer, now, error);
        for (Message message = peer.parked.poll(); message != null; message = peer.parked.poll()) {
            if (error != 0 && message.waiting() == Message.Waiting.FOR_GATEWAY) {
                // Another gateway may do.
                sender.restart(message);
            } else if (error == 0) {
                sender.resume(message);
            } else {
                sender.abandon(message, error);
            }
        }
    }

    /** A peer is gone: who waits is told the error, and messages look for another peer (spec 11 §4.6). */
    void restart(Peer gone, int error) {
        node.lock.assertHeld();
        tell(gone, gone, error);
        for (Message message = gone.parked.poll(); message != null; message = gone.parked.poll()) {
            sender.restart(message);
        }
    }

    /** What waited for one peer waits for another. */
    static void handOver(Peer from, Peer to) {
        from.parked.drainTo(to.parked);
        to.waiters.addAll(from.waiters);
        from.waiters.clear();
    }

    private void tell(Peer waited, Peer now, int error) {
        List<Peer.Waiter> waiters = new ArrayList<>(waited.waiters);
        waited.waiters.clear();
        for (Peer.Waiter waiter : waiters) {
            sender.later(() -> waiter.discovered(now, error));
        }
    }
}
