package org.railyard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.bench.compare.ChildClassPath;
import org.railyard.testkit.NeedsCommand;
import picocli.CommandLine;

class FabricBenchTest {
    /** The command in a process of its own. */
    static final class Alone {
        private Alone() {}

        public static void main(String[] words) {
            System.exit(new CommandLine(new BenchCommand()).execute(words));
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    @Test
    void aSmallTorusIsMeasuredAlone(@TempDir Path dir) throws IOException {
        String alone = "fabric --sizes 3 --rounds 1 --opensm-up-to 0 --ibdmchk-up-to 0 --report " + dir + " --json "
                + dir.resolve("times.json");
        assertThat(run(alone.split(" ", -1))).as(err.toString()).isZero();
        assertThat(Files.readString(dir.resolve("bench-fabric.html")))
                .contains("bench " + alone, "Tables, ms", "<td>3³</td>");
        assertThat(out.toString()).contains("certificate").containsPattern("3³ +54 ");
        assertThat(Files.readString(dir.resolve("times.json")))
                .contains("\"torus\": \"3³\"", "\"lids\": 54", "\"proof\": ", "\"kernel\": ");
    }

    /**
     * The ratio is what counts, and how large it is depends on the machine; that both were measured in one run does
     * not.
     */
    @Test
    @NeedsCommand({"opensm", "ibsim", "ibsim-run"})
    void aTorusIsMeasuredBesideOpenSm() {
        assertThat(run("fabric", "--sizes", "3", "--rounds", "1", "--ibdmchk-up-to", "0"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .as("LIDs, our tables, OpenSM's, ratio, what our acceptance costs")
                .containsPattern("3³ +54 +[0-9.]+ \\([0-9.]+\\) +[0-9.]+ +[0-9.]+ +-?[0-9.]+ ");
    }

    @Test
    void programsThatAreMissingAreTold(@TempDir Path empty) throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                        ChildClassPath.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ChildClassPath.ofThis(),
                        Alone.class.getName(),
                        "fabric",
                        "--sizes",
                        "3",
                        "--rounds",
                        "1")
                .redirectErrorStream(true);
        command.environment().put("PATH", empty.toString());
        Process process = command.start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readAllAsString())
                    .contains("OpenSM   not measured: no opensm", "ibdmchk  not measured: no ibdmchk")
                    .containsPattern("3.* 54 +[0-9.]+ \\([0-9.]+\\) +- +- ");
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @NeedsCommand("true")
    void aProgramThatTellsNoFiguresIsNotPassedOver() {
        String program = Stream.of("/bin/true", "/usr/bin/true")
                .filter(each -> Files.isExecutable(Path.of(each)))
                .findFirst()
                .orElseThrow();
        assertThat(run("fabric", "--booksim", program)).isEqualTo(1);
        assertThat(err.toString()).contains(program + " told no figures of any load", "expected BookSim 2");
    }

    @Test
    void whatCannotBeMeasuredIsRefused() {
        assertThat(run("fabric", "--sizes", "2")).isEqualTo(2);
        assertThat(run("fabric", "--rounds", "0")).isEqualTo(2);
        assertThat(run("fabric", "--engines", "--report", "/tmp")).isEqualTo(2);
        assertThat(run("fabric", "--json", "/no/such/directory/file")).isEqualTo(2);
        assertThat(run("fabric", "--booksim", "/no/such/program")).isEqualTo(2);
        assertThat(run("fabric", "--booksim", "/bin/true", "--engines")).isEqualTo(2);
        assertThat(err.toString()).contains("--sizes 3 to 32", "/no/such/program: no such program", "not both");
    }
}
