package org.railyard.conformance.bond;

import java.util.Map;
import org.railyard.lnet.nid.Nid;

/**
 * Nodes on cards that can be made to give them no more of something. Node 0 has two NIs, on cards 0 and 1; nodes 1 and
 * 2 have one on card 0, node 3 one on card 1.
 */
public interface ScarceCards extends NodeCards {
    /** Returns the NID of the second NI of node 0. */
    Nid second();

    /** Tells whether what is used up is that of card 0 alone, and not that of the process. */
    boolean isOfCard();

    /** Tells whether node 0 can not call others either, when it is used up. */
    boolean limitsCalls();

    /** From now on card 0 has nothing left for one more connection that node 0 accepts. */
    void useUp();

    /** Gives back what was used up. */
    void free();

    /** Returns how often a node has refused requests for connections, by reasons. */
    Map<String, Long> refusals(int node);

    /** Tells whether a warning was logged that says what is used up, and what to do. */
    boolean isExplained();
}
