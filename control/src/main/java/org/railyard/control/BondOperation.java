package org.railyard.control;

import org.jspecify.annotations.Nullable;

/**
 * LNet's bonds: which NIDs belong together (spec 21 §10.1). The channel bonding of a transport is {@link
 * O2ibsOperation} and {@link NetOperation}.
 */
public sealed interface BondOperation extends Operation {
    /**
     * Makes a bond, or gives one more NIDs.
     *
     * @param name what it is called
     * @param type {@code local} or {@code remote}; absent only if it is there
     * @param nids a list with ranges; absent for none
     * @param policy {@code default}, {@code balanced}, {@code round-robin} or {@code ordered}; absent for {@code
     *     default}, or what it is
     */
    record Add(
            @Nullable String name,
            @Nullable String type,
            @Nullable String nids,
            @Nullable String policy) implements BondOperation, Edit {}

    /**
     * Deletes a bond, or takes NIDs from it.
     *
     * @param name which
     * @param nids a list with ranges; absent for the whole bond
     */
    record Delete(@Nullable String name, @Nullable String nids) implements BondOperation, Edit {}

    /**
     * Changes a bond.
     *
     * @param name which
     * @param policy its policy from now on
     */
    record Set(@Nullable String name, @Nullable String policy) implements BondOperation, Edit {}

    /**
     * Shows bonds with their NIDs.
     *
     * @param name only this one; absent for all, and the default bond where there are local ones
     */
    record Show(@Nullable String name) implements BondOperation, Query {}
}
