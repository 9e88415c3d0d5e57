package org.railyard.bench.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A run of another program that came to its end.
 *
 * @param output what it wrote to both of its outputs, each byte as one character
 * @param micros from its start to its end, µs
 */
public record LimitedRun(String output, long micros) {
    /**
     * Runs a program in a directory, where its output is left in a file named after the program.
     *
     * @param command the program and its arguments
     * @param limitSeconds when it is ended from outside, s
     * @return nothing if it did not end by itself in that time
     * @throws IOException if there is no such program, or its output cannot be read
     */
    public static Optional<LimitedRun> of(List<String> command, Path directory, long limitSeconds)
            throws IOException, InterruptedException {
        Path output = directory.resolve(Path.of(command.getFirst()).getFileName() + ".out");
        long start = System.nanoTime();
        Process process = Leftovers.start(new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()));
        boolean ended;
        long micros;
        try {
            ended = process.waitFor(limitSeconds, TimeUnit.SECONDS);
            micros = (System.nanoTime() - start) / 1000;
        } finally {
            Leftovers.end(process);
        }
        return ended
                ? Optional.of(new LimitedRun(Files.readString(output, StandardCharsets.ISO_8859_1), micros))
                : Optional.empty();
    }
}
