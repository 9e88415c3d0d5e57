package org.railyard.cli.fabric;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.railyard.fabric.format.FormatException;

/** Text files, plain or gzipped. */
final class TextFile {
    /** Most bytes, after unpacking, of a file that is read as a whole. */
    static final int MAX_BYTES = 1 << 30;

    /**
     * Most bytes, after unpacking, of a file that is read line by line; 4,096 switches with 49,151 LIDs have some 15 GB
     * of tables.
     */
    static final long MAX_STREAMED_BYTES = 1L << 36;

    /** Most blanks and line ends before the first word of a file. */
    private static final int MAX_BLANKS = 1000;

    private TextFile() {}

    /** Ends with an error after so many bytes. */
    private static final class LimitedInput extends FilterInputStream {
        private final long limit;
        private long left;

        LimitedInput(InputStream in, long limit) {
            super(in);
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            count(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            count(Math.max(count, 0));
            return count;
        }

        private void count(int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new IOException("more than " + limit + " bytes");
            }
        }
    }

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
     * @throws FabricInputException if it cannot be read, is too long, or the parser does not take it; the message names
     *     the file
     */
    static <T> T parse(Path file, Function<String, T> parser) {
        return reading(file, () -> parser.apply(read(file, MAX_BYTES)));
    }

    /**
     * Gives a file to a parser that reads it line by line.
     *
     * @throws FabricInputException as {@link #parse}
     */
    static <T> T stream(Path file, Function<BufferedReader, T> parser) {
        return reading(file, () -> {
            try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                    InputStream in = new LimitedInput(unpacked(raw), MAX_STREAMED_BYTES)) {
                return parser.apply(new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1)));
            }
        });
    }

    /**
     * Tells whether a text begins with some words, after blanks and empty lines; it can then still be read from its
     * beginning.
     */
    static boolean startsWith(BufferedReader text, String words) {
        try {
            text.mark(MAX_BLANKS + words.length());
            int blanks = 0;
            int c = text.read();
            while (c >= 0 && Character.isWhitespace(c) && blanks++ < MAX_BLANKS) {
                c = text.read();
            }
            int same = 0;
            while (same < words.length() && c == words.charAt(same)) {
                same++;
                c = same < words.length() ? text.read() : -1;
            }
            text.reset();
            return same == words.length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is done with a file. */
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T reading(Path file, Reading<T> reading) {
        try {
            return reading.read();
        } catch (NoSuchFileException e) {
            throw new FabricInputException(file + ": no such file", e);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw new FabricInputException(
                    file + ": cannot be read: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
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
