package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.format.TextSink;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The directory that a command writes the dumps of a routed fabric to, where one is named. It appears whole or not at
 * all: it is filled under another name first.
 */
final class RoutedDirectory {
    private static final int BUFFER = 1 << 16;

    /** The options as a group: {@code --gzip} without a directory is a mistake. */
    private static final class Named {
        @Option(
                names = "--out",
                paramLabel = "DIR",
                required = true,
                description = "New or empty directory for the tables. Default: nothing is written.")
        private Path directory = Path.of("");

        @Option(
                names = "--gzip",
                description = "Pack each file of --out; verify and the other commands read them so, too.")
        private boolean packed;
    }

    @ArgGroup(exclusive = false)
    private @Nullable Named named;

    /** Packs four times as fast as usual, and a fifth longer. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Returns whether something is to be written. */
    boolean isWanted() {
        return named != null;
    }

    /**
     * Refuses a directory that would be overwritten.
     *
     * @throws FabricInputException if it exists and is not an empty directory
     */
    void requireFree() throws IOException {
        if (named == null || !Files.exists(named.directory)) {
            return;
        }
        Path directory = named.directory;
        if (!Files.isDirectory(directory)) {
            throw new FabricInputException(directory + ": exists and is no directory");
        }
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw new FabricInputException(directory + ": is not empty; name a new directory");
            }
        }
    }

    /**
     * Writes the dumps.
     *
     * @param files what writes each file, by its name; packed, the name ends in .gz
     * @return the directory as it was given
     * @throws IOException if they cannot be written; the message names the directory, and nothing is left of it
     * @throws NullPointerException if no directory was named
     */
    Path write(Map<String, Consumer<TextSink>> files) throws IOException {
        Named to = Objects.requireNonNull(named, "no directory was named");
        try {
            writeWhole(to.directory, to.packed, files);
        } catch (IOException e) {
            throw ResultFile.unwritten(to.directory, e);
        }
        return to.directory;
    }

    private static void writeWhole(Path directory, boolean packed, Map<String, Consumer<TextSink>> files)
            throws IOException {
        Path target = directory.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null) {
            throw new FabricInputException(directory + ": is the root directory");
        }
        Files.createDirectories(parent);
        Path growing = Files.createDirectory(parent.resolve(
                "." + target.getFileName() + "." + ProcessHandle.current().pid()));
        try {
            for (Map.Entry<String, Consumer<TextSink>> file : files.entrySet()) {
                write(growing.resolve(packed ? file.getKey() + ".gz" : file.getKey()), packed, file.getValue());
            }
            Files.deleteIfExists(target);
            Files.move(growing, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            discard(growing);
        }
    }

    private static void write(Path file, boolean packed, Consumer<TextSink> text) throws IOException {
        try (OutputStream raw = Files.newOutputStream(file);
                OutputStream out = packed ? new FastGzip(raw) : raw) {
            text.accept((characters, length) -> {
                try {
                    out.write(characters, 0, length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void discard(Path growing) throws IOException {
        if (Files.exists(growing)) {
            List<Path> written;
            try (Stream<Path> entries = Files.list(growing)) {
                written = entries.toList();
            }
            for (Path file : written) {
                Files.delete(file);
            }
            Files.delete(growing);
        }
    }
}
