package org.railyard.lnet.api;

import java.time.Duration;
import java.util.Optional;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * A route as it is now (spec 11 §6.1, §6.4).
 *
 * @param net where it leads to
 * @param gateway the NID by which its gateway was named
 * @param primaryNid the identity of the gateway
 * @param hops 1…255, or {@link Routes#UNDEFINED_HOPS}
 * @param priority 0 is best
 * @param down why it can not be used; empty if it is up
 * @param since how long ago its gateway last changed between forwarding there and not, or the route was added
 * @param singleHop whether the gateway is on the net itself, as far as it has said
 * @param lastChoice stamp of the last choice among routes to the net; lower was used longer ago
 * @param messages messages that were sent over it, those of others included
 * @param bytes their payload
 */
public record RouteInfo(
        Net net,
        Nid gateway,
        Nid primaryNid,
        int hops,
        int priority,
        Optional<Explanation.Reason> down,
        Duration since,
        boolean singleHop,
        long lastChoice,
        long messages,
        long bytes) {
    /** Tells whether it can be used. */
    public boolean isUp() {
        return down.isEmpty();
    }
}
