package org.railyard.verbs.card.cm;

/**
 * How long a connection manager waits, ns.
 *
 * @param step what each step of this side takes, from 0
 * @param firstTimeout until a message is sent again
 * @param maxTimeout the same at most; it is doubled each time
 * @param retries how often a message is sent again, from 0
 * @param extensions since a message was first sent, for so long a peer that asks for more time gets it, from 0
 * @param firstLookup until a neighbour is looked for again
 * @param maxLookup the same at most; it is doubled each time
 * @param lookupLimit how long a neighbour has to answer
 */
public record CmTimes(
        long step,
        long firstTimeout,
        long maxTimeout,
        int retries,
        long extensions,
        long firstLookup,
        long maxLookup,
        long lookupLimit) {}
