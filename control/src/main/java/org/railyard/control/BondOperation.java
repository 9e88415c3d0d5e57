package org.railyard.control;

import org.jspecify.annotations.Nullable;

/**
 * LNet's bonds: which NIDs belong together (spec 21 §10.1). The channel bonding of a transport is {@link
 * O2ibsOperation} and {@link NetOperation}.
 */
public sealed interface BondOperation extends Operation {
    /** Makes a bond, or gives one more NIDs; {@code type} and {@code policy} stay as they are if absent. */
    @CliCommand(value = "bond add", help = "put NIDs together, of this node or of peers, or add some")
    record Add(
            @CliOption(value = "NAME", help = "name of the bond", required = true) @Nullable
            String name,

            @CliOption(letter = 't', value = "local|remote", help = "whose NIDs they are") @Nullable
            String type,

            @CliOption(name = "nid", value = "LIST", help = "NIDs, such as 10.0.0.[5-6]@tcp,10.1.0.5@o2ib") @Nullable
            String nids,

            @CliOption(
                    letter = 'p',
                    value = "POLICY",
                    help = "how one NID is chosen: default, balanced, round-robin or ordered")
            @Nullable
            String policy)
            implements BondOperation, Edit {}

    /** Deletes a bond, or takes NIDs from it. */
    @CliCommand(value = "bond del", help = "delete a bond, or take NIDs from it")
    record Delete(
            @CliOption(value = "NAME", help = "name of the bond", required = true) @Nullable
            String name,

            @CliOption(name = "nid", value = "LIST", help = "NIDs; none for the whole bond") @Nullable
            String nids)
            implements BondOperation, Edit {}

    /** Changes a bond. */
    @CliCommand(value = "bond set", help = "change the policy of a bond")
    record Set(
            @CliOption(value = "NAME", help = "name of the bond", required = true) @Nullable
            String name,

            @CliOption(
                    letter = 'p',
                    value = "POLICY",
                    help = "how one NID is chosen: default, balanced, round-robin or ordered")
            @Nullable
            String policy)
            implements BondOperation, Edit {}

    /** Shows bonds with their NIDs, and the default bond where there are local ones. */
    @CliCommand(value = "bond show", help = "show bonds and their NIDs")
    record Show(
            @CliOption(value = "NAME", help = "only this bond") @Nullable
            String name) implements BondOperation, Query {}
}
