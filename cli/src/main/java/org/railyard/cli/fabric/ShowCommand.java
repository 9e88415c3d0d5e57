package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.railyard.cli.text.JsonOption;
import org.railyard.fabric.model.Fabric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric show}: what a fabric is and what looks odd about it. */
@Command(
        name = "show",
        description = "Tell what a fabric consists of, and what looks damaged or oddly cabled.",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the fabric was read",
            "2:the file cannot be read, or the command line is wrong",
            FabricCommand.FAILED_TEXT
        })
final class ShowCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "TOPOLOGY", description = Topology.FORMS + "; - for standard input.")
    private Path topology = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        Fabric fabric;
        try {
            fabric = Topology.read(topology, spec.commandLine().getErr()::println);
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
        FabricSurvey survey = new FabricSurvey(fabric);
        json.print(spec.commandLine().getOut(), survey::lines, survey::document);
        return 0;
    }
}
