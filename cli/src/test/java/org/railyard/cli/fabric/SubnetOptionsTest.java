package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.DiscoverWriter;
import org.railyard.fabric.format.SubnetList;

/** {@code fabric show}, {@code verify} and {@code diff} of a running subnet, without one: options and tools' output. */
class SubnetOptionsTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aRoutedTorus() throws IOException {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 3x3 --hosts 1 --out @t.net --conf @t.conf"))
                .isZero();
        assertThat(tool.run("route @t.net --conf @t.conf --out @plan")).isZero();
        String topology = DiscoverWriter.text(SubnetList.parse(Files.readString(dir.resolve("plan/opensm-subnet.lst")))
                .fabric());
        String tables = Files.readString(dir.resolve("plan/opensm-lfts.dump"));
        Files.writeString(dir.resolve("tools"), topology + tables);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show",
                "show @t.net --live",
                "show @t.net --device mlx5_0",
                "show @t.net --out @x",
                "show --live --port 1 --output-of-tools @tools",
                "show --live --m-key 0xyz",
                "verify",
                "verify --live @plan --ask-sls --output-of-tools @tools",
                "diff @plan",
                "diff @plan @plan --live",
                "diff @plan @plan --vl-arbitration @t.conf",
                "diff @plan --live --examples 10001",
                "diff @plan @plan --examples 21"
            })
    void whatExcludesEachOtherIsRefused(String line) {
        assertThat(tool.run(line)).isEqualTo(2);
        assertThat(tool.out()).isEmpty();
        assertThat(tool.err()).isNotEmpty();
    }

    @Test
    void outputOfToolsIsComparedWithThePlan() throws IOException {
        assertThat(tool.run("diff @plan --live --output-of-tools @tools"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out())
                .contains("cables: 0 of 27 differ", "forwarding entries: 0 of 162 differ")
                .contains("not compared: SL to VL tables: not read");
        String text = Files.readString(dir.resolve("tools"));
        String changed = text.replaceFirst("(?m)^0x0003 \\d{3} #", "0x0003 255 #");
        assertThat(changed).isNotEqualTo(text);
        assertThat(tool.run(
                        "diff @plan --live --output-of-tools -",
                        new ByteArrayInputStream(changed.getBytes(StandardCharsets.ISO_8859_1))))
                .isEqualTo(1);
        assertThat(tool.out())
                .contains("forwarding entries: 1 of 162 differ")
                .containsPattern("S-\\d\\.\\d\\.0, LID 3 \\(.*\\): port \\d planned, none programmed");
    }

    /** OpenSM writes none: they are needed only where they are compared. */
    @Test
    void aPlanWithoutSlsIsComparedToo() throws IOException {
        Files.delete(dir.resolve("plan/ibdm.psl"));
        assertThat(tool.run("diff @plan --live --output-of-tools @tools"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("forwarding entries: 0 of 162 differ", "not compared: SLs of paths: not read");
        assertThat(tool.run("diff @plan --live --ask-sls")).isEqualTo(2);
        assertThat(tool.err()).contains("--sl");
        assertThat(tool.run("diff @plan @plan")).isEqualTo(2);
    }

    @Test
    void outputOfToolsIsShownAndSaysWhatIsMissing() {
        assertThat(tool.run("show --live --output-of-tools @tools")).isZero();
        assertThat(tool.out())
                .contains("forwarding tables: 162 entries; 0 of LIDs that no port has; 0 missing")
                .contains("SL to VL tables: not read");
        assertThat(tool.run("show --live --output-of-tools @tools --out @snapshot"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--out needs SL to VL tables");
        assertThat(dir.resolve("snapshot")).doesNotExist();
        assertThat(tool.run("verify --live --output-of-tools @tools --sl 0")).isEqualTo(2);
        assertThat(tool.err()).contains("not checkable: no SL to VL tables");
        assertThat(tool.run("verify --live --output-of-tools @tools")).isEqualTo(2);
        assertThat(tool.err()).contains("SLs of paths are not known");
    }

    @Test
    void aMachineWithoutPortsSaysSo() {
        assertThat(tool.run("show --live --device none-of-this-name")).isEqualTo(2);
        assertThat(tool.err()).contains("the running subnet cannot be read: ");
    }
}
