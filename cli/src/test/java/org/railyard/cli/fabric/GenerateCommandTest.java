package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fabric generate} of fabrics that are no tori, and what others make of them. */
class GenerateCommandTest {
    @TempDir
    private Path dir = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "fat-tree 4x4x8 --format ibnetdiscover, 'switches: 80, CAs: 128', 'cables: 256'",
        "fat-tree 6x4 --up 3 --cables 2 --without S-2.1, 'switches: 6, CAs: 24', 'cables: 16'",
        "dragonfly 9x4 --hosts 2 --cut S-0.0:S-0.1, 'switches: 36, CAs: 72', 'cables: 89'",
        "hyperx 3x4 --cables 2, 'switches: 12, CAs: 12', 'cables: 60'"
    })
    void whatIsMadeIsRead(String shape, String nodes, String cables) {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate " + shape + " --out @f.net"))
                .as(tool.err())
                .isZero();
        assertThat(tool.run("show @f.net")).as(tool.err()).isZero();
        assertThat(tool.out()).contains(nodes, cables, "pieces: 1");
    }

    @ParameterizedTest
    @CsvSource({
        "torus 3x3 --out - --json, '--json needs --out: on standard output is the fabric otherwise'",
        "'', 'a shape is missing: torus, fat-tree, dragonfly or hyperx'",
        "fat-tree 4x, 'shape 4x: expected numbers such as 4x4x8'",
        "fat-tree 4x4 --up 4x4, '2 levels of children and 2 of parents'",
        "fat-tree 4x4 --up y, '--up y: expected numbers'",
        "fat-tree 4x4 --cables 0, '0 cables to each parent: expected 1 to 254'",
        "dragonfly 9, 'expected GROUPSxSWITCHES'",
        "dragonfly 9x4 --global 1, 'some would have none'",
        "hyperx 4x4 --without S-4.4, 'there is no switch S-4.4: they are S-0.0 to S-3.3'",
        "hyperx 4x4 --cut S-0.0, '--cut S-0.0: expected SWITCH:SWITCH'",
        "hyperx 4x4 --cut S-0.0:S-1.1, 'no cable joins S-0.0 and S-1.1'",
        "torus 3x3 --out same --conf ./same, '--out and --conf both name ./same'",
        "hyperx 4x4 --format dot, '--format dot: expected ibsim or ibnetdiscover'"
    })
    void whatCannotBeMadeIsRefusedInOneLine(String shape, String text) {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run(("generate " + shape).strip())).isEqualTo(2);
        assertThat(tool.err()).contains(text);
        assertThat(tool.err().lines()).hasSize(1);
    }

    @Test
    void bothFilesAreWrittenOrNone() throws IOException {
        FabricTool tool = new FabricTool(dir);
        Path old = Files.writeString(dir.resolve("old"), "old");
        for (String files : List.of("--out @old --conf @none/c", "--out @none/n --conf @old", "--conf @none/c")) {
            assertThat(tool.run("generate torus 3x3 " + files)).as(files).isEqualTo(5);
            assertThat(tool.err()).contains("there is no folder " + dir.resolve("none"));
            assertThat(tool.out()).isEmpty();
            assertThat(old).hasContent("old");
            assertThat(dir).isDirectoryNotContaining(each -> !each.equals(old));
        }
    }

    @Test
    void oneFileByTwoNamesIsRefused() throws IOException {
        FabricTool tool = new FabricTool(dir);
        Path old = Files.writeString(dir.resolve("old"), "old");
        Files.createSymbolicLink(dir.resolve("link"), old);
        assertThat(tool.run("generate torus 3x3 --out @old --conf @link")).isEqualTo(2);
        assertThat(tool.err()).contains("--out and --conf both name " + dir.resolve("link"));
        assertThat(old).hasContent("old");
    }

    /** OpenSM's engine takes none either (spec 30 §3.2). */
    @ParameterizedTest
    @CsvSource({"4x1x1, 0", "1x6x1, 0", "1x1x3 --open z, 0", "2x1x1, 1", "3x2x1, 1"})
    void aTorusOfOneDimensionIsWarnedOf(String shape, int routable) {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate torus " + shape + " --out @f.net --conf @f.conf"))
                .isZero();
        assertThat(tool.err().contains("has one dimension only")).isEqualTo(routable == 0);
        int exit = tool.run("route @f.net --conf @f.conf");
        if (routable == 1) {
            assertThat(exit).isZero();
        } else {
            assertThat(exit).isEqualTo(3);
            assertThat(tool.err())
                    .contains("one-dimension: ", "take another engine, such as layered or nue")
                    .doesNotContain("repair");
            assertThat(tool.run("route @f.net --engine layered")).as(tool.err()).isZero();
        }
    }

    @Test
    void norDoesOpenSmsChoiceGetAdviceToRepairIt() {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 6x1x1 --out @f.net --conf @f.conf")).isZero();
        assertThat(tool.run("route @f.net --conf @f.conf --engine opensm-torus"))
                .isEqualTo(3);
        assertThat(tool.err()).contains("4E38: ", "one-dimension: torus-2QoS").doesNotContain("repair:");
    }

    /** What the commands do with such a fabric: tables, the check of dumps, failures, packets. */
    @ParameterizedTest
    @CsvSource({
        "fat-tree 3x3x4, S-2.0.0, H-1.0.0.0, H-1.3.2.2",
        "dragonfly 5x4, S-1.0, H-0.0.0, H-4.3.0",
        "hyperx 3x3 --hosts 2, S-1.1, H-0.0.0, H-2.2.1"
    })
    void anyShapeIsRoutedByNue(String shape, String failing, String from, String to) {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate " + shape + " --out @f.net")).isZero();
        assertThat(tool.run("route @f.net --engine nue --max-op-vls 2 --group 0xC000=all --out @tables"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("note: 2 VLs; ", "verdict: clean");
        assertThat(tool.run("verify @tables")).as(tool.out()).isZero();
        assertThat(tool.run("path @tables --from " + from + " --to " + to)).isZero();
        assertThat(tool.run("whatif @f.net --engine nue --each-cable --fail " + failing))
                .as(tool.out() + tool.err())
                .isZero();
        assertThat(tool.run("sim @f.net --engine nue --load 0.2 --window 20"))
                .as(tool.out() + tool.err())
                .isZero();
        assertThat(tool.run("draw @f.net --engine layered --max-op-vls 4 --load --from " + from + " --to " + to
                        + " --group 0xC000=all --tree 0xC000 --out @f.svg"))
                .as(tool.err())
                .isZero();
        assertThat(dir.resolve("f.svg"))
                .content()
                .endsWith("</svg>\n")
                .contains("of the ways", "blue: path from A, " + from, "green: tree of group 0xC000");
    }

    @Test
    void aFatTreeIsRoutedByItsLevels() throws IOException {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate fat-tree 3x3x4 --without S-3.1.1 --out @f.net"))
                .isZero();
        assertThat(tool.run("route @f.net --engine ftree --group 0xC000=all --out @tables"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("note: 3 levels; switches from the bottom up: 12, 12, 8", "verdict: clean");
        assertThat(tool.run("verify @tables --sl 0")).as(tool.out()).isZero();
        assertThat(tool.run("whatif @f.net --engine ftree --fail S-2.0.1 --fail S-2.3.0"))
                .as(tool.out() + tool.err())
                .isZero();
        Files.writeString(dir.resolve("roots"), "0x200018\n");
        // With one root alone the others hang below: a deeper tree, but a tree.
        assertThat(tool.run("route @f.net --engine ftree --roots @roots --out @other"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("note: 5 levels", "verdict: clean");
        assertThat(tool.run("generate torus 3x3 --out @t.net")).isZero();
        assertThat(tool.run("route @t.net --engine ftree --out @none")).isEqualTo(3);
        assertThat(tool.err()).contains("a cable joins S-0.0.0 and S-2.0.0, both on level 1 of 1");
        assertThat(dir.resolve("none")).doesNotExist();
    }

    @Test
    void withoutAFileItGoesToStandardOutput() {
        FabricTool tool = new FabricTool(dir);
        assertThat(tool.run("generate hyperx 2")).isZero();
        assertThat(tool.out()).contains("switchguid=0x200000").contains("\"S-1\"");
    }
}
