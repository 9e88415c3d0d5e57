package org.railyard.lnet.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;

/**
 * What is known of a peer as a router; there is one for each peer that a route names (spec 11 §6.2–§6.4).
 *
 * <pre>
 * from     to       when
 * (new)    alive    its first route is added
 * (new)    dead     its first route is added, and routers are checked before they are used
 * alive    dead     its check fails, or its transport says that it is dead as a whole
 * dead     alive    its check succeeds, it forwards a message, or its transport says so
 * </pre>
 */
public final class Gateway {
    /** The peer; another object when peers merge. */
    public Peer peer;

    /** The routes through it, in the order in which they were added. */
    public final List<Route> routes = new ArrayList<>(1);

    private boolean alive = true;
    private long changed;

    /** Whether a check has ended since it has routes. */
    public boolean checked;

    /** Whether it is taken for dead until its first check has ended. */
    public boolean unproven;

    /** Whether its transport lost it, and nothing was heard of it since: it is only used when nothing else is left. */
    public boolean suspected;

    /** Whether it was checked before its time since it was last alive, because it was heard of. */
    public boolean hastened;

    /** The net of ours that it was checked over last, null before the first check. */
    public @Nullable Net checkedNet;

    /** Makes a gateway that is taken to be alive. */
    public Gateway(Peer peer, long now) {
        this.peer = peer;
        this.changed = now;
    }

    /** Tells whether it answers: what the last check found, or a message that it forwarded since. */
    public boolean isAlive() {
        return alive;
    }

    /** Returns when it was last found to be alive after it was dead, or dead after it was alive, monotonic ns. */
    public long changed() {
        return changed;
    }

    /**
     * It was found alive or dead.
     *
     * @param now monotonic, ns
     * @return whether that is news
     */
    public boolean setAlive(boolean found, long now) {
        if (alive == found) {
            return false;
        }
        alive = found;
        hastened = false;
        changed = now;
        return true;
    }

    @Override
    public String toString() {
        return peer.toString();
    }
}
