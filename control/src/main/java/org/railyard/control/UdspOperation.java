package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Rules of the user-defined selection policy (spec 12 §2.6, 10 §20). */
public sealed interface UdspOperation extends Operation {
    /**
     * Adds a rule.
     *
     * @param src local nets or NIDs
     * @param dst nets or NIDs of peers
     * @param rte NIDs of routers
     * @param priority 0 is best
     * @param count messages after which a pair stands aside once
     * @param idx the rule in front of which it goes; absent for the end
     */
    record Add(
            @Nullable String src,
            @Nullable String dst,
            @Nullable String rte,
            @Nullable Long priority,
            @Nullable Integer count,
            @Nullable Integer idx)
            implements UdspOperation, Edit {}

    /**
     * Deletes a rule, or all.
     *
     * @param idx which
     * @param all all of them; then without {@code idx}
     */
    record Delete(@Nullable Integer idx, boolean all) implements UdspOperation, Edit {}

    /**
     * Shows the rules.
     *
     * @param idx only this one; absent for all
     */
    record Show(@Nullable Integer idx) implements UdspOperation, Query {}
}
