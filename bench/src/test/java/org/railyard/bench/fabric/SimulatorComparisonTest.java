package org.railyard.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatorComparisonTest {
    /** Says what BookSim 2 says: of a sample, then of all; the latter only of a load that gets steady. */
    private static final String FAKE = """
        #!/bin/sh
        grep -q '^k = 7;' "$1" || exit 1
        grep -q '^packet_size = 42;' "$1" || exit 1
        grep -q '^vc_buf_size = 166;' "$1" || exit 1
        echo 'Packet latency average = 99.5'
        grep -q '^injection_rate = 0.2552;' "$1" && exit 1
        echo 'Time taken is 40000 cycles'
        echo 'Packet latency average = 72.5 (1 samples)'
        echo 'Network latency average = 70.5 (1 samples)'
        echo 'Total run time 0.5'
        """;

    @TempDir
    private Path directory = Path.of("");

    private Path program(String text) throws IOException {
        Path program = directory.resolve("booksim");
        Files.writeString(program, text);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private String compare(Path program, List<Double> loads, long limit) throws IOException, InterruptedException {
        StringWriter text = new StringWriter();
        new SimulatorComparison(new PrintWriter(text, true), program, limit).run(directory, loads);
        return text.toString();
    }

    @Test
    void eachLoadHasARow() throws Exception {
        // 72.5 cycles, of which 42 stand for 1,054 bytes; 40,000 cycles of 25 ns in half a second.
        assertThat(compare(program(FAKE), List.of(0.05, 0.25), 60))
                .containsPattern("0\\.05 +1\\.7[0-9] +1\\.82 +[+-][0-9.]+ % +[0-9]+ +2000 +[0-9.]+\n")
                .containsPattern("0\\.25 +2\\.3[0-9] +- +- +[0-9]+ +- +-\n");
    }

    @Test
    void aProgramThatDoesNotEndIsEnded() throws Exception {
        assertThat(compare(program("#!/bin/sh\nexec sleep 1000\n"), List.of(0.05), 1))
                .containsPattern("0\\.05 +1\\.7[0-9] +- ");
    }
}
