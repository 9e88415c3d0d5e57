package org.railyard.cli.explain;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard explain}: the commands that tell what a node would do, and why. */
@Command(
        name = "explain",
        description = "Tell what a node would do, and why, from its configuration alone.",
        subcommands = {ExplainPathCommand.class})
public final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public ExplainCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: path");
    }
}
