package org.railyard.cli.fabric;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric generate}: makes fabrics for trying out. */
@Command(
        name = "generate",
        description = "Make a fabric for trying out.",
        subcommands = {
            GenerateTorusCommand.class,
            GenerateFatTreeCommand.class,
            GenerateDragonflyCommand.class,
            GenerateHyperXCommand.class
        })
final class GenerateCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a shape is missing: torus, fat-tree, dragonfly or hyperx");
    }
}
