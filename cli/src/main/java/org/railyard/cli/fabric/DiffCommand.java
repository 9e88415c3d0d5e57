package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;
import org.railyard.base.text.TextColumns;
import org.railyard.cli.text.JsonOption;
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
        description = {
            "Compare two sets of tables, or a plan with a running subnet.",
            "Entries, SLs, SL to VL, multicast, load; or what is planned with what a running subnet is programmed"
                    + " with. Nodes are matched by GUID."
        },
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
    private SubnetOptions live = new SubnetOptions();

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

    @Mixin
    private JsonOption json = new JsonOption();

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
        if (isLive == (other != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    isLive
                            ? "a second directory and --live do not go together"
                            : "a second directory, or --live, is missing");
        }
        if (!isLive && arbitration.isPresent()) {
            throw new ParameterException(spec.commandLine(), "--vl-arbitration needs --live");
        }
        try {
            Side a = read(first, !isLive || live.asksSls());
            if (other == null) {
                return running(a);
            }
            Side b = read(other, true);
            RoutingDiff diff = RoutingDiff.between(a.fabric(), a.routing(), b.fabric(), b.routing());
            json.print(spec.commandLine().getOut(), () -> lines(diff, a, b), () -> document(diff, a, b));
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
        json.print(spec.commandLine().getOut(), () -> lines(diff), () -> document(diff));
        SubnetReport.warn(subnet, spec.commandLine().getErr());
        return !subnet.unread().isEmpty() ? UNUSABLE : diff.isEmpty() ? 0 : DIFFERENT;
    }

    private static List<String> lines(PlanDiff diff) {
        List<String> lines = new ArrayList<>();
        for (PlanDiff.Part part : diff.parts()) {
            lines.add("%s: %d of %d differ".formatted(part.name(), part.different(), part.compared()));
            part.lines().forEach(line -> lines.add("  " + line));
            if (part.different() > part.lines().size() && !part.lines().isEmpty()) {
                lines.add("  …");
            }
        }
        diff.notCompared().forEach(line -> lines.add("not compared: " + line));
        return lines;
    }

    private static Map<String, Object> document(PlanDiff diff) {
        List<Map<String, Object>> parts = new ArrayList<>();
        for (PlanDiff.Part part : diff.parts()) {
            parts.add(new Doc()
                    .put("name", part.name())
                    .put("different", part.different())
                    .put("compared", part.compared())
                    .put("examples", part.lines())
                    .map());
        }
        return new Doc()
                .put("parts", parts)
                .put("not_compared", diff.notCompared())
                .map();
    }

    private Side read(Path directory, boolean needsSls) {
        Map<String, Integer> groupSls = new TreeMap<>();
        RoutingFiles files = new RoutingFiles(directory, null, null, sl, null, conf, groupSls);
        Fabric fabric = files.fabric(spec.commandLine().getErr()::println);
        return new Side(fabric, needsSls ? files.routing(fabric) : files.routingWithoutSls(fabric));
    }

    private Map<String, Object> document(RoutingDiff diff, Side a, Side b) {
        return new Doc()
                .put("nodes", document(diff.nodes()))
                .put("forwarding", document(diff.forwarding()))
                .put("sls", document(diff.sls()))
                .put("sl_to_vl", document(diff.slToVl()))
                .put("multicast", document(diff.multicast()))
                .put("load", List.of(document(a), document(b)))
                .map();
    }

    private Doc document(RoutingDiff.Part part) {
        return new Doc()
                .put("compared", part.compared())
                .put("changed", part.changed())
                .put("examples", part.examples().stream().limit(examples).toList());
    }

    private static Map<String, Object> document(Side side) {
        LinkLoad load = LinkLoad.of(side.fabric(), side.routing().forwarding());
        return new Doc()
                .put("mean_hops", rounded(load.meanHops()))
                .put("longest", load.longest())
                .put("mean", rounded(load.mean()))
                .put("most", load.most())
                .put("busiest", busiest(side, load))
                .map();
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static String busiest(Side side, LinkLoad load) {
        return load.busiest() == Fabric.NONE ? "" : side.fabric().portName(load.busiest());
    }

    private List<String> lines(RoutingDiff diff, Side a, Side b) {
        List<String> lines = new ArrayList<>();
        add(lines, "switches, end ports, LIDs", diff.nodes());
        add(lines, "forwarding entries", diff.forwarding());
        add(lines, "SLs of pairs", diff.sls());
        add(lines, "SL to VL tables", diff.slToVl());
        add(lines, "multicast masks", diff.multicast());
        lines.addAll(load(a, b));
        return lines;
    }

    private void add(List<String> lines, String what, RoutingDiff.Part part) {
        lines.add("%s: %d of %d differ".formatted(what, part.changed(), part.compared()));
        part.examples().stream().limit(examples).forEach(line -> lines.add("  " + line));
        long shown = Math.min(examples, part.examples().size());
        if (part.changed() > shown && shown > 0) {
            lines.add("  …");
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
                busiest(side, load));
    }
}
