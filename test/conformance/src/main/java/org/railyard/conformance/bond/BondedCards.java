package org.railyard.conformance.bond;

/**
 * Nodes with two cards each, 0 and 1, whose links can be cut and which can be taken out. Nodes 0 and 1 have one NI, a
 * group of both cards; nodes 2 and 3 have one on card 1 alone.
 */
public interface BondedCards extends NodeCards {
    /** Tells whether the NI of a node may use its interface on a card. */
    boolean isUsable(int node, int card);

    /** Returns how many messages the NI of a node has sent by its interface on a card. */
    long sent(int node, int card);

    /** Cuts the links of a card in all nodes, or joins them again. */
    void link(int card, boolean up);

    /** Takes a card out of all nodes, for good. */
    void takeOut(int card);

    /** Tells whether a warning was logged that says what became of the card that was taken out, and what to do. */
    boolean isExplained();

    /** Tells whether the nodes have given back all that they made of a card: memory, queues, domains. */
    boolean isGivenBack(int card);
}
