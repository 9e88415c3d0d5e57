package org.railyard.cli.o2ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.cli.Main;
import org.railyard.o2iblnd.tune.ReferencePage;
import org.railyard.testkit.Requirement;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The calculator as people use it. */
class TunablesCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of("o2ib", "tunables"));
        if (!line.isEmpty()) {
            words.addAll(List.of(line.split(" ")));
        }
        return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    @Test
    @Requirement({"mod-037", "ibl-120"})
    void textTellsTheFigures() {
        assertThat(run("")).isZero();
        assertThat(out.toString())
                .containsPattern("connection.send_work_requests +2080 +work requests")
                .containsPattern("connection.cq_entries +2098")
                .contains("negotiation: queue depth 8, 257 fragments accepted");
        assertThat(run("--set peer_credits=128 --device rxe")).isZero();
        assertThat(out.toString())
                .containsPattern("connection.queue_depth +125")
                .contains("33538", "(row 4)");
        assertThat(run("--peers 10000")).isZero();
        assertThat(out.toString()).containsPattern("node.receive_bytes +737280000");
    }

    @Test
    @Requirement({"mod-043", "mod-047"})
    void bothSidesAreLookedAt() {
        assertThat(run("--set peer_credits=32 --peer peer_credits=16 --peer-era 2.11"))
                .isZero();
        assertThat(out.toString())
                .contains("refused with MSG_QUEUE_SIZE", "refused with RDMA_FRAGS", "the smaller limits count")
                .containsPattern("connection.queue_depth +16")
                .containsPattern("connection.max_frags +256");
        assertThat(run("--era 2.7 --set peer_credits=16 --peer peer_credits=8")).isEqualTo(1);
        assertThat(out.toString()).contains("error: negotiation: no connection", "equal limits only");
        assertThat(run("--set peer_credits=3")).isZero();
        assertThat(out.toString()).contains("peer_credits: given 3, effective 8");
    }

    @Test
    @Requirement("mod-044")
    void differencesHaveTheirReasons() {
        assertThat(run("--set peer_credits=8 --diff peer_credits=16")).isZero();
        assertThat(out.toString())
                .containsPattern("connection.queue_depth +8 +16 +peer:peer_credits →\\(3\\)")
                .doesNotContain("connection.max_frags");
        assertThat(run("--diff keepalive=5")).isZero();
        assertThat(out.toString()).isEqualTo("nothing changes\n");
        assertThat(run("--diff peer_credits=16 --format YAML")).isZero();
        assertThat(yaml()).containsKeys("changes", "remarks");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> yaml() {
        return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(out.toString());
    }

    @Test
    void yamlHasTheSameFigures() {
        assertThat(run("--format YAML")).isZero();
        assertThat(yaml()).containsKeys("effective", "connection", "peer", "node", "cluster", "negotiation", "remarks");
        assertThat(String.valueOf(yaml().get("connection")))
                .contains("send_work_requests=2080", "connect_seconds=12.5");
    }

    @Test
    @Requirement("mod-046")
    void aSweepIsATable() {
        assertThat(run("--sweep peer_credits=8..12")).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(6);
        int column = List.of(lines.getFirst().split(",")).indexOf("connection.send_work_requests");
        assertThat(lines.stream().skip(1).map(line -> line.split(",")[column]))
                .containsExactly("2080", "2340", "2600", "2860", "3120");
        assertThat(lines.getFirst())
                .startsWith("peer_credits,effective.peer_credits,")
                .endsWith(",works");
    }

    @Test
    void whatIsWrongIsSaidInOneLine() {
        for (String line : List.of(
                "--set nonsense=1",
                "--set peer_credits",
                "--device mlx9",
                "--era 3",
                "--registration none",
                "--sweep credits=9..1",
                "--sweep credits",
                "--peers 0",
                "--wire-version 3")) {
            assertThat(run(line)).as(line).isEqualTo(1);
            assertThat(err.toString())
                    .as(line)
                    .startsWith("railyard: EINVAL")
                    .hasLineCount(1)
                    .contains("expected");
        }
        assertThat(run("--sweep credits=1..2 --format YAML")).isEqualTo(2);
    }

    @Test
    @Requirement({"mod-018", "mod-024", "mod-035"})
    void theReferenceIsUpToDate() throws IOException {
        assertThat(run("--reference")).isZero();
        assertThat(out.toString())
                .isEqualTo(ReferencePage.markdown())
                .contains("The limit was artificial", "no reason to size it for fewer");
        assertThat(Files.readString(Path.of("..", "docs", "o2ib-tunables.md"))).isEqualTo(ReferencePage.markdown());
    }
}
