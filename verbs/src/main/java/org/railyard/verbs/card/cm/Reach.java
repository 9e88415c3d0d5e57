package org.railyard.verbs.card.cm;

/** What is known of the way to an address. */
public enum Reach {
    /** There is a way, as far as anybody can tell. */
    YES,
    /** There is none. */
    NO,
    /** The neighbour with the address was asked for, and has not answered yet. */
    WAIT
}
