package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left of a measurement that is told to end: nothing. */
class LeftoversTest {
    /** Begins a measurement that goes on for ever. */
    static final class Endless {
        private Endless() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path folder = Leftovers.folder();
            Files.writeString(Files.createDirectory(folder.resolve("deep")).resolve("file"), "text");
            Process program = Leftovers.start(new ProcessBuilder("tail", "-f", "/dev/null"));
            System.out.println(folder);
            System.out.println(program.pid());
            program.waitFor();
            Leftovers.start(new ProcessBuilder("touch", arguments[0]));
        }
    }

    @Test
    void programsAreEndedAndFoldersDeletedWhenTheJvmIsToldToEnd() throws Exception {
        Path later = Files.createTempDirectory("later").resolve("later");
        Process measurement = new ProcessBuilder(List.of(
                        ChildClassPath.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ChildClassPath.ofThis(),
                        Endless.class.getName(),
                        later.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = measurement.inputReader()) {
            Path folder = Path.of(String.valueOf(said.readLine()));
            Optional<ProcessHandle> program = ProcessHandle.of(Long.parseLong(String.valueOf(said.readLine())));
            assertThat(folder.resolve("deep/file")).exists();
            assertThat(program)
                    .hasValueSatisfying(each -> assertThat(each.isAlive()).isTrue());
            measurement.destroy();
            measurement.waitFor();
            assertThat(folder).doesNotExist();
            assertThat(program)
                    .hasValueSatisfying(each -> assertThat(each.isAlive()).isFalse());
            assertThat(later).as("nothing is started any more").doesNotExist();
        } finally {
            measurement.destroyForcibly();
            Files.deleteIfExists(later);
            Files.delete(later.getParent());
        }
    }

    @Test
    void whatEndsInTimeLeavesNothingEither() throws Exception {
        Path folder = Leftovers.folder();
        Process program = Leftovers.start(new ProcessBuilder("tail", "-f", "/dev/null").directory(folder.toFile()));
        Leftovers.end(program);
        assertThat(program.isAlive()).isFalse();
        Leftovers.delete(folder);
        assertThat(folder).doesNotExist();
    }
}
