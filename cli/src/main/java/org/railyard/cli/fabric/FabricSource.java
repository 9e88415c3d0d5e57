package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.torus.DimensionOrder;
import org.railyard.fabric.torus.Placement;
import org.railyard.fabric.torus.TorusConf;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.TorusPlan;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tables to look at: of a directory of dumps, or made by an engine for a topology. */
final class FabricSource {
    @Parameters(
            paramLabel = "SOURCE",
            description = "Directory with dumps, as verify reads them; or a topology, which is then routed: ibsim net"
                    + " file, ibnetdiscover output or opensm-subnet.lst.")
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
     * @param layout where switches stand, if it is known to be a torus
     * @param order what torus-2QoS would do, if its configuration is known
     */
    record Loaded(Fabric fabric, RoutingResult result, Optional<TorusLayout> layout, Optional<DimensionOrder> order) {}

    /**
     * Loads, and does something with the tables; returns the exit code: 2 for a file that can not be read, 3 if the engine refuses the fabric.
     *
     * @param err hears what is wrong
     */
    int use(PrintWriter err, Use use) throws IOException {
        try {
            Loaded loaded = load();
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
        return Files.isDirectory(source) ? dumps() : topology();
    }

    private Loaded topology() {
        Fabric fabric = engine.fabric(source);
        EngineChoice.Routed routed = engine.route(fabric, groups.of(fabric));
        Optional<TorusLayout> layout = routed.plan()
                .map(TorusPlan::placement)
                .or(() -> engine.torusConf().flatMap(conf -> place(fabric, conf)))
                .map(placement -> TorusLayout.of(fabric, placement));
        return new Loaded(fabric, routed.result(), layout, routed.plan().map(TorusPlan::order));
    }

    private Loaded dumps() {
        RoutingFiles files = new RoutingFiles(source, sl, pathSl, engine.confFile(), multicastSls);
        Fabric fabric = files.fabric();
        Optional<Placement> placed = engine.torusConf().flatMap(conf -> place(fabric, conf));
        return new Loaded(
                fabric,
                files.routing(fabric),
                written(fabric).or(() -> placed.map(placement -> TorusLayout.of(fabric, placement))),
                placed.map(placement -> TorusOptions.LIKE_OPENSM.order(placement.grid())));
    }

    private static Optional<Placement> place(Fabric fabric, TorusConf conf) {
        return new TorusEngine(conf, TorusOptions.DEFAULT).place(fabric);
    }

    private Optional<TorusLayout> written(Fabric fabric) {
        Optional<Path> file = TextFile.find(source, "opensm-torus.dump");
        try {
            return file.map(path -> TorusLayout.of(fabric, TextFile.parse(path, TorusDump::parse)));
        } catch (FabricException e) {
            throw new FabricInputException(file.orElse(source) + ": " + e.getMessage(), e);
        }
    }
}
