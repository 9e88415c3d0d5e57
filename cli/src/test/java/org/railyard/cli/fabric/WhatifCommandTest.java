package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.Requirement;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code fabric whatif}: what fails, what becomes of it. */
class WhatifCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorusWithTwoSeeds() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 5x5 --hosts 2 --seeds 2 --out @t.net --conf @t.conf"))
                .isZero();
    }

    /** A switch that fails has no cables left. */
    @ParameterizedTest
    @ValueSource(strings = {"layered", "nue"})
    void anEngineRoutesWhatIsLeftOfAnyFabric(String engine) {
        assertThat(tool.run("whatif @t.net --engine " + engine + " --each-switch"))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("25 failures: 25 proved, 0 refused");
    }

    @Test
    @Requirement({"t2q-006", "t2q-010", "t2q-012", "t2q-105"})
    void aFailedSwitchCostsItsHostsAndNoSl() {
        assertThat(tool.run("whatif @t.net --conf @t.conf --fail 2,2")).isZero();
        assertThat(tool.out())
                .containsPattern("2,2 +proved +2 +0 +\\d+")
                .contains("1 failure: 1 proved")
                .contains("lost switch at (2,2,0) GUID 0x20000c");
    }

    @Test
    @Requirement({"t2q-011", "t2q-012", "t2q-013"})
    void severalCablesMayFailTogetherAndASwitchWithThem() {
        String cables = "whatif @t.net --conf @t.conf --fail S-0.0.0:S-1.0.0 --fail S-4.3.0:S-4.4.0";
        for (String failures : new String[] {cables, cables + " --fail 2,2"}) {
            assertThat(tool.run(failures)).as(failures).isZero();
            assertThat(tool.out())
                    .contains("1 failure: 1 proved, 0 refused, 0 with a credit loop, 0 not checkable; 0 SLs changed");
        }
    }

    @Test
    @Requirement({"t2q-010", "t2q-012"})
    void everySwitchAndEveryCableMayFail() {
        assertThat(tool.run("whatif @t.net --conf @t.conf --each-switch --each-cable --rows 3"))
                .isZero();
        assertThat(tool.out())
                .contains("and 72 more")
                .contains("75 failures: 75 proved, 0 refused, 0 with a credit loop, 0 not checkable; 0 SLs changed");
    }

    @Test
    void whatCanNotBeRoutedSaysWhy() {
        assertThat(tool.run("whatif @t.net --conf @t.conf --fail S-0.0.0:S-1.0.0 --fail S-2.0.0:S-3.0.0"))
                .isEqualTo(1);
        assertThat(tool.out())
                .contains("refused")
                .contains("unreachable: no way")
                .contains("routable again with");
    }

    @Test
    void aReportHasPlotsAndTheWorstFirst() throws IOException {
        assertThat(tool.run("whatif @t.net --conf @t.conf --pairs 20 --seed 7 --report @reports"))
                .isIn(0, 1);
        String page = Files.readString(dir.resolve("reports/fabric-whatif.html"));
        assertThat(page)
                .contains("railyard fabric whatif " + dir.resolve("t.net") + " --conf ", "20 failures: ")
                .contains("Entries of forwarding tables that change", "Without a failure: 0.", "<td>nothing</td>")
                .contains("<svg", "</html>")
                .doesNotContain("<script", "NaN");
    }

    @Test
    void yamlHasEveryFailure() {
        assertThat(tool.run("whatif @t.net --conf @t.conf --pairs 20 --seed 7 --yaml"))
                .isIn(0, 1);
        Map<?, ?> document = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(tool.out());
        assertThat((List<?>) document.get("failures")).hasSize(20);
        assertThat(((Map<?, ?>) Objects.requireNonNull(document.get("verdicts")))
                        .values().stream()
                                .mapToInt(count -> ((Number) count).intValue())
                                .sum())
                .isEqualTo(20);
        String first = tool.out();
        tool.run("whatif @t.net --conf @t.conf --pairs 20 --seed 7 --yaml");
        assertThat(tool.out()).isEqualTo(first);
    }

    @Test
    void otherEnginesCanBeAskedToo() {
        assertThat(tool.run("whatif @t.net --engine dor --fail S-0.0.0/4")).isEqualTo(1);
        assertThat(tool.out()).contains("with a credit loop").containsPattern("S-0.0.0/4 +loop");
        assertThat(tool.run("whatif @t.net --engine up-down --each-switch")).isZero();
        assertThat(tool.run("whatif @t.net --engine min-hop --fail 0x200000")).isEqualTo(1);
    }

    @Test
    void wrongWordsSayWhatWasExpected() {
        for (String words : List.of(
                "",
                " --fail X:Y",
                " --fail 9,9",
                " --fail S-0.0.0/77",
                " --fail S-0.0.0:S-2.2.0",
                " --pairs -1",
                " --each-switch --rows 0",
                " --each-switch --group 0xC000",
                " --each-switch --group 0xC000=nobody",
                " --each-switch --qos-levels 3")) {
            assertThat(tool.run("whatif @t.net --conf @t.conf" + words))
                    .as(words)
                    .isEqualTo(2);
            assertThat(tool.err()).as(words).startsWith("railyard: ");
        }
    }
}
