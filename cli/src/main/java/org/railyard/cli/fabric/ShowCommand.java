package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.JsonOption;
import org.railyard.fabric.format.DumpFiles;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TextSink;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric show}: what a fabric is and what looks odd about it. */
@Command(
        name = "show",
        description = {
            "Tell what a fabric consists of, and what looks damaged.",
            "And what is oddly cabled; with --live also what it is programmed with, which",
            "--out, for a running subnet only, writes to files."
        },
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the fabric was read",
            "2:the file cannot be read, or not all of the running subnet, or the command line is wrong",
            FabricCommand.FAILED_TEXT
        })
final class ShowCommand implements Callable<Integer> {
    private static final int UNUSABLE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "TOPOLOGY", description = Topology.FORMS + "; - for standard input.")
    private @Nullable Path topology;

    @Mixin
    private SubnetOptions live = new SubnetOptions();

    @Mixin
    private RoutedDirectory out = new RoutedDirectory();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        Path file = topology;
        boolean isLive = live.isWanted();
        if (isLive == (file != null) || !isLive && out.isWanted()) {
            throw new ParameterException(
                    spec.commandLine(),
                    isLive || file != null
                            ? "--live excludes a file, and --out needs --live"
                            : "a file with a topology is missing, or --live");
        }
        try {
            return file == null
                    ? running()
                    : told(Topology.read(file, spec.commandLine().getErr()::println));
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    private int told(Fabric fabric) {
        FabricSurvey survey = new FabricSurvey(fabric);
        json.print(spec.commandLine().getOut(), survey::lines, survey::document);
        return 0;
    }

    private void print(List<String> lines) {
        PrintWriter to = spec.commandLine().getOut();
        lines.forEach(to::println);
        to.flush();
    }

    private int running() throws IOException {
        out.requireFree();
        LiveSubnet subnet = live.read();
        SubnetReport report = new SubnetReport(subnet);
        json.print(spec.commandLine().getOut(), report::lines, report::document);
        SubnetReport.warn(subnet, spec.commandLine().getErr());
        if (!subnet.unread().isEmpty()) {
            return UNUSABLE;
        }
        if (out.isWanted()) {
            Path written = out.write(files(subnet));
            if (!json.isWanted()) {
                print(List.of("written: " + written));
            }
        }
        return 0;
    }

    /** Files of what was not read would tell something that is not so. */
    private static Map<String, Consumer<TextSink>> files(LiveSubnet subnet) {
        Routing routing = new Routing(
                "live",
                subnet.forwarding().orElseThrow(() -> absent("forwarding tables")),
                subnet.sls().orElse(PathSls.constant(0)),
                subnet.slToVl().orElseThrow(() -> absent("SL to VL tables")),
                subnet.multicast().orElse(MulticastTables.NONE),
                List.of());
        Map<String, Consumer<TextSink>> files =
                DumpFiles.of(new SubnetList(subnet.fabric(), Fabric.NONE), routing, Optional.empty());
        if (subnet.sls().isEmpty()) {
            files.remove("ibdm.psl");
        }
        if (subnet.multicast().isEmpty()) {
            files.remove("opensm.mcfdbs");
        }
        return files;
    }

    private static FabricInputException absent(String what) {
        return new FabricInputException(
                "--out needs " + what + "; give the output of dump_fts or saquery LFTR, and of saquery SL2VL, too");
    }
}
