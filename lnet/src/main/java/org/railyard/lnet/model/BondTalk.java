package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;

/**
 * A bond of this node that a peer has talked to, and what the peer knows of it (spec 21 §10.1, cb-204). Guarded by the
 * stack's lock.
 */
public final class BondTalk {
    /** The bond, null for the default one. */
    public final @Nullable ActiveBond bond;

    /** The sequence number of the bond that the peer acknowledged last, as unsigned; 0 for none. */
    public int acknowledgedSequence;

    /** Whether a push about it failed, and is not tried again just now because other bonds work. */
    public boolean postponed;

    /** Makes one of which the peer knows nothing yet. */
    public BondTalk(@Nullable ActiveBond bond) {
        this.bond = bond;
    }
}
