package org.railyard.fabric.sim.traffic;

/**
 * Who sends to whom (spec 33 §6). On a torus coordinates of switches count; n is the radix of a dimension.
 */
public enum TrafficPattern {
    /** To any other host, by chance. */
    UNIFORM("uniform"),
    /** To the host ⌈n/2⌉ − 1 switches on in each dimension: as far as the shorter way goes. */
    TORNADO("tornado"),
    /** To the host at n − 1 − c in each dimension. */
    BIT_COMPLEMENT("bit-complement"),
    /** To the host one switch on in the first dimension that has more than one. */
    NEIGHBOUR("neighbour"),
    /** To the first host with some share, else to any. */
    HOT_SPOT("hot-spot"),
    /**
     * To the host at the same coordinates in reverse order, of dimensions that have more than one switch; these have
     * the same radix.
     */
    TRANSPOSE("transpose"),
    /** To the host whose number is this one's, rotated to the left by a bit; the number of hosts is a power of two. */
    SHUFFLE("shuffle"),
    /** To the host whose number has this one's bits in reverse order; the number of hosts is a power of two. */
    BIT_REVERSE("bit-reverse"),
    /** To each other host in turn, from the next one on. */
    ALL_TO_ALL("all-to-all"),
    /** To the hosts one switch on and back in each dimension, in turn. */
    HALO("halo"),
    /** To the first multicast group with some share, else to any host. */
    MULTICAST("multicast");

    private final String text;

    TrafficPattern(String text) {
        this.text = text;
    }

    /** Returns what people call it. */
    public String text() {
        return text;
    }
}
