package org.railyard.cli.lnetctl;

import org.railyard.control.RouteOperation;

/** {@code route} (spec 12 §2.3). */
final class RouteCommands {
    private RouteCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "route",
                "routes to nets that are not local",
                OperationCommand.of(RouteOperation.Add.class, Session::run)
                        .taking(Opt.number("health_sensitivity", (char) 0, "N", "taken, without effect"))
                        .command()
                        .overlookingNumbers(),
                OperationCommand.of(RouteOperation.Delete.class, Session::run).command(),
                OperationCommand.of(RouteOperation.Show.class, Session::run).command());
    }
}
