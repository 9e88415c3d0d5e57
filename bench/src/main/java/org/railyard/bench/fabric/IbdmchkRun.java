package org.railyard.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.SlVlFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.UnicastDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;

/** Lets ibdmchk check the tables of a torus; reading its files counts, because it does nothing else with them. */
final class IbdmchkRun {
    private static final String CLEAN = "-I- no credit loops found";

    private IbdmchkRun() {}

    /**
     * Runs.
     *
     * @return microseconds from start to end; nothing if there was no verdict in time
     */
    static Optional<Long> of(FabricCase torus, Path directory, long limitSeconds)
            throws IOException, InterruptedException {
        Fabric fabric = torus.fabric();
        Routing routing =
                (Routing) new TorusEngine(torus.conf(), TorusOptions.DEFAULT).route(fabric, EngineOptions.DEFAULT);
        write(directory, "subnet", new SubnetList(fabric, fabric.portOfLid(1)).text());
        write(directory, "fdbs", UnicastDump.text(fabric, routing.forwarding()));
        write(directory, "mcfdbs", MulticastDump.text(fabric, routing.multicast()));
        write(directory, "psl", PathSlFile.text(fabric, routing.sls(), 0));
        write(directory, "slvl", SlVlFile.text(fabric, routing.slToVl()));
        Path output = directory.resolve("ibdmchk");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(
                        List.of("ibdmchk", "-s", "subnet", "-f", "fdbs", "-m", "mcfdbs", "-c", "psl", "-d", "slvl"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(limitSeconds, TimeUnit.SECONDS);
        long micros = (System.nanoTime() - start) / 1000;
        process.destroyForcibly().waitFor();
        boolean clean = Files.readString(output, StandardCharsets.ISO_8859_1).contains(CLEAN);
        return ended && clean ? Optional.of(micros) : Optional.empty();
    }

    private static void write(Path directory, String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardCharsets.US_ASCII);
    }
}
