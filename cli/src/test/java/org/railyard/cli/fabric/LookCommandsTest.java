package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;

/** {@code fabric path}, {@code diff} and {@code draw}. */
class LookCommandsTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorusWithAMissingSwitch() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 6x5 --without 3,1 --hosts 2 --out @t.net --conf @t.conf"))
                .isZero();
    }

    private void route(String topology, String out) {
        assertThat(tool.run("route " + topology + " --conf @t.conf --group 0xC000=all --out " + out))
                .as(tool.err())
                .isZero();
    }

    @Test
    @Requirement({"t2q-026", "t2q-027"})
    void aPathIsExplainedHopByHop() {
        assertThat(tool.run("path @t.net --conf @t.conf --from H-1.1.0.0 --to H-3.3.0.1"))
                .isZero();
        assertThat(tool.out().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "H-1.1.0.0/1 (LID 76) to H-3.3.0.1/1 (LID 50): SL 0, arrives",
                        "hop from at port to at port vl why",
                        "1 H-1.1.0.0 1 S-1.1.0 (1,1,0) 1 0",
                        "2 S-1.1.0 (1,1,0) 4 S-2.1.0 (2,1,0) 3 0 +x, towards the missing turning switch",
                        "3 S-2.1.0 (2,1,0) 6 S-2.2.0 (2,2,0) 5 0 +y, early turn: no way on in an earlier dimension",
                        "4 S-2.2.0 (2,2,0) 4 S-3.2.0 (3,2,0) 3 2 +x, illegal turn back into an earlier dimension, on"
                                + " the turn VL",
                        "5 S-3.2.0 (3,2,0) 6 S-3.3.0 (3,3,0) 5 0 +y, done in x: short way round",
                        "6 S-3.3.0 (3,3,0) 2 H-3.3.0.1 1 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "ISO-8859-1"})
    void namesOfAFileAreThoseOfTheCommandLine(String charset) throws IOException {
        String text = Files.readString(dir.resolve("t.net"));
        Files.writeString(dir.resolve("u.net"), text.replace("H-1.1.0.0", "Hôst-1"), Charset.forName(charset));
        assertThat(tool.run("path @u.net --conf @t.conf --from Hôst-1 --to H-3.3.0.1"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).startsWith("Hôst-1/1 (LID 76) to H-3.3.0.1/1");
    }

    @Test
    void reasonsAreRightWhereTheEndOfADimensionIsMissing() throws IOException {
        assertThat(tool.run("generate torus 5x4 --open x --without 4,0 --without 4,1 --without 4,2 --without 4,3"
                        + " --out @edge.net --conf @edge.conf"))
                .isZero();
        assertThat(tool.run("route @edge.net --conf @edge.conf --out @tables")).isZero();
        assertThat(tool.run("path @tables --conf @edge.conf --from H-0.0.0.0 --to H-3.2.0.0"))
                .isZero();
        assertThat(tool.out()).contains("short way").doesNotContain("torus-2QoS would");
        String conf = Files.readString(dir.resolve("edge.conf"));
        Files.writeString(dir.resolve("other.conf"), conf + "y_dateline 1\n");
        assertThat(tool.run("path @tables --conf @other.conf --from H-0.0.0.0 --to H-3.2.0.0"))
                .isZero();
        assertThat(tool.err()).contains("S-0.0.0 has other coordinates in opensm-torus.dump than by ");
        assertThat(tool.out()).contains("turn from x").doesNotContain("short way");
    }

    @Test
    void eachLidOfAPortIsCompared() throws IOException {
        assertThat(tool.run("route @t.net --engine up-down --lmc 1 --out @one")).isZero();
        assertThat(tool.run("route @t.net --engine up-down --lmc 1 --out @two")).isZero();
        assertThat(tool.run("diff @one @two")).isZero();
        Path dump = dir.resolve("two/opensm-lfts.dump");
        Files.writeString(dump, Files.readString(dump).replaceFirst("\n0x0003 \\d{3} #", "\n0x0003 006 #"));
        assertThat(tool.run("diff @one @two")).isEqualTo(1);
        assertThat(tool.out()).contains("forwarding entries: 1 of ").containsPattern(" by LID 3: port \\d, now 6");
    }

    @Test
    void dumpsShowTheSamePath() {
        route("@t.net", "@tables");
        assertThat(tool.run("path @tables --from H-1.1.0.0 --to 0x200010")).isEqualTo(2);
        assertThat(tool.err()).contains("0x200010: no end port");
        assertThat(tool.run("path @tables --from H-1.1.0.0 --to S-4.2.0")).isZero();
        assertThat(tool.out()).contains("turn from x").doesNotContain("short way");
        assertThat(tool.run("path @tables --conf @t.conf --from H-1.1.0.0/1 --to S-4.2.0 --hint 8"))
                .isZero();
        assertThat(tool.out()).contains("short way").contains("(4,2,0)").containsPattern(": SL (8|9|1[0-5]), arrives");
        assertThat(tool.run("path @t.net --engine dor --from H-1.1.0.0 --to S-4.2.0"))
                .isZero();
        assertThat(tool.out()).contains("SL 0, arrives").doesNotContain("(4,2,0)");
    }

    @Test
    void packetsThatDoNotArriveAreToldApart() throws IOException {
        route("@t.net", "@tables");
        Path tables = dir.resolve("tables/opensm-lfts.dump");
        String text = Files.readString(tables);
        Files.writeString(tables, text.replaceFirst("(?m)^0x0002 .*$", ""));
        assertThat(tool.run("path @tables --from 1 --to 2")).isEqualTo(1);
        assertThat(tool.out()).contains("ends: the last switch has no route to this LID");
    }

    @Test
    void namesThatFitNobodyOrSeveralAreRefused() {
        assertThat(tool.run("path @t.net --conf @t.conf --from 5 --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("are the same end port");
        assertThat(tool.run("path @t.net --conf @t.conf --from nobody --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("nobody: no end port");
        assertThat(tool.run("path @t.net --conf @t.conf --from  --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("found an empty name, expected that of an end port: description");
        assertThat(tool.run("path @t.net --conf @t.conf --from 1 --to 5 --hint 16"))
                .isEqualTo(2);
        assertThat(tool.run("path @none --conf @t.conf --from 1 --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("no such file");
        assertThat(tool.run("path @t.net --from 1 --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("needs --conf FILE");
        assertThat(tool.run("path @t.net --conf @t.net --from 1 --to 5")).isEqualTo(2);
        assertThat(tool.err()).contains("t.net:1:");
    }

    @Test
    void whatTheEngineRefusesHasNoPath() {
        tool.run("generate torus 5x5 --cut 0,0:1,0 --cut 2,0:3,0 --out @cut.net --conf @cut.conf");
        assertThat(tool.run("path @cut.net --conf @cut.conf --from 1 --to 5")).isEqualTo(3);
        assertThat(tool.err()).contains("refuses this fabric").contains("routable again with");
    }

    @Test
    @Requirement("t2q-006")
    void diffTellsWhatAFailureChanges() {
        route("@t.net", "@one");
        assertThat(tool.run("generate torus 6x5 --without 3,1 --cut 0,0:1,0 --hosts 2 --out @cut.net"))
                .isZero();
        route("@cut.net", "@two");
        assertThat(tool.run("diff @one @one")).isZero();
        assertThat(tool.out()).contains("forwarding entries: 0 of 2523 differ");
        assertThat(tool.run("diff @one @two --examples 1")).isEqualTo(1);
        assertThat(tool.out())
                .contains("switches, end ports, LIDs: 0 of")
                .contains("SLs of pairs: 0 of 7482 differ")
                .containsPattern("forwarding entries: [1-9]\\d* of 2523 differ")
                .contains("load  mean hops");
        assertThat(tool.run("diff @one @nowhere")).isEqualTo(2);
        assertThat(tool.err()).contains("no such directory");
        assertThat(tool.run("diff @one @two --examples 99")).isEqualTo(2);
    }

    @Test
    void drawsFailuresPathTreeAndLoad() throws IOException {
        assertThat(tool.run("draw @t.net --conf @t.conf --group 0xC000=all --from 1 --to H-3.3.0.1 --tree 0xC000 --load"
                        + " --out @t.svg"))
                .as(tool.err())
                .isZero();
        String svg = Files.readString(dir.resolve("t.svg"));
        assertThat(svg)
                .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                .endsWith("</svg>\n")
                .contains("red circles: no switch (1)", "blue: path from A", "green: tree of group 0xC000")
                .contains("0 to 136 of the ways");
        for (String standard : List.of("", " --out -")) {
            assertThat(tool.run("draw @t.net --conf @t.conf" + standard)).isZero();
            assertThat(tool.out()).startsWith("<svg xmlns").endsWith("</svg>\n");
        }
        assertThat(tool.run("draw @t.net --conf @t.conf --loop --out @none.svg"))
                .isEqualTo(1);
        assertThat(tool.run("draw @t.net --conf @t.conf --tree 0xC000 --out @none.svg"))
                .isEqualTo(2);
        assertThat(tool.run("draw @t.net --conf @t.conf --tree 12 --out @none.svg"))
                .isEqualTo(2);
        assertThat(tool.run("draw @t.net --conf @t.conf --from 1 --out @none.svg"))
                .isEqualTo(2);
        assertThat(dir.resolve("none.svg")).doesNotExist();
    }

    @Test
    @Requirement("t2q-013")
    void drawsTheLoopOfATorusThatOpenSmRoutes() throws IOException {
        assertThat(tool.run(
                        "generate torus 5x5 --without 4,2 --cut 4,3:0,3 --cut 3,1:4,1 --out @bad.net --conf @bad.conf"))
                .isZero();
        assertThat(tool.run("draw @bad.net --conf @bad.conf --out @plain.svg")).isZero();
        assertThat(tool.err()).contains("credit loop of 10 channels");
        assertThat(tool.run("draw @bad.net --conf @bad.conf --loop --out @bad.svg"))
                .isEqualTo(3);
        assertThat(tool.run("draw @bad.net --conf @bad.conf --engine opensm-torus --loop --out @bad.svg"))
                .isZero();
        assertThat(Files.readString(dir.resolve("bad.svg")))
                .contains("magenta: a credit loop of 10 channels", "red dashes: no cable left (2)");
        assertThat(tool.run("route @bad.net --conf @bad.conf --engine opensm-torus --out @tables"))
                .isEqualTo(3);
        assertThat(dir.resolve("tables")).doesNotExist();
    }

    @Test
    void threeDimensionsAreDrawnInPanels() throws IOException {
        tool.run("generate torus 3x3x4M --out @x.net");
        assertThat(tool.run("generate torus 3x3x4 --open z --cables 2 --cut 0,0,0:0,0,1 --hosts 1 --out @m.net --conf"
                        + " @m.conf"))
                .isZero();
        assertThat(tool.run("draw @m.net --conf @m.conf --title <mesh>&co --out @m.svg"))
                .as(tool.err())
                .isZero();
        assertThat(Files.readString(dir.resolve("m.svg")))
                .contains("z = 3", "slanted stubs: z; up to 2 cables", "&lt;mesh&gt;&amp;co");
    }
}
