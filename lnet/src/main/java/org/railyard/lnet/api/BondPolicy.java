package org.railyard.lnet.api;

import java.util.Arrays;
import java.util.Optional;

/**
 * How one of the NIDs of a {@link Bond} is chosen (spec 21 §10.1, cb-203). Whatever the policy, health and selection
 * rules (UDSP) come first: a policy chooses among what these leave equal.
 */
public enum BondPolicy {
    /** As the tunable {@link Tunable#BOND_POLICY} says, which is for all bonds. */
    DEFAULT("default"),
    /** The criteria of Multi-Rail: distance to the memory, credits, turn. */
    BALANCED("balanced"),
    /** Each in its turn, whatever its distance and credits. */
    ROUND_ROBIN("round-robin"),
    /** The first in the list of the bond; the next ones stand by. */
    ORDERED("ordered");

    /** The settings of the tunable for all bonds, in its order. */
    private static final BondPolicy[] FOR_ALL = {BALANCED, ROUND_ROBIN, ORDERED};

    private final String text;

    BondPolicy(String text) {
        this.text = text;
    }

    /** Returns its name in configuration. */
    public String text() {
        return text;
    }

    /** Returns the policy with a name. */
    public static Optional<BondPolicy> find(String name) {
        return Arrays.stream(values()).filter(each -> each.text.equals(name)).findFirst();
    }

    /** Returns what counts for a bond with this policy on a node with some tunables: never {@link #DEFAULT}. */
    public BondPolicy in(Settings settings) {
        return this == DEFAULT ? FOR_ALL[settings.get(Tunable.BOND_POLICY)] : this;
    }
}
