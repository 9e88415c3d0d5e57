package org.railyard.bench.lnet;

/** How two nodes are connected. */
enum Layout {
    /** Directly, one address each. */
    ONE_RAIL,
    /** Directly, two addresses each. */
    TWO_RAILS,
    /** On nets of their own, with a router on both. */
    ROUTED
}
