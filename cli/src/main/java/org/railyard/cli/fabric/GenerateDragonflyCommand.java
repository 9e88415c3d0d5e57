package org.railyard.cli.fabric;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.railyard.fabric.sample.SampleDragonfly;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric generate dragonfly}: writes groups that are full meshes, with cables between all groups. */
@Command(
        name = "dragonfly",
        description = "Write a dragonfly as a file for ibsim, OpenSM and the fabric commands.",
        footer = {"", "Switch s of group g is S-g.s; the switches of a group are all joined, and each two groups are."},
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:the file was written", "2:the command line is wrong", FabricCommand.FAILED_TEXT})
final class GenerateDragonflyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private GeneratedNetwork network = new GeneratedNetwork();

    @Parameters(paramLabel = "GxS", description = "Groups, and switches of a group, such as 9x4.")
    private String shape = "";

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts per switch. Default: 1.")
    private int hosts = 1;

    @Option(
            names = "--global",
            paramLabel = "N",
            description = "Cables of a switch to other groups. Default: as few as give each two groups one.")
    private int global;

    @Override
    public Integer call() throws IOException {
        List<Integer> numbers = network.numbers("shape", shape);
        if (numbers.size() != 2) {
            throw new ParameterException(spec.commandLine(), shape + ": expected GROUPSxSWITCHES, such as 9x4");
        }
        return network.write(() -> new SampleDragonfly(numbers.get(0), numbers.get(1), hosts, global).network());
    }
}
