package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fabric sim} with jobs. */
class SimJobsTest {
    private static final Path PAGE = Path.of("../docs/fabric.md");

    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aTorus() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 3x3 --hosts 1 --out @t.net --conf @t.conf"))
                .isZero();
    }

    private int sim(String options) {
        return tool.run("sim @t.net --conf @t.conf " + options);
    }

    /** What stands on the page is what comes out. */
    @Test
    void theExampleOfThePageIsTrue() throws IOException {
        assertThat(tool.run("generate torus 5x5 --hosts 2 --out @job.net --conf @job.conf"))
                .isZero();
        assertThat(tool.run("sim @job.net --conf @job.conf --job ring-allreduce --bytes 1MiB --fail 2,2@200us"))
                .as(tool.err())
                .isZero();
        List<String> page = Files.readAllLines(PAGE).stream().map(String::strip).toList();
        assertThat(tool.out()
                        .lines()
                        .map(line -> line.replace("2,2 goes", "switch 2,2 goes").strip()))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(page).contains(line));
    }

    @Test
    void eachCollectiveIsDone() {
        for (String job : List.of("all-to-all", "ring-allreduce", "halo", "pattern --pattern tornado")) {
            assertThat(sim("--job " + job + " --bytes 9000 --rounds 2 --json @j.json"))
                    .as(job + tool.err())
                    .isZero();
            assertThat(tool.out()).contains(": 9 hosts, ", "intact").doesNotContain("with failures");
        }
        assertThat(dir.resolve("j.json")).content().contains("\"end\":\"done\"", "\"hosts\":9", "\"job\":\"pattern\"");
    }

    @Test
    void theSameSeedIsTheSameRun() {
        assertThat(sim("--job pattern --rounds 20 --bytes 4KiB --seed 3")).isZero();
        String first = tool.out();
        assertThat(sim("--job pattern --rounds 20 --bytes 4KiB --seed 3")).isZero();
        assertThat(tool.out()).isEqualTo(first);
        assertThat(sim("--job pattern --rounds 20 --bytes 4KiB --seed 4")).isZero();
        assertThat(tool.out()).isNotEqualTo(first);
    }

    @Test
    void aMatrixIsSent() throws IOException {
        StringBuilder matrix = new StringBuilder("# Åland: bytes\n");
        for (int from = 0; from < 9; from++) {
            for (int to = 0; to < 9; to++) {
                matrix.append(to == (from + 1) % 9 ? 5000 : 0).append(to == 8 ? "\n" : ", ");
            }
        }
        Files.writeString(dir.resolve("m"), matrix);
        assertThat(sim("--matrix @m")).as(tool.err()).isZero();
        assertThat(tool.out()).contains(": 9 hosts, 9 messages, 45,000 bytes");
        Files.writeString(dir.resolve("m"), matrix.toString().replaceFirst("0, ", "7, "));
        assertThat(sim("--matrix @m")).isEqualTo(2);
        assertThat(tool.err()).contains("m:2: found 7 bytes from a host to itself, expected 0");
        Files.writeString(dir.resolve("m"), "0 1\n1 0\n");
        assertThat(sim("--matrix @m")).isEqualTo(2);
        assertThat(tool.err()).contains("expected 9 lines of 9: one for each host");
        Files.writeString(
                dir.resolve("m"), matrix.substring(0, matrix.length() / 2).replaceAll("\n[^\n]*$", "\n"));
        assertThat(sim("--matrix @m")).isEqualTo(2);
        assertThat(tool.err()).contains("lines, expected 9: one for each host");
    }

    @Test
    void aRecordingIsSentAtItsTimes() {
        String recorded = "# who whom how much when\nH-0.0.0.0 H-1.0.0.0 4096\nH-1.0.0.0 H-2.2.0.0 100 300us\n";
        assertThat(tool.run(
                        "sim @t.net --conf @t.conf --messages -",
                        new ByteArrayInputStream(recorded.getBytes(StandardCharsets.US_ASCII))))
                .as(tool.err())
                .isZero();
        assertThat(tool.out()).contains("9 hosts, 2 messages, 4,196 bytes").containsPattern("intact +300\\.\\d\\d us");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "H-0.0.0.0 H-0.0.0.0 1",
                "H-0.0.0.0 nobody 1",
                "H-0.0.0.0 S-1.1.0 1",
                "H-0.0.0.0 H-1.0.0.0",
                "H-0.0.0.0 H-1.0.0.0 -1",
                "H-0.0.0.0 H-1.0.0.0 1 soon",
                ""
            })
    void aWrongLineOfARecordingIsNamed(String line) throws IOException {
        Files.writeString(dir.resolve("r"), line + "\n");
        assertThat(sim("--messages @r")).isEqualTo(2);
        assertThat(tool.err()).containsPattern(line.isEmpty() ? "/r: " : "/r:1: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--job what",
                "--job halo --matrix @m",
                "--job halo --bytes 1TB",
                "--job halo --rounds 0",
                "--job halo --outstanding 0",
                "--job halo --static",
                "--job halo --csv @c",
                "--job all-to-all --rounds 2000000000",
                "--matrix @nothing",
                "--messages @nothing"
            })
    void wrongOptionsAreRefused(String options) {
        assertThat(sim(options)).isEqualTo(2);
        assertThat(tool.err()).startsWith("railyard: ");
        assertThat(tool.out()).isEmpty();
    }

    @Test
    void aJobWhoseHostIsGoneForAWhileIsBroken() {
        assertThat(sim("--job all-to-all --bytes 64KiB --fail S-1.1.0/1@50us --repair S-1.1.0/1@9s --retry-after 20us"))
                .isEqualTo(1);
        assertThat(tool.out()).contains("with failures: broken at ", " is given up: packets were lost");
        assertThat(sim("--job all-to-all --until 20us")).isEqualTo(1);
        assertThat(tool.out()).contains("intact: not done at");
    }
}
