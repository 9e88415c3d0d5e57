package org.railyard.cli.mad;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard mad}: commands about management datagrams. */
@Command(
        name = "mad",
        description = "Look at InfiniBand's management datagrams, and at the ports that send them.",
        subcommands = {MadDecodeCommand.class, MadGetCommand.class, MadPortsCommand.class})
public final class MadCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public MadCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: decode, get or ports");
    }
}
