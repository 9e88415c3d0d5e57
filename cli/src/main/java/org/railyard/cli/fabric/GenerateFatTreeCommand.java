package org.railyard.cli.fabric;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.sample.SampleFatTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code railyard fabric generate fat-tree}: writes a k-ary n-tree, or one with fewer or more cables upwards. */
@Command(
        name = "fat-tree",
        description = "Write a fat tree as a file for ibsim, OpenSM and the fabric commands.",
        footer = {
            "",
            "4x4x8 has 8 x 4 leaf switches S-1.a.b with 4 hosts each, 8 x 4 switches S-2.a.c above them, and 4 x 4"
                    + " switches S-3.d.c at the top with 8 ports: a is the part of the tree, the other digits count the"
                    + " switches that serve the same part.",
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:the file was written", "2:the command line is wrong", FabricCommand.FAILED_TEXT})
final class GenerateFatTreeCommand implements Callable<Integer> {
    @Mixin
    private GeneratedNetwork network = new GeneratedNetwork();

    @Parameters(
            paramLabel = "HxMxN",
            description = "Hosts of a leaf switch, then children of a switch of each level above; 1 to 8 levels.")
    private String shape = "";

    @Option(
            names = "--up",
            paramLabel = "UxV",
            description =
                    "Parents of a switch, from the leaf switches on to the level below the top. Default: as many as"
                            + " it has children.")
    private @Nullable String up;

    @Option(names = "--cables", paramLabel = "N", description = "Cables to each parent. Default: 1.")
    private int cables = 1;

    @Override
    public Integer call() throws IOException {
        List<Integer> children = network.numbers("shape", shape);
        String parents = up;
        List<Integer> above =
                parents == null ? children.subList(0, children.size() - 1) : network.numbers("--up", parents);
        return network.write(() -> new SampleFatTree(children, above, cables).network());
    }
}
