package org.railyard.lnet.discovery;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.model.Peer;

/**
 * Peers to come back to without waiting for the next message to them: those that could not be told what changed here
 * are told again, at growing intervals and a limited number of times (spec 11 §5); those that lost a NID to another are
 * asked once more what they have (spec 11 §2).
 */
final class Reminders {
    /**
     * Times that a push is repeated; a peer that is still not reached then is told with the next message to it, or the
     * next change.
     */
    static final int MAX_PUSHES = 10;

    /**
     * Times that a peer is asked again because it lost a NID: two that both claim one do not take it from each other
     * for ever. They count until nothing was asked for {@link #FORGET_NANOS}.
     */
    static final int MAX_QUESTIONS = 5;

    /** Time without a reminder after which a peer's lost NIDs do not count any more, ns. */
    static final long FORGET_NANOS = 600_000_000_000L;

    /** Time until the first repetition, ns; doubled for each further push. */
    static final long FIRST_NANOS = 2_000_000_000L;

    /** Longest time between repetitions, ns. */
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final Set<Peer> waiting = new LinkedHashSet<>();
    private final StateLock lock;

    Reminders(StateLock lock) {
        this.lock = lock;
    }

    /** A push to a peer failed. */
    void pushFailed(Peer peer, long now) {
        lock.assertHeld();
        if (peer.failedPushes < MAX_PUSHES) {
            peer.remindAt = now + Math.min(LONGEST_NANOS, FIRST_NANOS << peer.failedPushes);
            peer.failedPushes++;
            waiting.add(peer);
        }
    }

    /** Another peer got a NID of a peer. */
    void nidLost(Peer peer, long now) {
        lock.assertHeld();
        if (now - peer.remindAt >= FORGET_NANOS) {
            peer.lostNids = 0;
        }
        if (peer.lostNids < MAX_QUESTIONS && !waiting.contains(peer)) {
            peer.remindAt = now + FIRST_NANOS;
            peer.lostNids++;
            waiting.add(peer);
        }
    }

    /** A peer is up to date, or will be told something else: earlier failures do not count any more. */
    void forget(Peer peer) {
        lock.assertHeld();
        peer.failedPushes = 0;
        waiting.remove(peer);
    }

    /** Hands out the peers whose time has come. */
    void due(long now, Consumer<Peer> action) {
        lock.assertHeld();
        Iterator<Peer> all = waiting.iterator();
        while (all.hasNext()) {
            Peer peer = all.next();
            if (peer.remindAt - now <= 0) {
                all.remove();
                action.accept(peer);
            }
        }
    }
}
