package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.NeedsCommand;

/** The launcher, without the build: what it does before it starts anything. */
@NeedsCommand("sh")
final class LauncherTest {
    private static final long DEADLINE_SECONDS = 120;

    private static String run(int exit, ProcessBuilder builder) throws IOException, InterruptedException {
        Path log = Files.createTempFile("launcher", ".log");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            String output = Files.readString(log, StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(output).isEqualTo(exit);
            return output;
        } finally {
            Files.delete(log);
        }
    }

    private static String launcher() {
        return SourceTree.root().resolve("railyard").toString();
    }

    @Test
    @NeedsCommand("shellcheck")
    void shellcheckFindsNothing() throws IOException, InterruptedException {
        Path root = SourceTree.root();
        String ci = root.resolve(".ci/run").toString();
        assertThat(run(0, new ProcessBuilder("shellcheck", launcher(), ci))).isEmpty();
    }

    @Test
    void saysPlainlyThatTheNamedJdkWillNotDo(@TempDir Path old) throws IOException, InterruptedException {
        Files.createDirectory(old.resolve("bin"));
        assertThat(Files.createFile(old.resolve("bin/javac")).toFile().setExecutable(true))
                .isTrue();
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.1\"\n");
        ProcessBuilder builder = new ProcessBuilder("sh", launcher(), "--version");
        builder.environment().put("RAILYARD_JAVA_HOME", old.toString());
        assertThat(run(1, builder)).hasLineCount(1).contains(old.toString(), "no JDK 25 or later");
    }
}
