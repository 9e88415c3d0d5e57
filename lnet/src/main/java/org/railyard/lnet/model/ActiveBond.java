package org.railyard.lnet.model;

import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;

/** A bond at work. It stays the same object while its NIDs and its policy change. */
public final class ActiveBond {
    /** What it is now. */
    public Bond bond;

    /** Makes one. */
    public ActiveBond(Bond bond) {
        this.bond = bond;
    }

    /** Returns its policy. */
    public BondPolicy policy() {
        return bond.policy();
    }

    @Override
    public String toString() {
        return bond.name();
    }
}
