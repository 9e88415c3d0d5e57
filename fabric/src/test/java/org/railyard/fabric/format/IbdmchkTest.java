package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/** ibdmchk reads what we write and comes to our verdict on unicast. It writes its reports where only root may. */
@NeedsRoot
@NeedsCommand("ibdmchk")
final class IbdmchkTest {
    private static final String CLEAN = "-I- no credit loops found";
    private static final String LOOP = "-E- credit loops in routing";

    @TempDir
    private Path directory = Path.of("");

    /** Its verdict is in the text only: it dies after printing it, loops or not. */
    private String ibdmchk(Fabric fabric, Routing routing) throws IOException, InterruptedException {
        write("subnet", new SubnetList(fabric, fabric.portOfLid(1)).text());
        write("fdbs", UnicastDump.text(fabric, routing.forwarding()));
        write("mcfdbs", MulticastDump.text(fabric, routing.multicast()));
        write("psl", PathSlFile.text(fabric, routing.sls(), 0));
        write("slvl", SlVlFile.text(fabric, routing.slToVl()));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        "ibdmchk", "-s", "subnet", "-f", "fdbs", "-m", "mcfdbs", "-c", "psl", "-d", "slvl")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardCharsets.US_ASCII);
    }

    @Test
    void agreesOnOurEngines() throws Exception {
        Fabric fabric = FreshLids.assign(SampleTorus.torus(5, 3, 1, 1).fabric(), Fabric.NONE);
        Routing upDown = (Routing) new UpDownEngine(List.of()).route(fabric, EngineOptions.DEFAULT);
        assertThat(ibdmchk(fabric, upDown)).contains(CLEAN).doesNotContain(LOOP);
        Routing dor = (Routing) new DorEngine().route(fabric, EngineOptions.DEFAULT);
        assertThat(ibdmchk(fabric, dor)).contains(LOOP).doesNotContain(CLEAN);
    }

    @Test
    @Requirement("t2q-030")
    void agreesOnTorusTwoQos() throws Exception {
        Golden golden = new Golden("t3d-4x4x4");
        assertThat(ibdmchk(golden.fabric(), golden.routing())).contains(CLEAN).doesNotContain(LOOP);
        Golden twoVls = new Golden("t2d-5x6-1sw-vl2");
        assertThat(ibdmchk(twoVls.fabric(), twoVls.routing())).contains(LOOP).doesNotContain(CLEAN);
    }
}
