package org.railyard.verbs.card.cm;

import org.railyard.verbs.card.CardDevice;
import org.railyard.verbs.card.CardQp;

/**
 * A port of a software card as the connection manager sees it: with one IPv4 address.
 *
 * @param <Q> queue pairs of the card
 */
public interface CmPort<Q extends CardQp> {
    /** Returns its address, first octet in the highest bits. */
    int ip();

    /** Returns its card. */
    CardDevice<Q> device();

    /** Returns its number on the card, from 1. */
    int number();

    /** Tells whether it carries data. */
    boolean isUp();
}
