package org.railyard.bench.lnet;

/** How two nodes are connected. */
enum ProgramLayout {
    /** Directly, one address each. */
    ONE_RAIL,
    /** Directly, two addresses each. */
    TWO_RAILS,
    /** Directly, one address each, InfiniBand over UDP. */
    O2IB,
    /** On nets of their own, with a router on both. */
    ROUTED
}
