package org.railyard.cli.fabric;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.railyard.fabric.format.FormatException;

/** Text files, plain or gzipped. */
final class TextFile {
    /** Most bytes of a file after unpacking. */
    static final int MAX_BYTES = 1 << 30;

    private TextFile() {}

    /** Returns the file of this name or of this name with .gz, if there is one. */
    static Optional<Path> find(Path directory, String name) {
        Path plain = directory.resolve(name);
        Path packed = directory.resolve(name + ".gz");
        return Files.isRegularFile(plain)
                ? Optional.of(plain)
                : Optional.of(packed).filter(Files::isRegularFile);
    }

    /**
     * Reads a file and gives its text to a parser.
     *
     * @throws FabricInputException if it cannot be read, is too long, or the parser does not take it; the message names the file
     */
    static <T> T parse(Path file, Function<String, T> parser) {
        try {
            return parser.apply(read(file, MAX_BYTES));
        } catch (NoSuchFileException e) {
            throw new FabricInputException(file + ": no such file", e);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + e.getMessage(), e);
        } catch (FormatException e) {
            throw new FabricInputException(file + ": " + e.getMessage(), e);
        }
    }

    static String read(Path file, int maxBytes) throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = unpacked(raw)) {
            byte[] bytes = in.readNBytes(maxBytes);
            if (bytes.length == maxBytes && in.read() >= 0) {
                throw new IOException("more than " + maxBytes + " bytes");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private static InputStream unpacked(InputStream in) throws IOException {
        in.mark(2);
        byte[] start = in.readNBytes(2);
        in.reset();
        boolean gzip = start.length == 2 && (start[0] & 0xFF) == 0x1F && (start[1] & 0xFF) == 0x8B;
        return gzip ? new GZIPInputStream(in) : in;
    }
}
