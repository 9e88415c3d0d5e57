package org.railyard.cli.o2ib;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard o2ib}: commands about LNet over InfiniBand. */
@Command(
        name = "o2ib",
        description = "Show RDMA cards, and work out what settings of the InfiniBand transport lead to.",
        subcommands = {TunablesCommand.class, DevicesCommand.class})
public final class O2ibCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public O2ibCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: tunables, devices");
    }
}
