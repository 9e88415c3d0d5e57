package org.railyard.cli.lnetctl;

import org.jspecify.annotations.Nullable;
import org.railyard.control.NetOperation;

/** {@code net} (spec 12 §2.2). */
final class NetCommands {
    private NetCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "net",
                "nets of this node and their NIs",
                OperationCommand.of(NetOperation.Add.class, Session::run)
                        .taking(
                                Opt.flag(
                                        "skip-mr-route-setup", 'k', "taken, without effect: routes of the system stay"),
                                Opt.value("auth-key", 'a', "KEY", "for kfi only: taken, without effect"),
                                Opt.value("traffic-class", 'T', "CLASS", "for kfi only: taken, without effect"))
                        .refusing(NetCommands::wrongToAdd)
                        .command()
                        .overlookingNumbers(),
                OperationCommand.of(NetOperation.Delete.class, Session::run)
                        .refusing((ParsedLine line) -> line.has("net") || line.has("nid")
                                ? null
                                : "which net is missing; say --net NET or --nid NID")
                        .command(),
                OperationCommand.of(NetOperation.Show.class, Session::run).command(),
                OperationCommand.of(NetOperation.Set.class, Session::run).command());
    }

    private static @Nullable String wrongToAdd(ParsedLine line) {
        if (line.has("nid") || line.has("ip2net")) {
            return null;
        }
        if (!line.has("net")) {
            return "which net is missing; say --net NET, or --nid or --ip2net";
        }
        return line.has("if") ? null : "which interfaces is missing; say --if IF[,IF…]";
    }
}
