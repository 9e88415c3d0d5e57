package org.railyard.lnet.api;

import org.railyard.lnet.nid.Nid;

/**
 * How far a NID is (spec 10 §5.5).
 *
 * @param hops 0 own NID, 1 on a local net, more behind routers
 * @param order 0 for loopback, 1 for an own NID, then in the order in which nets were configured
 * @param sourceNid the local NID from which it would be reached
 */
public record Distance(int hops, int order, Nid sourceNid) {}
