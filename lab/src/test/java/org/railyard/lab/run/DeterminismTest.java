package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;

/** The same seed gives the same run, byte for byte: in one process, in another one, and beside others. */
class DeterminismTest {
    private static final String SCENARIO = "nic-failure-storm";
    private static final long SEED = 4;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void quiet() {
        Quiet.on();
    }

    private static String journal(long seed) {
        StringBuilder text = new StringBuilder();
        LabRun.run(
                Library.scenario(SCENARIO),
                seed,
                Seam.NONE,
                line -> text.append(line.text()).append('\n'));
        return text.toString();
    }

    /** What the other process does: writes the journal to a file. */
    static final class OtherProcess {
        private OtherProcess() {}

        public static void main(String[] args) throws IOException {
            Quiet.on();
            Files.writeString(Path.of(args[0]), journal(SEED));
        }
    }

    @Test
    void equalSeedsGiveEqualJournalsAndOthersGiveOthers() {
        String first = journal(SEED);
        assertThat(first.lines().count()).isGreaterThan(10_000);
        assertThat(journal(SEED)).isEqualTo(first);
        assertThat(journal(SEED + 1)).isNotEqualTo(first);
    }

    @Test
    void anotherProcessWritesTheSameJournal() throws IOException, InterruptedException {
        Path file = directory.resolve("journal");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        OtherProcess.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("output")))
                .isZero();
        assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEqualTo(journal(SEED));
    }

    @Test
    void whatRunsBesideDoesNotMatter() throws InterruptedException {
        Scenario scenario =
                Small.scenario("put, get, bare-put", "{at: 1s, for: 1s, unplug: {node: server, device: eth1}}");
        List<Long> alone = fingerprints(scenario, 1);
        assertThat(fingerprints(scenario, 4)).isEqualTo(alone).doesNotHaveDuplicates();
    }

    private static List<Long> fingerprints(Scenario scenario, int jobs) throws InterruptedException {
        List<RunResult> results = new ArrayList<>();
        new Campaign(scenario, jobs).run(1, 12, 12, results::add);
        results.sort((a, b) -> Long.compare(a.seed(), b.seed()));
        return results.stream().map(RunResult::fingerprint).toList();
    }
}
