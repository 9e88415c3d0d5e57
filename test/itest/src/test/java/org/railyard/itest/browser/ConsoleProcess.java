package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.railyard.cli.Main;

/** {@code railyard console} as a process of its own. */
final class ConsoleProcess implements AutoCloseable {
    private static final String OPEN = "console: open ";

    private final Process process;
    private final String url;

    /**
     * Starts it, and waits until it tells its address.
     *
     * @param dir for what it has to say on standard error
     */
    ConsoleProcess(Path dir, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")
                        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                Main.class.getName(),
                "console"));
        words.addAll(List.of(arguments));
        Path log = dir.resolve("console.log");
        process = new ProcessBuilder(words).redirectError(log.toFile()).start();
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(line).as(Files.readString(log)).startsWith(OPEN + "http://127.0.0.1:");
        url = line.substring(OPEN.length());
    }

    /** Returns the address to open. */
    String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
