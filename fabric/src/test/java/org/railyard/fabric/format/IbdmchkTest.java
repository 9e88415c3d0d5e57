package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Program;
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
        return Program.of("ibdmchk", "-s", "subnet", "-f", "fdbs", "-m", "mcfdbs", "-c", "psl", "-d", "slvl")
                .in(directory)
                .output();
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

    /**
     * Tables of ours, of a whole torus and of one with a missing switch, whose detours need the third VL. The tool does
     * look at SLs and VLs: with one SL for all paths, or one VL for all SLs, the same tables have a loop.
     */
    @ParameterizedTest
    @CsvSource({"5, 4, 3, false", "5, 6, 1, false", "5, 6, 1, true", "4, 3, 5, true"})
    @Requirement("t2q-030")
    void agreesOnOurTables(int x, int y, int z, boolean withHole) throws Exception {
        SampleTorus torus = SampleTorus.torus(x, y, z, 1);
        if (withHole) {
            torus = torus.without(Set.of(new Position(2, 1, 0)), Set.of());
        }
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing ours = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT))
                .tables(fabric, List.of())
                .orThrow()
                .routing();
        assertThat(ibdmchk(fabric, ours)).contains(CLEAN).doesNotContain(LOOP);
        Routing oneSl =
                new Routing("SL 0", ours.forwarding(), PathSls.constant(0), ours.slToVl(), ours.multicast(), List.of());
        assertThat(ibdmchk(fabric, oneSl)).contains(LOOP).doesNotContain(CLEAN);
    }

    /** A CA whose ports have different SLs: blocks of its ports stand beside lines of other nodes. */
    @Test
    void readsBlocksOfPortsBesideLinesOfNodes() throws Exception {
        SampleTorus plan = SampleTorus.torus(5, 5, 1, 1);
        Fabric single = plan.fabric();
        String first = "H-%016x".formatted(single.guid(single.switchCount()));
        String other = "H-%016x".formatted(single.guid(single.switchCount() + 12));
        String text = NetFile.of(single).text();
        int from = text.indexOf("\nCa 1 \"" + other);
        String cable = text.substring(text.indexOf("[1] ", from), text.indexOf('\n', text.indexOf("[1] ", from)));
        int end = text.indexOf("\n\n", from);
        String twoPorts = (text.substring(0, from) + text.substring(end < 0 ? text.length() : end))
                .replaceAll("(?m)^(ca|switch)guid=.*\n", "")
                .replace("\"" + other + "\"[1]", "\"" + first + "\"[2]")
                .replaceFirst("Ca 1 (\"" + first + "\".*\n)", "Ca 2 $1" + cable.replace("[1] ", "[2] ") + "\n");
        Fabric fabric = FreshLids.assign(NetFile.parse(twoPorts).fabric(), Fabric.NONE);
        Routing routing = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT))
                .tables(fabric, List.of())
                .orThrow()
                .routing();
        assertThat(PathSlFile.text(fabric, routing.sls(), 0)).contains("Channel Adapter 0x", "0x0000000000100");
        assertThat(ibdmchk(fabric, routing)).contains(CLEAN).doesNotContain(LOOP);
        Routing oneSl = new Routing(
                "SL 0", routing.forwarding(), PathSls.constant(0), routing.slToVl(), routing.multicast(), List.of());
        assertThat(ibdmchk(fabric, oneSl)).contains(LOOP).doesNotContain(CLEAN);
    }
}
