package org.railyard.cli.fabric;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.railyard.fabric.sample.SampleHyperX;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code railyard fabric generate hyperx}: writes a grid in which all switches of a row are joined. */
@Command(
        name = "hyperx",
        description = "Write a HyperX as a file for ibsim, OpenSM and the fabric commands.",
        footer = {
            "",
            "Each two switches that differ in one coordinate are joined: 8 is a full mesh, 2x2x2x2 a hypercube."
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:the file was written", "2:the command line is wrong", FabricCommand.FAILED_TEXT})
final class GenerateHyperXCommand implements Callable<Integer> {
    @Mixin
    private GeneratedNetwork network = new GeneratedNetwork();

    @Parameters(paramLabel = "XxYxZ", description = "Switches in each dimension; up to 16 dimensions.")
    private String shape = "";

    @Option(names = "--hosts", paramLabel = "N", description = "Hosts per switch. Default: 1.")
    private int hosts = 1;

    @Option(names = "--cables", paramLabel = "N", description = "Cables between neighbours. Default: 1.")
    private int cables = 1;

    @Override
    public Integer call() throws IOException {
        List<Integer> radices = network.numbers("shape", shape);
        return network.write(() -> new SampleHyperX(radices, hosts, cables).network());
    }
}
