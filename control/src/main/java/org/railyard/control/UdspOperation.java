package org.railyard.control;

import org.jspecify.annotations.Nullable;

/** Rules of the user-defined selection policy (spec 12 §2.6, 10 §20). */
public sealed interface UdspOperation extends Operation {
    /** Adds a rule. */
    @CliCommand(value = "udsp add", help = "add a selection rule")
    record Add(
            @CliOption(value = "PATTERN", help = "local nets or NIDs") @Nullable
            String src,

            @CliOption(value = "PATTERN", help = "nets or NIDs of peers") @Nullable
            String dst,

            @CliOption(value = "PATTERN", help = "NIDs of routers") @Nullable
            String rte,

            @CliOption(help = "0 is best") @Nullable Long priority,

            @CliOption(help = "messages after which a pair stands aside once") @Nullable
            Integer count,

            @CliOption(help = "place in the list, from 0; the end") @Nullable
            Integer idx)
            implements UdspOperation, Edit {}

    /** Deletes a rule, or all. */
    @CliCommand(value = "udsp del", help = "delete a selection rule, or all")
    record Delete(
            @CliOption(help = "place in the list, from 0") @Nullable
            Integer idx,

            @CliOption(letter = 'a', help = "all of them; then without --idx")
            boolean all)
            implements UdspOperation, Edit {}

    /** Shows the rules. */
    @CliCommand(value = "udsp show", help = "show the selection rules")
    record Show(
            @CliOption(help = "place in the list, from 0; all") @Nullable
            Integer idx) implements UdspOperation, Query {}
}
