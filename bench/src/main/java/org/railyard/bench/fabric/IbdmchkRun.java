package org.railyard.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.railyard.bench.compare.LimitedRun;
import org.railyard.bench.peer.ExternalTool;
import org.railyard.fabric.format.DumpFiles;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TextSink;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;

/** Lets ibdmchk check the tables of a torus; reading its files counts, because it does nothing else with them. */
final class IbdmchkRun {
    private static final String CLEAN = "-I- no credit loops found";
    private static final List<String> COMMAND = List.of(
            "ibdmchk",
            "-s",
            "opensm-subnet.lst",
            "-f",
            "opensm.fdbs",
            "-m",
            "opensm.mcfdbs",
            "-c",
            "ibdm.psl",
            "-d",
            "ibdm.slvl");

    private IbdmchkRun() {}

    /** Returns what is missing to run it; empty if nothing is. */
    static Optional<String> missing() {
        return ExternalTool.isInstalled("ibdmchk") ? Optional.empty() : Optional.of("no ibdmchk (Debian: ibutils)");
    }

    /**
     * Runs.
     *
     * @return microseconds from start to end; nothing if there was no verdict in time, or the program is missing
     */
    static Optional<Long> of(FabricCase torus, Path directory, long limitSeconds)
            throws IOException, InterruptedException {
        if (missing().isPresent()) {
            return Optional.empty();
        }
        Fabric fabric = torus.fabric();
        Routing routing = ProvenRouting.by(new TorusEngine(torus.conf(), TorusOptions.DEFAULT))
                .tables(fabric, List.of())
                .orThrow()
                .routing();
        SubnetList subnet = new SubnetList(fabric, fabric.portOfLid(1));
        for (Map.Entry<String, Consumer<TextSink>> file :
                DumpFiles.of(subnet, routing, Optional.empty()).entrySet()) {
            Files.writeString(
                    directory.resolve(file.getKey()), TextSink.collect(file.getValue()), StandardCharsets.US_ASCII);
        }
        return LimitedRun.of(COMMAND, directory, limitSeconds)
                .filter(run -> run.output().contains(CLEAN))
                .map(LimitedRun::micros);
    }
}
