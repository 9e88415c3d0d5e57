package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.TextColumns;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.live.PlanDiff;
import org.railyard.fabric.live.PlanDiff.PlannedArbitration;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard fabric diff}: compares two directories of dumps. */
@Command(
        name = "diff",
        description =
                "Compare two sets of tables: entries, SLs, SL to VL, multicast, load; or what is planned with what a"
                        + " running subnet is programmed with. Nodes are matched by GUID.",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:nothing differs",
            "1:something differs",
            "2:a file, or not all of the running subnet, cannot be read, or the command line is wrong",
            FabricCommand.FAILED_TEXT
        })
final class DiffCommand implements Callable<Integer> {
    private static final int DIFFERENT = 1;
    private static final int UNUSABLE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "DIR1", description = "Directory with dumps, as verify reads them.")
    private Path first = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "DIR2", description = "Another one.")
    private @Nullable Path second;

    @Mixin
    private LiveOptions live = new LiveOptions();

    @Option(
            names = "--vl-arbitration",
            paramLabel = "FILE",
            description = "With --live: OpenSM's configuration file with the VL arbitration that is planned.")
    private Optional<Path> arbitration = Optional.empty();

    @Option(names = "--sl", paramLabel = "N", description = "The same SL for every path, where there is no ibdm.psl.")
    private @Nullable Integer sl;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "torus-2QoS.conf: without ibdm.psl, SLs are those that torus-2QoS gives.")
    private @Nullable Path conf;

    @Option(
            names = "--examples",
            paramLabel = "N",
            defaultValue = "5",
            description = "Differences of each kind that are shown, at most " + RoutingDiff.MAX_EXAMPLES
                    + ", with --live " + PlanDiff.MAX_TOLD + ". Default: ${DEFAULT-VALUE}.")
    private int examples;

    /** One side. */
    private record Side(Fabric fabric, Routing routing) {}

    @Override
    public Integer call() {
        boolean isLive = live.isWanted();
        int most = isLive ? PlanDiff.MAX_TOLD : RoutingDiff.MAX_EXAMPLES;
        if (examples < 0 || examples > most) {
            throw new ParameterException(spec.commandLine(), "--examples " + examples + ": expected 0 to " + most);
        }
        Path other = second;
        if (isLive == (other != null) || !isLive && arbitration.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "either a second directory or --live is needed; --vl-arbitration needs --live");
        }
        try {
            Side a = read(first);
            if (other == null) {
                return running(a);
            }
            Side b = read(other);
            RoutingDiff diff = RoutingDiff.between(a.fabric(), a.routing(), b.fabric(), b.routing());
            PrintWriter out = spec.commandLine().getOut();
            print(out, diff);
            load(a, b).forEach(out::println);
            out.flush();
            return diff.isEmpty() ? 0 : DIFFERENT;
        } catch (FabricInputException e) {
            e.print(spec.commandLine().getErr());
            return UNUSABLE;
        }
    }

    /** What was not read may differ, too: then there is no answer. */
    private int running(Side plan) {
        Optional<PlannedArbitration> planned = arbitration.map(file -> ArbitrationFile.planned(file, conf != null));
        LiveSubnet subnet = live.read();
        PlanDiff diff = PlanDiff.between(plan.fabric(), plan.routing(), planned, subnet, examples);
        PrintWriter out = spec.commandLine().getOut();
        for (PlanDiff.Part part : diff.parts()) {
            out.println("%s: %d of %d differ".formatted(part.name(), part.different(), part.compared()));
            part.lines().forEach(line -> out.println("  " + line));
            if (part.different() > part.lines().size() && !part.lines().isEmpty()) {
                out.println("  …");
            }
        }
        diff.notCompared().forEach(line -> out.println("not compared: " + line));
        out.flush();
        LiveReport.warn(subnet, spec.commandLine().getErr());
        return !subnet.unread().isEmpty() ? UNUSABLE : diff.isEmpty() ? 0 : DIFFERENT;
    }

    private Side read(Path directory) {
        Map<String, Integer> groupSls = new TreeMap<>();
        RoutingFiles files = new RoutingFiles(directory, null, null, sl, null, conf, groupSls);
        Fabric fabric = files.fabric(spec.commandLine().getErr()::println);
        return new Side(fabric, files.routing(fabric));
    }

    private void print(PrintWriter out, RoutingDiff diff) {
        print(out, "switches, end ports, LIDs", diff.nodes());
        print(out, "forwarding entries", diff.forwarding());
        print(out, "SLs of pairs", diff.sls());
        print(out, "SL to VL tables", diff.slToVl());
        print(out, "multicast masks", diff.multicast());
    }

    private void print(PrintWriter out, String what, RoutingDiff.Part part) {
        out.println("%s: %d of %d differ".formatted(what, part.changed(), part.compared()));
        part.examples().stream().limit(examples).forEach(line -> out.println("  " + line));
        long shown = Math.min(examples, part.examples().size());
        if (part.changed() > shown && shown > 0) {
            out.println("  …");
        }
    }

    private static List<String> load(Side a, Side b) {
        TextColumns table = new TextColumns("load", "mean hops", "longest", "mean", "most", "at");
        row(table, "DIR1", a);
        row(table, "DIR2", b);
        return table.lines();
    }

    private static void row(TextColumns table, String name, Side side) {
        LinkLoad load = LinkLoad.of(side.fabric(), side.routing().forwarding());
        table.add(
                name,
                String.format(Locale.ROOT, "%.2f", load.meanHops()),
                load.longest(),
                String.format(Locale.ROOT, "%.1f", load.mean()),
                load.most(),
                load.busiest() == Fabric.NONE ? "" : side.fabric().portName(load.busiest()));
    }
}
