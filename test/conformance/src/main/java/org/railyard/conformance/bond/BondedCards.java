package org.railyard.conformance.bond;

import java.util.function.BooleanSupplier;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/**
 * Nodes with two cards each, 0 and 1, whose links can be cut and which can be taken out. Nodes 0 and 1 have one NI, a
 * group of both cards; nodes 2 and 3 have one on card 1 alone.
 */
public interface BondedCards extends AutoCloseable {
    /** Returns the transport of a node. */
    LndProvider transport(int node);

    /** Returns what a node asks for as its one NI. */
    NiRequest request(int node);

    /** Returns the NID of that NI. */
    Nid nid(int node);

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

    /** Waits for a condition; false if it did not come true in the time that this may take here. */
    boolean await(BooleanSupplier condition);

    @Override
    void close();
}
