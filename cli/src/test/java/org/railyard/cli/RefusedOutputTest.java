package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose results nobody gets. */
class RefusedOutputTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter err = new StringWriter();

    private int run(OutputStream out, String line) {
        return Main.run(out, StandardCharsets.UTF_8, new PrintWriter(err), line.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fabric generate torus 3x3", "fabric qos", "fabric verify --help"})
    void commandsThatFindSomethingWith1FailWithAnother(String line) throws IOException {
        try (OutputStream full = new FileOutputStream(FULL.toFile())) {
            assertThat(run(full, line)).isEqualTo(5);
        }
        assertThat(err.toString()).contains("EIO: results can not be written to standard output");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "lnetd --help",
                "lnetd --man-page",
                "lnetctl help",
                "lnetctl --list-commands",
                "lnetctl --man-page",
                "lab list",
                "lab show rail-down",
                "o2ib tunables",
                "o2ib tunables --reference",
                "completion bash",
                "explain path --config CONFIG --to 127.0.0.9@tcp"
            })
    void aFullDiskIsAFailure(String line) throws IOException {
        Path config = Files.writeString(folder.resolve("net.yaml"), """
            net:
              - net type: tcp
                local NI(s):
                  - nid: 127.0.0.1@tcp
            """);
        String words = line.replace("CONFIG", config.toString());
        try (OutputStream good = OutputStream.nullOutputStream()) {
            assertThat(run(good, words)).as("%s: %s", line, err).isZero();
        }
        assertThat(err.toString()).isEmpty();
        assertThat(FULL).exists();
        try (OutputStream full = new FileOutputStream(FULL.toFile())) {
            assertThat(run(full, words)).as(line).isEqualTo(1);
        }
        assertThat(err.toString())
                .startsWith("railyard: EIO: results can not be written to standard output: No space left on device")
                .hasLineCount(1);
    }

    @Test
    void whatFailsForAnotherReasonKeepsItsExitCode() throws IOException {
        try (OutputStream full = new FileOutputStream(FULL.toFile())) {
            assertThat(run(full, "lnetctl net --help"))
                    .as("usage has always been 1")
                    .isEqualTo(1);
            assertThat(run(full, "o2ib tunables --nonsense")).isEqualTo(2);
        }
    }

    @Test
    void aReaderWhoHasEnoughIsNoFailure() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().close();
        try (OutputStream unread = Channels.newOutputStream(pipe.sink())) {
            assertThat(run(unread, "o2ib tunables")).isZero();
        }
        assertThat(err.toString()).isEmpty();
    }
}
