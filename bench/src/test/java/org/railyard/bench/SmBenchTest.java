package org.railyard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import picocli.CommandLine;

class SmBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
    }

    @Test
    void aSmallTorusIsMeasuredOnSimulatedAgents() {
        assertThat(run("sm", "--sizes", "3", "--cables", "1", "--sa-time", "10", "--ibsim-up-to", "0"))
                .as("%s", err)
                .isZero();
        assertThat(out.toString())
                .as("nodes, CPU, MADs, a lost cable, memory, PathRecords")
                .containsPattern("3³ +54 +[0-9.]+ +[0-9]{4} +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+( +[0-9]{4,}){4}");
    }

    /** How fast they are depends on the machine; that both were measured in one run does not. */
    @Test
    @NeedsRoot
    @NeedsCommand({"opensm", "ibsim", "unshare", "nsenter"})
    void aTorusOnIbsimIsMeasuredBesideOpenSm(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("times.json");
        String line = "sm --sizes 3 --cables 1 --sa-time 10 --json " + file + " --report " + dir;
        assertThat(run(line.split(" ", -1))).as("%s%s", out, err).isZero();
        String figures = " +[0-9.]+ \\( *[0-9.]+\\) +[0-9.]+ +[0-9.]+ \\( *[0-9.]+\\) +[0-9]+";
        assertThat(out.toString()).containsPattern("3³ +OpenSM" + figures).containsPattern("3³ +Railyard" + figures);
        assertThat(Files.readString(dir.resolve("bench-sm.html")))
                .contains("bench " + line, "First sweep on ibsim, s", "<td>3³</td><td>Railyard</td>", "up_mads");
        assertThat(Files.readString(file))
                .contains("\"manager\": \"OpenSM\"", "\"manager\": \"Railyard\"", "\"up_mads\": ", "\"pull_cpu\": ");
    }

    @Test
    void whatCannotBeMeasuredIsRefused() {
        assertThat(run("sm", "--sizes", "2")).isEqualTo(2);
        assertThat(run("sm", "--cables", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--sizes 3 to 32");
    }
}
