package org.railyard.cli.lab;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard lab}: the commands that try clusters out in virtual time. */
@Command(
        name = "lab",
        description = "Run whole clusters in virtual time, with faults and rules that must hold.",
        subcommands = {LabRunCommand.class, LabReplayCommand.class, LabListCommand.class, LabShowCommand.class})
public final class LabCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public LabCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: run, replay, list or show");
    }
}
