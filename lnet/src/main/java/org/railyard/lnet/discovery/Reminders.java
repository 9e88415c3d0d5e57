package org.railyard.lnet.discovery;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.railyard.lnet.model.Peer;

/**
 * Peers that could not be told what changed here: they are told again, at growing intervals and a limited number of times, without waiting for the next
 * message to them (spec 11 §5). Everything here needs the lock.
 */
final class PushRetries {
    /** Times that a push is repeated; a peer that is still not reached then is told with the next message to it, or the next change. */
    static final int MAX_RETRIES = 10;

    /** Time until the first repetition, ns; doubled for each further one. */
    static final long FIRST_NANOS = 2_000_000_000L;

    /** Longest time between repetitions, ns. */
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final Set<Peer> waiting = new LinkedHashSet<>();

    /** A push to a peer failed. */
    void failed(Peer peer, long now) {
        if (peer.failedPushes < MAX_RETRIES) {
            peer.retryAt = now + Math.min(LONGEST_NANOS, FIRST_NANOS << peer.failedPushes);
            peer.failedPushes++;
            waiting.add(peer);
        }
    }

    /** A peer is up to date, or will be told something else: earlier failures do not count any more. */
    void forget(Peer peer) {
        peer.failedPushes = 0;
        waiting.remove(peer);
    }

    /** Hands out the peers whose time has come. */
    void due(long now, Consumer<Peer> push) {
        Iterator<Peer> all = waiting.iterator();
        while (all.hasNext()) {
            Peer peer = all.next();
            if (peer.retryAt - now <= 0) {
                all.remove();
                push.accept(peer);
            }
        }
    }
}
