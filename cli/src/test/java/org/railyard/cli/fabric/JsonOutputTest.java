package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.text.DocReader;

/** {@code --json} of the commands about fabrics: one line, the same exit status, and what the text tells. */
class JsonOutputTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorusWithTables() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 5x5 --seeds 2 --out @t.net --conf @t.conf"))
                .isZero();
        for (String engine : List.of("torus-2qos", "up-down")) {
            assertThat(tool.run("route @t.net --conf @t.conf --engine " + engine + " --out @" + engine))
                    .as(tool.err())
                    .isZero();
        }
    }

    private Map<String, Object> json(int exit, String line) {
        assertThat(tool.run(line)).as(tool.err()).isEqualTo(exit);
        assertThat(tool.out().lines()).hasSize(1);
        String out = tool.out();
        assertThat(tool.run(line.replace(" --json", ""))).as("the same status").isEqualTo(exit);
        assertThat(tool.out()).doesNotStartWith("{");
        return DocReader.mapping(out);
    }

    @Test
    void whatAFabricIs() {
        assertThat(json(0, "show @t.net --json"))
                .containsEntry("switches", 25L)
                .containsEntry("cables_between_switches", 50L)
                .containsEntry("switches_by_neighbours", Map.of("4", 25L))
                .containsEntry("pieces", 1L)
                .containsEntry("odd_parts", 0L)
                .containsEntry("first_odd_parts", List.of());
    }

    @Test
    void aWayHopByHop() {
        Map<String, Object> way = json(0, "path @t.net --conf @t.conf --from H-0.0.0.0 --to H-2.1.0.0 --json");
        assertThat(way).containsEntry("arrives", true).containsEntry("end", "arrives");
        assertThat(way.get("hops")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(5);
        assertThat(String.valueOf(way.get("hops"))).contains("from=S-0.0.0, from_at=(0,0,0)", "why=");
    }

    @Test
    void aCreditLoop() throws IOException {
        assertThat(json(0, "verify @torus-2qos --json"))
                .containsEntry("verdict", "clean")
                .containsEntry("loops", List.of());
        // One SL for all paths: rings are no longer cut.
        Files.delete(dir.resolve("torus-2qos/ibdm.psl"));
        Map<String, Object> loop = json(1, "verify @torus-2qos --sl 0 --json");
        assertThat(loop).containsEntry("verdict", "loop");
        assertThat(String.valueOf(loop.get("loops"))).contains("channel=S-", "flow=H-");
    }

    @Test
    void whatDiffers() {
        Map<String, Object> diff = json(1, "diff @up-down @torus-2qos --examples 1 --json");
        assertThat(diff).containsKeys("nodes", "forwarding", "sls", "sl_to_vl", "multicast");
        assertThat(String.valueOf(diff.get("load"))).contains("mean_hops=2.5", "busiest=S-");
    }

    @Test
    void whatFailuresDo() {
        assertThat(json(0, "whatif @t.net --conf @t.conf --fail 2,2 --json")).containsKeys("baseline", "failures");
        assertThat(tool.run("whatif @t.net --conf @t.conf --fail 2,2 --json --yaml"))
                .isEqualTo(2);
        assertThat(tool.err()).contains("--yaml and --json do not go together");
    }
}
