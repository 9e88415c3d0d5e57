package org.railyard.cli.lnetctl;

import org.jspecify.annotations.Nullable;
import org.railyard.control.UdspOperation;

/** {@code udsp} (spec 12 §2.6, 10 §20). */
final class UdspCommands {
    private UdspCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "udsp",
                "selection rules",
                OperationCommand.of(UdspOperation.Add.class, Session::classic)
                        .refusing(UdspCommands::wrongToAdd)
                        .command(),
                OperationCommand.of(UdspOperation.Delete.class, Session::classic)
                        .command(),
                OperationCommand.of(UdspOperation.Show.class, Session::classic).command());
    }

    private static @Nullable String wrongToAdd(ParsedLine line) {
        return line.has("src") || line.has("dst") || line.has("rte")
                ? null
                : "a rule needs --src, --dst, --src with --dst, or --dst with --rte";
    }
}
