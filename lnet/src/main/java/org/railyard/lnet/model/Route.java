package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * A way to a net that this node is not on, through a gateway that is (spec 11 §6.1).
 *
 * <pre>
 * from             to      when
 * (new)            up      nothing is known: it is supposed to work
 * supposed, down   up      the gateway says so, or forwards from there, or its transport finds it alive
 * supposed, up     down    the gateway says so, has no NID up where one is needed, does not answer, or is lost
 * </pre>
 */
public final class Route {
    /** Nobody said how far the net is. */
    public static final int UNDEFINED_HOPS = -1;

    private final Net net;
    private final Nid named;
    private final Net near;
    private final int hops;
    private final int priority;

    /** The gateway; another object when peers merge. */
    public Gateway gateway;

    private @Nullable Reason down;
    private boolean known;
    private long changed;

    /** Whether the gateway is on the net itself, as far as it has said. */
    public boolean singleHop;

    /** Messages that were sent over it. */
    public long messages;

    /** Payload of messages that were sent over it, bytes. */
    public long bytes;

    /** Stamp of the last choice; lower was used longer ago. */
    public long seq;

    /**
     * Makes a route.
     *
     * @param named the NID by which the gateway was named
     * @param hops 1…255, or {@link #UNDEFINED_HOPS}
     * @param priority 0 or more; 0 is best
     */
    public Route(Net net, Nid named, Gateway gateway, int hops, int priority, long now) {
        this.net = net;
        this.named = named;
        this.near = named.net();
        this.gateway = gateway;
        this.hops = hops;
        this.priority = priority;
        this.changed = now;
    }

    /**
     * Returns why the gateway can not forward there, as it was last heard, null if it can: decides alone where
     * discovery is off.
     */
    public @Nullable Reason down() {
        return down;
    }

    /** Tells whether the gateway can forward there, as it was last heard. */
    public boolean isUp() {
        return down == null;
    }

    /** Returns when it went up or down, monotonic ns. */
    public long changed() {
        return changed;
    }

    /**
     * It was heard whether the gateway can forward there.
     *
     * @param why null if it can, else why not
     * @param now monotonic, ns
     * @return whether that is news: it is otherwise, or was only supposed to be so
     */
    public boolean heard(@Nullable Reason why, long now) {
        boolean news = !known || (down == null) != (why == null);
        down = why;
        if (news) {
            known = true;
            changed = now;
        }
        return news;
    }

    /** Returns the net that it leads to. */
    public Net net() {
        return net;
    }

    /** Returns the NID by which the gateway was named. */
    public Nid named() {
        return named;
    }

    /** Returns the net on this side. */
    public Net near() {
        return near;
    }

    /** Returns the hops, {@link #UNDEFINED_HOPS} if nobody said. */
    public int hops() {
        return hops;
    }

    /** Returns the hops, 1 if nobody said. */
    public int distance() {
        return hops == UNDEFINED_HOPS ? 1 : hops;
    }

    /** Returns the priority; 0 is best. */
    public int priority() {
        return priority;
    }

    /** Tells whether the gateway is taken to be on the net itself. */
    public boolean isSingleHop() {
        return hops == 1 || singleHop;
    }

    @Override
    public String toString() {
        return net + " by " + named;
    }
}
