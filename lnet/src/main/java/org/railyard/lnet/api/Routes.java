package org.railyard.lnet.api;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * Ways to nets that a node is not on, through gateways that are on one of its nets (spec 11 §6). Changes count at once:
 * messages that wait for a gateway go on, those that are started or sent again see the new routes. Thread-safe; nothing
 * waits for the network.
 */
public interface Routes {
    /** Nobody says how far the net is: it counts as one hop, and whether the gateway is on it is learned. */
    int UNDEFINED_HOPS = -1;

    /**
     * Adds a route. Its gateway becomes a peer, and is checked at once unless checks are off.
     *
     * @param net where it leads to
     * @param gateway a NID of the gateway on a net of this node
     * @param hops 1…255, or {@link #UNDEFINED_HOPS}
     * @param priority 0 or more; 0 is best
     * @throws ErrnoException EINVAL if no route can lead to the net or through the gateway, the gateway is on the net
     *     itself by that NID, or a number is out of range; EEXIST if the net is local, or there is a route to it
     *     through that gateway; EHOSTUNREACH if there is no NI on the gateway's net; ENOSPC at 16384 routes, or 1024 to
     *     the net; ENOMEM if no more peers can be remembered; ESHUTDOWN when the node is closed
     */
    void add(Net net, Nid gateway, int hops, int priority);

    /**
     * Deletes the route to a net through a gateway. The gateway stays as a peer.
     *
     * @param gateway any NID of the gateway, or the one that the route was added by, also when the gateway has it no
     *     longer; {@link Nid#ANY} for all routes to the net
     * @return how many there were; 0 if there are routes to the net, but none through that gateway
     * @throws ErrnoException ENOENT if there is no route to the net; ESHUTDOWN when the node is closed
     */
    int delete(Net net, Nid gateway);

    /**
     * Deletes all routes through a gateway.
     *
     * @param gateway as for {@link #delete(Net, Nid)}; {@link Nid#ANY} for all routes of the node
     * @return how many there were
     * @throws ErrnoException ESHUTDOWN when the node is closed
     */
    int deleteAll(Nid gateway);

    /** Returns the routes, net by net, in the order in which equal ones are looked at. */
    List<RouteInfo> list();

    /** Returns the gateways, in the order in which they became such. */
    List<GatewayInfo> gateways();

    /**
     * Tells when each gateway has been checked once since it has routes (spec 11 §6.3): at once if there is none, or
     * checks are off. With {@link Tunable#CHECK_ROUTERS_BEFORE_USE}, that is what a start waits for.
     *
     * @throws ErrnoException ENOSPC if too many wait; ESHUTDOWN when the node is closed
     */
    CompletionStage<Void> checked();
}
