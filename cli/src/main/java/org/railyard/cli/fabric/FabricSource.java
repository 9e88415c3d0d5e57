package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proven.Computed;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.placement.Placement;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tables to look at: of a directory of dumps, or made by an engine for a topology. */
final class FabricSource {
    @Parameters(
            paramLabel = "SOURCE",
            description = "Directory with dumps, as verify reads them; or a topology, which is then routed: "
                    + Topology.FORMS + "; - for standard input.")
    private Path source = Path.of("");

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private GroupOptions groups = new GroupOptions();

    @Option(names = "--path-sl", paramLabel = "FILE", description = "Dumps: SLs, in place of DIR/ibdm.psl.")
    private @Nullable Path pathSl;

    @Option(names = "--sl", paramLabel = "N", description = "Dumps: the same SL for every path.")
    private @Nullable Integer sl;

    @Option(
            names = "--multicast-sl",
            paramLabel = "MLID=N",
            description = "Dumps: SL of a multicast group, such as 0xC000=8; may be repeated. Default: 0.")
    private Map<String, Integer> multicastSls = new TreeMap<>();

    @Option(
            names = "--tables",
            paramLabel = "DIR",
            description = "Dumps with the tables for the topology SOURCE; no engine routes it.")
    private @Nullable Path tables;

    private static final int BROADCAST_MLID = 0xC000;
    private static final int UNUSABLE = 2;
    private static final int REFUSED = 3;

    /** What is done with a fabric that has tables. */
    @FunctionalInterface
    interface Use {
        /** Does it; returns the exit code. */
        int with(Loaded loaded, Routing routing) throws IOException;
    }

    /**
     * What there is to look at.
     *
     * @param fabric the fabric, with LIDs
     * @param result its tables, or why the engine made none
     * @param layout coordinates of switches, if it is known to be a torus
     * @param order what torus-2QoS would do, if its configuration is known
     * @param oneLevelOnly why paths have SLs of one QoS level only; empty if they have two
     */
    record Loaded(
            Fabric fabric,
            RoutingResult result,
            Optional<TorusLayout> layout,
            Optional<DimensionOrder> order,
            Optional<String> oneLevelOnly) {}

    /**
     * Loads, and does something with the tables; returns the exit code: 2 for a file that can not be read, 3 if the
     * engine refuses the fabric.
     *
     * @param err hears what is wrong
     */
    int use(PrintWriter err, Use use) throws IOException {
        return use(err, false, use);
    }

    /** The same; see {@link #load(boolean)}. */
    int use(PrintWriter err, boolean groupOfAll, Use use) throws IOException {
        try {
            Loaded loaded = load(groupOfAll);
            return switch (loaded.result()) {
                case Refusal refusal -> {
                    CheckText.print(refusal, err);
                    yield REFUSED;
                }
                case Routing routing -> use.with(loaded, routing);
            };
        } catch (FabricInputException e) {
            e.print(err);
            return UNUSABLE;
        }
    }

    /**
     * Reads, and routes where there are no tables.
     *
     * @throws FabricInputException if a file cannot be read or used
     */
    Loaded load() {
        return load(false);
    }

    /**
     * The same; if no multicast group is named, and {@code groupOfAll}, all hosts are in one where an engine routes.
     *
     * @throws FabricInputException if a file cannot be read or used
     */
    Loaded load(boolean groupOfAll) {
        Path directory = tables;
        if (directory != null) {
            if (isDirectory()) {
                throw new FabricInputException(
                        "--tables %s: %s is a directory with tables itself; name a topology, or leave --tables out"
                                .formatted(directory, source));
            }
            return dumps(directory, source);
        }
        return isDirectory() ? dumps(source, null) : topology(groupOfAll);
    }

    private boolean isDirectory() {
        return !TextFile.isStandardInput(source) && Files.isDirectory(source);
    }

