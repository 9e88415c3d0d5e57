package org.railyard.verbs.card.cm;

/** What is known of the route to an address. */
public enum Reach {
    /** There is a route, as far as is known. */
    YES,
    /** There is none. */
    NO,
    /** The neighbour with the address was asked for, and has not answered yet. */
    WAIT
}
