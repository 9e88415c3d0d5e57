package org.railyard.cli.node;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What picocli injects is there when a command runs. */
final class CommandSpecs {
    private CommandSpecs() {}

    static CommandSpec require(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command was not made by picocli");
        }
        return spec;
    }
}
