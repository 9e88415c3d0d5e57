package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;

/**
 * What silent peers say about a local NI. One that does not answer says nothing: it may be dead. Several that were
 * alive, silent in a time in which nothing at all arrives on the NI, are evidence against the NI (spec 10 §11.1). The
 * silence of a peer counts once, until it is heard again: one that died while the NI still worked says nothing more
 * when the NI has no other traffic. What was sent to it during that silence, and times out after it, belongs to it.
 * Silence shows first where a transport has taken all and nothing is answered: no message times out then.
 */
public final class Silence {
    /** Time in which the silence of two peers belongs together, ns. */
    public static final long WINDOW_NANOS = 60_000_000_000L;

    /**
     * Least time between two failures of the NI that follow from silence, ns: many messages that fail together are one.
     */
    public static final long PAUSE_NANOS = 1_000_000_000L;

    private @Nullable Peer suspect;
    private long suspectTime;
    private boolean counted;
    private long countedTime;

    /**
     * A message to a peer timed out.
     *
     * @param ni the NI that it was sent from
     * @param sent when its path was chosen, monotonic ns
     * @param now monotonic ns
     * @return whether this counts as a failure of the NI
     */
    public boolean timedOut(LocalNi ni, Peer peer, long sent, long now) {
        if (peer.silenceCounted || peer.wasSilent && sent - peer.silenceEnd < 0) {
            return false;
        }
        peer.silenceCounted = true;
        if (ni.everHeard && ni.lastHeard - sent >= 0) {
            suspect = null;
            return false;
        }
        if (!peer.wasHeard()) {
            return false;
        }
        Peer first = suspect;
        boolean together = first != null
                && first != peer
                && now - suspectTime <= WINDOW_NANOS
                && !(ni.everHeard && ni.lastHeard - suspectTime >= 0);
        if (!together) {
            if (first != peer || now - suspectTime > WINDOW_NANOS) {
                suspect = peer;
            }
            suspectTime = now;
            return false;
        }
        if (counted && now - countedTime < PAUSE_NANOS) {
            return false;
        }
        counted = true;
        countedTime = now;
        return true;
    }

    /**
     * A request that the transport took has no answer in time: if others were heard on the NI meanwhile, and nothing of
     * the peer, its silence has begun while the NI worked.
     *
     * @param ni the NI that it was sent from
     * @param sent when its path was chosen, monotonic ns
     */
    public void unanswered(LocalNi ni, Peer peer, long sent) {
        if (ni.everHeard && ni.lastHeard - sent >= 0 && !peer.wasHeardSince(sent)) {
            peer.silenceCounted = true;
        }
    }
}
