package org.railyard.cli.fabric;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.railyard.base.text.Doc;
import org.railyard.base.text.TextColumns;
import org.railyard.cli.text.JsonOption;
import org.railyard.fabric.analysis.HopReasons;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric path}: the way from one end port to another, hop by hop. */
@Command(
        name = "path",
        description = {"Show the way from one end port to another: ports, SL, VLs.", "On a torus also why it goes so."},
        exitCodeOnExecutionException = FabricCommand.FAILED,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:packets arrive",
            "1:they do not",
            "2:a file cannot be read, an end port is not there, or the command line is wrong",
            "3:the engine refuses the fabric",
            FabricCommand.FAILED_TEXT
        })
final class PathCommand implements Callable<Integer> {
    private static final int LOST = 1;
    private static final int MAX_SL = 15;
    private static final int LEVEL_ONE = 8;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FabricSource source = new FabricSource();

    @Option(
            names = "--from",
            required = true,
            paramLabel = "A",
            description = "End port: node description, DESCRIPTION/PORT, GUID of port or node, or LID. A switch stands"
                    + " for its port 0.")
    private String from = "";

    @Option(names = "--to", required = true, paramLabel = "B", description = "End port, named likewise.")
    private String to = "";

    @Option(
            names = "--hint",
            paramLabel = "SL",
            defaultValue = "0",
            description = "SL that QoS policy or partition would give, 0 to 15. Default: ${DEFAULT-VALUE}.")
    private int hint;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        if (hint < 0 || hint > MAX_SL) {
            throw new ParameterException(spec.commandLine(), "--hint " + hint + ": expected 0 to " + MAX_SL);
        }
        return source.use(spec.commandLine().getErr(), this::show);
    }

    private int show(FabricSource.Loaded loaded, Routing routing) {
        if (hint >= LEVEL_ONE && loaded.oneLevelOnly().isPresent()) {
            throw new FabricInputException("--hint %d: %s; of dumps --sl N shows the path of one SL"
                    .formatted(hint, loaded.oneLevelOnly().get()));
        }
        Fabric fabric = loaded.fabric();
        EndPortFinder names = new EndPortFinder(fabric);
        int source = names.find(from);
        int target = names.find(to);
        if (source == target) {
            throw new FabricInputException("--from and --to are the same end port, " + fabric.portName(source)
                    + ": its packets to itself use no cable");
        }
        int fromLid = names.lid(from, source);
        int toLid = names.lid(to, target);
        int sl = routing.sls().sl(fromLid, toLid, hint);
        if (sl == PathSls.NO_SL) {
            spec.commandLine()
                    .getErr()
                    .println("railyard: there is no SL from %s to %s: no path record, no path"
                            .formatted(fabric.portName(source), fabric.portName(target)));
            return LOST;
        }
        TablePath path = TablePath.follow(fabric, routing, source, toLid, sl);
        json.print(
                spec.commandLine().getOut(), () -> lines(loaded, path, fromLid), () -> document(loaded, path, fromLid));
        return path.end() == TablePath.End.ARRIVED ? 0 : LOST;
    }

    private static Map<String, Object> document(FabricSource.Loaded loaded, TablePath path, int fromLid) {
        Fabric fabric = loaded.fabric();
        List<String> reasons = reasons(loaded, path);
        List<Object> hops = new ArrayList<>();
        for (int i = 0; i < path.hops().size(); i++) {
            TablePath.Hop hop = path.hops().get(i);
            int peer = fabric.peer(hop.port());
            Doc doc = new Doc()
                    .put("from", fabric.description(fabric.nodeOf(hop.port())))
                    .put("from_at", place(loaded, fabric.nodeOf(hop.port())))
                    .put("from_port", fabric.portNumber(hop.port()))
                    .put("to", fabric.description(fabric.nodeOf(peer)))
                    .put("to_at", place(loaded, fabric.nodeOf(peer)))
                    .put("to_port", fabric.portNumber(peer))
                    .put("vl", hop.vl());
            hops.add((reasons.isEmpty() ? doc : doc.put("why", reasons.get(i))).map());
        }
        return new Doc()
                .put("from", fabric.portName(path.source()))
                .put("from_lid", fromLid)
                .put("to", fabric.portName(fabric.portOfLid(path.destinationLid())))
                .put("to_lid", path.destinationLid())
                .put("sl", path.sl())
                .put("arrives", path.end() == TablePath.End.ARRIVED)
                .put("end", path.end().text())
                .put("hops", hops)
                .map();
    }

    /** Returns why each hop is taken; empty if coordinates are not known. */
    private static List<String> reasons(FabricSource.Loaded loaded, TablePath path) {
        return loaded.layout()
                .map(layout -> new HopReasons(loaded.fabric(), layout, loaded.order()).of(path))
                .orElse(List.of());
    }

    private static List<String> lines(FabricSource.Loaded loaded, TablePath path, int fromLid) {
        Fabric fabric = loaded.fabric();
        List<String> reasons = reasons(loaded, path);
        TextColumns table = new TextColumns("hop", "from", "at", "port", "to", "at", "port", "vl", "why");
        for (int i = 0; i < path.hops().size(); i++) {
            TablePath.Hop hop = path.hops().get(i);
            int peer = fabric.peer(hop.port());
            table.add(
                    i + 1,
                    fabric.description(fabric.nodeOf(hop.port())),
                    place(loaded, fabric.nodeOf(hop.port())),
                    fabric.portNumber(hop.port()),
                    fabric.description(fabric.nodeOf(peer)),
                    place(loaded, fabric.nodeOf(peer)),
                    fabric.portNumber(peer),
                    hop.vl(),
                    reasons.isEmpty() ? "" : reasons.get(i));
        }
        List<String> lines = new ArrayList<>();
        lines.add("%s (LID %d) to %s (LID %d): SL %d, %s"
                .formatted(
                        fabric.portName(path.source()),
                        fromLid,
                        fabric.portName(fabric.portOfLid(path.destinationLid())),
                        path.destinationLid(),
                        path.sl(),
                        path.end().text()));
        lines.addAll(table.lines());
        return lines;
    }

    private static String place(FabricSource.Loaded loaded, int node) {
        int position = loaded.fabric().isSwitch(node)
                ? loaded.layout().map(layout -> layout.positionOf(node)).orElse(TorusLayout.NONE)
                : TorusLayout.NONE;
        return position == TorusLayout.NONE
                ? ""
                : loaded.layout().map(layout -> layout.shape().name(position)).orElse("");
    }
}
