package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The engine that a command routes with, and the LIDs: options that several commands have. */
final class EngineChoice extends RoutingChoice {

    @Option(
            names = "--guid2lid",
            paramLabel = "FILE",
            description = "LIDs to use. Default: those of the topology, else those of a fabric that was never seen.")
    private @Nullable Path guid2lid;

    @Option(
            names = "--lmc",
            paramLabel = "N",
            defaultValue = "0",
            description = "Fresh LIDs: 2^N for each port of a CA or router, as opensm -l. Default: ${DEFAULT-VALUE}.")
    private int lmc;

    @Option(
            names = "--sm",
            paramLabel = "PORT",
            description =
                    "End port of the subnet manager, which gets the first of fresh LIDs. Default: the one that the"
                            + " topology names, else the first host.")
    private @Nullable String sm;

    /** Reads a topology and gives it LIDs. */
    Fabric fabric(Path topology) {
        return subnet(topology).fabric();
    }

    /**
     * Reads a topology, gives it LIDs, and tells which end port runs the subnet manager: that of {@code --sm}, else the
     * one that the topology names, else the first host.
     */
    SubnetList subnet(Path topology) {
        SubnetList read = Topology.readWithManager(topology, warnings());
        Fabric fabric = withLids(topology, read.fabric());
        String manager = sm;
        if (manager != null) {
            return new SubnetList(fabric, new EndPortFinder(fabric).find(manager));
        }
        return new SubnetList(fabric, read.smPort() == Fabric.NONE ? FreshLids.firstEndPort(fabric) : read.smPort());
    }

    private Fabric withLids(Path topology, Fabric fabric) {
        Path table = guid2lid;
        try {
            if (lmc < 0 || lmc > Lids.MAX_LMC) {
                throw new ParameterException(
                        spec().commandLine(), "--lmc %d: expected 0 to %d".formatted(lmc, Lids.MAX_LMC));
            }
            Map<Long, Guid2Lid.Range> fixed =
                    table == null ? Map.of() : Topology.lids(table).ranges();
            String manager = sm;
            boolean keep = table == null && manager == null && lmc == 0 && fabric.maxLid() != 0;
            LidSettings settings = new LidSettings(fixed, keep, lmc, Fabric.NONE);
            Fabric numbered = settings.assign(fabric).fabric();
            return manager == null
                    ? numbered
                    : new LidSettings(fixed, keep, lmc, new EndPortFinder(numbered).find(manager))
                            .assign(fabric)
                            .fabric();
        } catch (FabricException e) {
            throw new FabricInputException(TextFile.name(table == null ? topology : table) + ": " + e.getMessage(), e);
        }
    }

    /** Returns the file of {@code --guid2lid}, or null. */
    @Nullable
    Path lidFile() {
        return guid2lid;
    }
}
