package org.railyard.bench;

import org.jspecify.annotations.Nullable;
import org.railyard.bench.fabric.BenchFabricCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard bench}: holds the measuring commands. */
@Command(
        name = "bench",
        description = "Measures this machine: LNet and torus routing beside other programs, and single operations.",
        subcommands = {LnetCommand.class, BenchFabricCommand.class, MicroCommand.class})
final class BenchCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "bench needs a command: lnet, fabric or micro");
        }
    }
}