    /**
     * Returns what routes what is left of a fabric when something fails; nothing if the engine has no configuration.
     */
    Optional<Function<Fabric, RoutingResult>> engine(Fabric whole, Routing routing) {
        if (!engine.canRoute()) {
            return Optional.empty();
        }
        List<MulticastGroup> members = new ArrayList<>();
        for (int mlid : routing.multicast().mlids()) {
            MulticastTables.Tree tree = routing.multicast().tree(mlid);
            if (tree != null) {
                members.add(new MulticastGroup(mlid, tree.sl(), members(whole, tree)));
            }
        }
        ProvenRouting again = engine.routing();
        return Optional.of(left -> again.tables(left, members).result());
    }

    private static List<Integer> members(Fabric fabric, MulticastTables.Tree tree) {
        List<Integer> members = new ArrayList<>();
        for (int port : new EndPortFinder(fabric).hosts()) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE
                    && fabric.isSwitch(fabric.nodeOf(far))
                    && tree.ports(fabric.nodeOf(far)).contains(fabric.portNumber(far))) {
                members.add(port);
            }
        }
        return members;
    }

    private Loaded topology(boolean groupOfAll) {
        Fabric fabric = engine.fabric(source);
        List<MulticastGroup> named = groups.of(fabric);
        if (named.isEmpty() && groupOfAll) {
            named = List.of(new MulticastGroup(BROADCAST_MLID, 0, new EndPortFinder(fabric).hosts()));
        }
        Computed computed = engine.routing().tables(fabric, named);
        Optional<TorusPlan> plan = computed instanceof Tables tables ? tables.plan() : Optional.empty();
        Optional<TorusLayout> layout = plan.map(TorusPlan::placement)
                .or(() -> engine.torusConf().flatMap(conf -> place(fabric, conf)))
                .map(placement -> TorusLayout.of(fabric, placement));
        Optional<String> oneLevelOnly = computed.result() instanceof Routing routing
                        && routing.sls().levels() == 1
                ? Optional.of(routing.engine() + " gives SLs of one QoS level only on this fabric, with these options")
                : Optional.empty();
        return new Loaded(fabric, computed.result(), layout, plan.map(TorusPlan::order), oneLevelOnly);
    }

    private Loaded dumps(Path directory, @Nullable Path topology) {
        RoutingFiles files =
                new RoutingFiles(directory, topology, engine.lidFile(), sl, pathSl, engine.confFile(), multicastSls);
        Fabric fabric = files.fabric(engine.warnings());
        Optional<Placement> placed = engine.torusConf().flatMap(conf -> place(fabric, conf));
        Optional<TorusLayout> byConf = placed.map(placement -> TorusLayout.of(fabric, placement));
        Optional<TorusLayout> byDump = written(directory, fabric);
        int elsewhere = byConf.isEmpty() || byDump.isEmpty()
                ? TorusLayout.NONE
                : byDump.get().firstElsewhere(byConf.get());
        if (elsewhere != TorusLayout.NONE) {
            engine.warnings()
                    .accept(
                            "railyard: warning: %s has other coordinates in opensm-torus.dump than by %s, which is left out"
                                    .formatted(fabric.description(elsewhere), engine.confFile()));
        }
        Routing routing = files.routing(fabric);
        return new Loaded(
                fabric,
                routing,
                // The dump does not tell radices: switches at the end of a dimension may be missing.
                elsewhere == TorusLayout.NONE ? byConf.or(() -> byDump) : byDump,
                placed.filter(_ -> elsewhere == TorusLayout.NONE)
                        .map(placement -> TorusOptions.LIKE_OPENSM.order(placement.grid())),
                files.oneLevelOnly(routing.sls()));
    }

    private static Optional<Placement> place(Fabric fabric, TorusConf conf) {
        return new TorusEngine(conf, TorusOptions.DEFAULT).place(fabric);
    }

    private static Optional<TorusLayout> written(Path directory, Fabric fabric) {
        Optional<Path> file = TextFile.find(directory, "opensm-torus.dump");
        try {
            return file.map(path -> TorusLayout.of(
                    fabric,
                    TextFile.parse(path, "opensm-torus.dump: a switch with its position a line", TorusDump::parse)));
        } catch (FabricException e) {
            throw new FabricInputException(file.orElse(directory) + ": " + e.getMessage(), e);
        }
    }
}
