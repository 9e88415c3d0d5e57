package org.railyard.fabric.torus.grid;

/** Why a path takes a hop the way it does (spec 30 §6). */
public enum HopReason {
    /** The short way round the ring. */
    SHORT_WAY("short way round"),
    /** The short way round is broken. */
    LONG_WAY("long way round: the short one is broken"),
    /** The switch to turn at is missing; go as near as possible. */
    TOWARDS_HOLE("towards the missing turning switch"),
    /** Nothing goes on in the present dimension: turn one switch early. */
    EARLY_TURN("early turn: no way on in an earlier dimension"),
    /** Back into an earlier dimension after an early turn; this hop has VL bit 1. */
    ILLEGAL_TURN("illegal turn back into an earlier dimension, on the turn VL");

    private final String text;

    HopReason(String text) {
        this.text = text;
    }

    /** Returns the reason for people. */
    public String text() {
        return text;
    }
}
