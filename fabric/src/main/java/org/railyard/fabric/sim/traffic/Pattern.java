package org.railyard.fabric.sim.traffic;

/** Who sends to whom (spec 33 §6). Where switches stand on a torus, coordinates count; n is the radix of a dimension. */
public enum Pattern {
    /** To any other host, by chance. */
    UNIFORM("uniform"),
    /** To the host ⌈n/2⌉ − 1 switches on in each dimension: as far as the shorter way goes. */
    TORNADO("tornado"),
    /** To the host at n − 1 − c in each dimension. */
    BIT_COMPLEMENT("bit-complement"),
    /** To the host one switch on in the first dimension that has more than one. */
    NEIGHBOUR("neighbour"),
    /** To the first host with some share, else to any. */
    HOT_SPOT("hot-spot");

    private final String text;

    Pattern(String text) {
        this.text = text;
    }

    /** Returns what people call it. */
    public String text() {
        return text;
    }
}
