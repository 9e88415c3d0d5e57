package org.railyard.lnet.api;

import java.util.List;
import org.railyard.base.ErrnoException;

/**
 * Forwarding: whether this node is a router for others, and the memory that it keeps their messages in (spec 11 §6.5,
 * §6.6). Thread-safe.
 *
 * <p>The number of buffers is that of the tunables {@link Tunable#TINY_BUFFERS}, {@link Tunable#SMALL_BUFFERS} and
 * {@link Tunable#LARGE_BUFFERS}, which can be changed at any time: more are there at once, fewer as those in use come
 * back.
 */
public interface RouterControl {
    /**
     * Begins to forward messages. Other nodes are told after {@link Tunable#ALIVE_ROUTER_CHECK_INTERVAL} and {@link
     * Tunable#ROUTER_PING_TIMEOUT} have passed. No effect if that was done before.
     *
     * @throws ErrnoException EBUSY while forwarding is being stopped, or from within an event handler; ESHUTDOWN when
     *     the node is closed
     */
    void enable();

    /**
     * Stops forwarding: says so to those that ask, and goes on until they all had time to ask and no message is on its
     * way any more, but at most three times as long; what waits for a buffer then is dropped. No effect if that was
     * done before.
     *
     * @throws ErrnoException EBUSY from within an event handler; ESHUTDOWN when the node is closed
     */
    void disable();

    /**
     * Takes back {@link #disable}: a node that still forwards is what it was before, and says so; one that has stopped
     * begins anew. No effect on one that is on.
     *
     * @throws ErrnoException EBUSY from within an event handler; ESHUTDOWN when the node is closed
     */
    void resume();

    /** Returns how far that is. */
    RoutingState state();

    /**
     * Returns the buffers, partition by partition, from the smallest to the largest; none if the node never forwarded.
     */
    List<RouterBufferInfo> buffers();
}
