package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.Main;
import org.railyard.testkit.Requirement;

/** {@code fabric route}: what it writes can be verified, what it refuses leaves nothing behind. */
class RouteCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), words);
    }

    private String at(String name) {
        return dir.resolve(name).toString();
    }

    /** Routes a fabric as its conf file says, into a folder. */
    private int route(String name, String folder, String... more) {
        return engine("torus-2qos", name, folder, with(more, "--conf", at(name + ".conf")));
    }

    /** Routes a fabric with an engine, into a folder. */
    private int engine(String engine, String name, String folder, String... more) {
        return run(with(more, "fabric", "route", at(name + ".net"), "--engine", engine, "--out", at(folder)));
    }

    private static String[] with(String[] more, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    @BeforeEach
    void aTorusWithoutOneSwitch() {
        assertThat(run(
                        "fabric",
                        "generate",
                        "torus",
                        "4x3x3",
                        "--hosts",
                        "2",
                        "--without",
                        "1,1,1",
                        "--out",
                        at("t.net"),
                        "--conf",
                        at("t.conf")))
                .isZero();
    }

    private String[] names() throws IOException {
        try (Stream<Path> entries = Files.list(dir)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toArray(String[]::new);
        }
    }

    @Test
    void whatIsRoutedIsProvedAndVerifies() throws IOException {
        assertThat(run("fabric", "route", at("t.net"), "--conf", at("t.conf"), "--out", at("tables")))
                .as(err.toString())
                .isZero();
        assertThat(dir.resolve("tables"))
                .isDirectoryContaining("glob:**/{guid2lid,ibdm.psl,ibdm.slvl,opensm-torus.dump}");
        assertThat(out.toString()).contains("verdict: clean", "missing switch at (1,1,1)");
        assertThat(run("fabric", "verify", at("tables"))).isZero();
        assertThat(names()).containsExactly("t.conf", "t.net", "tables");
    }

    @Test
    void lidsAreTakenFromAFile() throws IOException {
        assertThat(route("t", "one")).isZero();
        assertThat(route("t", "two", "--guid2lid", at("one/guid2lid"))).isZero();
        assertThat(dir.resolve("two/opensm-lfts.dump")).hasSameTextualContentAs(dir.resolve("one/opensm-lfts.dump"));
    }

    @Test
    void dimensionOrderOnATorusIsRefusedByTheProof() throws IOException {
        assertThat(run("fabric", "generate", "torus", "5x5", "--out", at("ring.net")))
                .isZero();
        assertThat(engine("dor", "ring", "tables")).isEqualTo(3);
        assertThat(out.toString()).contains("credit loop");
        assertThat(err.toString()).contains("not proved");
        assertThat(names()).doesNotContain("tables");
        assertThat(engine("up-down", "ring", "tables")).isZero();
    }

    @Test
    void aConfOfAnotherFabricIsRefused() throws IOException {
        Files.writeString(dir.resolve("other.conf"), "torus 7 7 7\n");
        assertThat(engine("torus-2qos", "t", "tables", "--conf", at("other.conf")))
                .isIn(2, 3);
        assertThat(err.toString()).isNotBlank();
        assertThat(names()).doesNotContain("tables");
    }

    @Test
    void withoutADirectoryNothingIsWritten() throws IOException {
        String[] before = names();
        assertThat(run("fabric", "route", at("t.net"), "--conf", at("t.conf"))).isZero();
        assertThat(out.toString()).contains("verdict: clean").doesNotContain("written");
        assertThat(run("fabric", "route", at("t.net"), "--conf", at("t.conf"), "--json"))
                .isZero();
        assertThat(out.toString()).contains("\"verdict\"", "\"warnings\"").doesNotContain("written");
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        Files.createDirectory(dir.resolve("mine"));
        Files.writeString(dir.resolve("mine/file"), "mine");
        assertThat(route("t", "mine")).isEqualTo(2);
        assertThat(err.toString()).contains("is not empty");
        assertThat(dir.resolve("mine/file")).hasContent("mine");
    }

    @Test
    @Requirement({"t2q-039", "t2q-040"})
    void theEngineIsChosenByItsNameAndReadsItsOwnFile() throws IOException {
        assertThat(route("t", "torus")).isZero();
        assertThat(out.toString()).contains("looking for a 4 x 3 x 3 torus");
        assertThat(dir.resolve("torus/opensm-torus.dump")).isNotEmptyFile();
        Files.writeString(
                dir.resolve("mesh.conf"),
                Files.readString(dir.resolve("t.conf")).replace("torus 4 3 3", "torus 4 3m 3"));
        assertThat(engine("torus-2qos", "t", "mesh", "--conf", at("mesh.conf"))).isEqualTo(3);
        assertThat(engine("up-down", "t", "trees")).isZero();
        assertThat(dir.resolve("trees/opensm-torus.dump")).doesNotExist();
        assertThat(dir.resolve("trees/opensm-lfts.dump"))
                .content()
                .isNotEqualTo(Files.readString(dir.resolve("torus/opensm-lfts.dump")));
    }

    @Test
    @Requirement("t2q-039")
    void wrongWordsSayWhatWasExpected() {
        assertThat(run("fabric", "route", at("t.net"), "--out", at("x"))).isEqualTo(2);
        assertThat(err.toString()).contains("--conf FILE");
        assertThat(engine("lash", "t", "x")).isEqualTo(2);
        assertThat(err.toString())
                .contains("expected torus-2qos, opensm-torus, min-hop, dor, up-down, nue, layered or ftree");
        assertThat(engine("torus-2qos", "none", "x", "--conf", at("t.conf"))).isEqualTo(2);
        assertThat(err.toString()).contains("no such file");
    }

    @Test
    @Requirement({"t2q-032", "t2q-033", "t2q-040"})
    void groupsAreRoutedAndProved() throws IOException {
        Files.writeString(dir.resolve("groups"), "# two groups\n0xC000=all\n0xC001/8 = H-0.0.0.0, H-2.2.2.1\n");
        assertThat(route("t", "tables", "--groups", at("groups"), "--group", "0xC001/8=S-3.0.0"))
                .as(err.toString())
                .isZero();
        assertThat(Files.readString(dir.resolve("tables/opensm.mcfdbs"))).contains("0xC000 :", "0xC001 :");
        assertThat(run("fabric", "verify", at("tables"), "--multicast-sl", "0xC001=8"))
                .isZero();
        for (String wrong : new String[] {"0xC000/3=all", "0xC001=H-0.0.0.0", "0xB000=all", "0xC000=H-9.9.9.9"}) {
            assertThat(route("t", "other", "--groups", at("groups"), "--group", wrong))
                    .as(wrong)
                    .isIn(2, 3);
        }
        assertThat(err.toString())
                .contains("has SL 0 and SL 3", "has SL 8 and SL 0", "expected MLID[/SL]=MEMBERS", "member H-9.9.9.9");
    }

    @Test
    void rootsAreReadFromAFile() throws IOException {
        Files.writeString(dir.resolve("roots"), "# roots\n0x200003 the best\n");
        assertThat(engine("up-down", "t", "tables", "--roots", at("roots"))).isZero();
        Files.writeString(dir.resolve("roots"), "0x77\n");
        assertThat(engine("up-down", "t", "none", "--roots", at("roots"))).isEqualTo(3);
        assertThat(err.toString()).contains("no root GUID is that of a switch");
    }

    @Test
    void theFormOfIbnetdiscoverIsReadLikeANetFile() throws IOException {
        assertThat(run("fabric", "generate", "torus", "4x3", "--format", "ibnetdiscover", "--out", at("d")))
                .isZero();
        assertThat(Files.readString(dir.resolve("d"))).contains("base port 0 lid");
        assertThat(run("fabric", "route", at("d"), "--engine", "up-down", "--out", at("tables")))
                .isZero();
        assertThat(run("fabric", "generate", "torus", "4x3", "--format", "xml")).isEqualTo(2);
        assertThat(run("fabric", "generate", "torus", "4x3", "--seeds", "0")).isEqualTo(2);
    }

    @Test
    void whatCannotBeGeneratedIsRefused() {
        for (String cut : new String[] {"0,0:2,2", "0,0:0,0", "0,0:0,2", "1,1:1,2", "0,0:4,0"}) {
            assertThat(run("fabric", "generate", "torus", "5x5", "--open", "x", "--without", "1,1", "--cut", cut))
                    .as(cut)
                    .isEqualTo(2);
            assertThat(err.toString()).contains("no cable joins " + cut.charAt(0) + '.' + cut.charAt(2) + ".0 and ");
        }
        assertThat(run("fabric", "generate", "torus", "5x5", "--open", "x", "--cut", "0,0:0,4", "--out", at("cut.net")))
                .as("the ring of y closes")
                .isZero();
        assertThat(run("fabric", "generate", "torus", "5x5", "--seeds", "200", "--conf", at("x.conf")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("200 seeds: there are ", " at most with no switch in common");
        assertThat(run("fabric", "generate", "torus", "1x1", "--conf", at("x.conf")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("one switch has no neighbour");
        assertThat(run("fabric", "generate", "torus", "5x5", "--hosts", "-1")).isEqualTo(2);
        assertThat(err.toString()).contains("--hosts -1: expected 0 to 254");
        assertThat(dir.resolve("x.conf")).doesNotExist();
    }

    @Test
    void aConfigurationFullOfErrorsIsToldInAFewLines() throws IOException {
        Files.writeString(dir.resolve("bad.conf"), "nonsense\n".repeat(100));
        assertThat(engine("torus-2qos", "t", "x", "--conf", at("bad.conf"))).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(11)
                .filteredOn(line -> line.contains("xp_link"))
                .hasSize(1);
        assertThat(err.toString()).contains("bad.conf: at least 90 more errors");
    }

    @Test
    void packedDirectoriesAreReadAsWell() throws IOException {
        assertThat(route("t", "packed", "--gzip")).isZero();
        assertThat(dir.resolve("packed"))
                .isDirectoryContaining("glob:**/opensm-lfts.dump.gz")
                .isDirectoryNotContaining("glob:**/opensm-lfts.dump");
        assertThat(route("t", "plain")).isZero();
        assertThat(run("fabric", "verify", at("packed"))).isZero();
        assertThat(run("fabric", "diff", at("packed"), at("plain"))).isZero();
        assertThat(run("fabric", "verify", at("packed"), "--tables", at("packed/opensm.fdbs.gz")))
                .isZero();
    }

    @Test
    void packingNeedsADirectory() {
        assertThat(run("fabric", "route", at("t.net"), "--conf", at("t.conf"), "--gzip"))
                .isEqualTo(2);
        assertThat(err.toString()).startsWith("railyard: --out is missing; see 'railyard fabric route --help'");
        err.getBuffer().setLength(0);
        assertThat(run("fabric", "show", "--live", "--gzip")).isEqualTo(2);
        assertThat(err.toString()).startsWith("railyard: --out is missing; see 'railyard fabric show --help'");
    }

    @Test
    @Requirement("t2q-042")
    void aRefusedTorusIsNotLeftToAnotherEngine() throws IOException {
        assertThat(run(
                        "fabric",
                        "generate",
                        "torus",
                        "5x5",
                        "--cut",
                        "0,0:1,0",
                        "--cut",
                        "2,0:3,0",
                        "--out",
                        at("cut.net"),
                        "--conf",
                        at("cut.conf")))
                .isZero();
        assertThat(route("cut", "tables")).isEqualTo(3);
        assertThat(err.toString()).contains("torus-2QoS refuses this fabric", "routable again with");
        assertThat(names()).doesNotContain("tables");
    }

    /** With up-down, the LIDs of a port have entries of their own. */
    @Test
    void thePathToALidIsThatOfItsOwnEntries() {
        assertThat(engine("up-down", "t", "tables", "--lmc", "1"))
                .as(err.toString())
                .isZero();
        Set<String> hops = new TreeSet<>();
        for (String lid : List.of("0x4a", "0x4b")) {
            out.getBuffer().setLength(0);
            assertThat(run("fabric", "path", at("tables"), "--from", "0x03", "--to", lid))
                    .isZero();
            String[] told = out.toString().split("\n", 2);
            assertThat(told[0]).contains("(LID 3) to ", "(LID " + Integer.decode(lid) + ")");
            hops.add(told[1]);
        }
        assertThat(hops).hasSize(2);
    }
}
