package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.sample.SampleTorus;
import picocli.CommandLine;

final class FabricCommandsTest {
    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(FabricCommand.of(List.of()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardCharsets.US_ASCII);
    }

    private void dump(RoutingEngine engine) throws IOException {
        Fabric fabric = FreshLids.assign(SampleTorus.torus(5, 3, 1, 1).fabric(), Fabric.NONE);
        Routing routing = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
        write("opensm-subnet.lst", new SubnetList(fabric, Fabric.NONE).text());
        write("opensm-lfts.dump", LftsDump.text(fabric, routing.forwarding()));
        write("ibdm.psl", PathSlFile.text(fabric, routing.sls(), 0));
        try (OutputStream packed =
                new GZIPOutputStream(Files.newOutputStream(directory.resolve("opensm-sl2vl.dump.gz")))) {
            packed.write(Sl2VlDump.text(fabric, routing.slToVl()).getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void verifyFindsNoLoopAndWritesTheProof() throws IOException {
        dump(new UpDownEngine(List.of()));
        assertThat(run("verify", directory.toString(), "--certificate", file("proof")))
                .isZero();
        assertThat(out.toString()).contains("verdict: clean");
        assertThat(Files.readString(directory.resolve("proof")).lines())
                .hasSizeGreaterThan(10)
                .allMatch(line -> line.startsWith("#") || line.matches("0x[0-9a-f]{16} \\d+ \\d+ \\d+"));
    }

    @Test
    void verifyShowsALoop() throws IOException {
        dump(new DorEngine());
        assertThat(run("verify", directory.toString(), "--sl", "0", "--certificate", file("proof")))
                .isEqualTo(1);
        assertThat(out.toString()).contains("credit loop: 5 channels").contains("verdict: credit loop");
        assertThat(directory.resolve("proof")).doesNotExist();
    }

    @Test
    void verifyNeverCallsCleanWhatItCouldNotCheck() throws IOException {
        dump(new UpDownEngine(List.of()));
        String tables = Files.readString(directory.resolve("opensm-lfts.dump"));
        write("opensm-lfts.dump", tables.replaceFirst("(?m)^0x0001 .*$", ""));
        assertThat(run("verify", directory.toString())).isEqualTo(2);
        assertThat(out.toString()).contains("unreachable: no route from").doesNotContain("clean");
    }

    @Test
    void verifyNamesWhatIsMissingOrDamaged() throws IOException {
        dump(new UpDownEngine(List.of()));
        Files.delete(directory.resolve("ibdm.psl"));
        assertThat(run("verify", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("SLs of paths are missing: no ibdm.psl in");
        write("opensm-lfts.dump", "Unicast lids [0-3] of switch Lid 2 guid 0x200000 ('a'):\n0x0001 77\n");
        assertThat(run("verify", directory.toString(), "--sl", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("opensm-lfts.dump:2:8: found \"77\", expected port");
        assertThat(run("verify", file("nowhere"))).isEqualTo(2);
        assertThat(run("verify", file("opensm-subnet.lst"))).isEqualTo(2);
        assertThat(err.toString()).contains("opensm-subnet.lst: is a file, not a directory with dumps");
        assertThat(run("verify")).isEqualTo(2);
    }

    @Test
    void generateAndShow() {
        assertThat(run("generate", "torus", "5x5", "--without", "4,2", "--out", file("net"), "--conf", file("conf")))
                .isZero();
        assertThat(directory.resolve("conf"))
                .hasContent("torus 5 5 1\nxp_link 0x200000 0x200005\nyp_link 0x200000 0x200001\n");
        assertThat(run("show", file("net"))).isZero();
        assertThat(out.toString().lines().map(String::strip))
                .contains(
                        "switches: 24, CAs: 24, routers: 0, ports of CAs and routers in use: 24",
                        "cables: 46 between switches, 24 to CAs and routers, 0 down",
                        "pieces: 1",
                        "odd parts: 4",
                        "S-0.2.0 has 3 neighbours, most have 4");
    }

    @Test
    void generateKnowsWhereTheSeedIs() throws IOException {
        assertThat(run("generate", "torus", "4x3x1", "--without", "0,0,0", "--conf", file("conf")))
                .isZero();
        assertThat(out.toString()).contains("caguid=0x100010\nCa 1 \"H-0000000000100010\"");
        assertThat(Files.readString(directory.resolve("conf"))).isEqualTo("""
            torus 4 3 1
            xp_link 0x200001 0x200004
            xm_link 0x200001 0x20000a
            yp_link 0x200001 0x200002
            y_dateline -1
            """);
    }

    @Test
    void wrongCommandLinesAreRefused() {
        for (String[] line : List.of(
                new String[] {"generate", "torus", "4by4"},
                new String[] {"generate", "torus", "4x4", "--without", "4,0,0"},
                new String[] {"generate", "torus", "4x4", "--cut", "0,0,0"},
                new String[] {"generate", "torus", "4x4", "--open", "w"},
                new String[] {"generate", "torus", "4x0"},
                new String[] {"generate", "torus", "64x64x64"},
                new String[] {"generate", "torus", "4x4", "--hosts", "300"},
                new String[] {"generate"},
                new String[] {"show", file("missing")},
                new String[] {})) {
            assertThat(run(line)).as(String.join(" ", line)).isEqualTo(2);
        }
        assertThat(err.toString().toLowerCase(Locale.ROOT))
                .contains("no such file")
                .contains("expected a shape");
    }

    @Test
    void showSeesWhatIsOdd() throws IOException {
        Set<Integer> nothingOpen = Set.of();
        Fabric fabric = new SampleTorus(List.of(4, 4, 1), nothingOpen, 2, 2, Set.of(), Set.of()).fabric();
        write("net", NetFile.of(fabric).text());
        assertThat(run("show", file("net"))).isZero();
        assertThat(out.toString())
                .contains("cables per pair of neighbours: 2 (32×)")
                .contains("odd parts: none");
    }
}
