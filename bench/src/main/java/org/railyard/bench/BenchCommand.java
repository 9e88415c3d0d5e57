package org.railyard.bench;

import org.jspecify.annotations.Nullable;
import org.railyard.bench.fabric.BenchFabricCommand;
import org.railyard.bench.sm.BenchSmCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard bench}: holds the measuring commands. */
@Command(
        name = "bench",
        description = {"Measure LNet, routing and the subnet manager beside other programs.", "And single operations."},
        subcommands = {LnetCommand.class, BenchFabricCommand.class, BenchSmCommand.class, MicroCommand.class})
final class BenchCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "bench needs a command: lnet, fabric, sm or micro");
        }
    }
}
