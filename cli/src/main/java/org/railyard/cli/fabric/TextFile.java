package org.railyard.cli.fabric;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
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
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.LimitedInput;
import org.railyard.fabric.format.FormatException;
import org.railyard.host.WholeText;

/** Text files, plain or gzipped. */
public final class TextFile {
    /** Most bytes, after unpacking, of a file that is read as a whole. */
    static final int MAX_BYTES = 1 << 30;

    /**
     * Most bytes, after unpacking, of a file that is read line by line; 4,096 switches with 49,151 LIDs have some 15 GB
     * of tables.
     */
    static final long MAX_STREAMED_BYTES = 1L << 36;

    /** Most bytes, after unpacking, of standard input: some 10 times the largest subnet. */
    static final int MAX_PIPED_BYTES = 1 << 28;

    /** The name that stands for standard input. */
    private static final Path STANDARD_INPUT = Path.of("-");

    /** Most blanks and line ends before the first word of a file. */
    private static final int MAX_BLANKS = 1000;

    private TextFile() {}

    /** Tells whether a name, {@code -}, stands for standard input. */
    static boolean isStandardInput(Path file) {
        return file.equals(STANDARD_INPUT);
    }

    /** Returns the name of a file as messages have it. */
    static String name(Path file) {
        return isStandardInput(file) ? "standard input" : file.toString();
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
     * @param expected what the file should be, for the message about an empty one
     * @throws FabricInputException if it cannot be read, is empty, is too long, or the parser does not take it; the
     *     message names the file
     */
    public static <T> T parse(Path file, String expected, Function<String, T> parser) {
        return reading(file.toString(), () -> parser.apply(full(file.toString(), read(file), expected)));
    }

    /**
     * The same of a file in which each line stands for itself: what is wrong in several lines is told at once.
     *
     * @param parser without effects, as {@link LineErrors#parse} needs it
     * @throws FabricInputException as {@link #parse}
     */
    static <T> T parseLines(Path file, String expected, Function<String, T> parser) {
        return parse(file, expected, text -> LineErrors.parse(file, text, parser));
    }

    /**
     * The same as {@link #parse}, of standard input if the file is called {@code -}; for what a command reads once.
     *
     * @throws FabricInputException as {@link #parse}
     */
    static <T> T parseOrPiped(Path file, String expected, Function<String, T> parser) {
        return isStandardInput(file)
                ? reading(name(file), () -> parser.apply(full(name(file), read(System.in, MAX_PIPED_BYTES), expected)))
                : parse(file, expected, parser);
    }

    /**
     * The same of a file that may be empty, because there may be nothing to tell.
     *
     * @throws FabricInputException as {@link #parse}
     */
    static <T> T parseEvenEmpty(Path file, Function<String, T> parser) {
        return reading(file.toString(), () -> parser.apply(read(file)));
    }

    /**
     * Gives a file to a parser that reads it line by line.
     *
     * @param expected what the file should be, for the message about an empty one
     * @throws FabricInputException as {@link #parse}
     */
    static <T> T stream(Path file, String expected, Function<BufferedReader, T> parser) {
        return reading(file.toString(), () -> {
            try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                    InputStream in = new LimitedInput(unpacked(raw), MAX_STREAMED_BYTES)) {
                BufferedReader text = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
                if (isBlank(text)) {
                    throw empty(file.toString(), expected);
                }
                return parser.apply(text);
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

    private static <T> T reading(String file, Reading<T> reading) {
        try {
            return reading.read();
        } catch (NoSuchFileException e) {
            throw new FabricInputException(file + ": no such file", e);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        } catch (UncheckedIOException e) {
            throw new FabricInputException(
                    file + ": cannot be read: " + FileReason.ofReading(Objects.requireNonNull(e.getCause())), e);
        } catch (FormatException e) {
            throw new FabricInputException(e.at(file), e);
        }
    }

    private static String read(Path file) throws IOException {
        try (InputStream raw = Files.newInputStream(file)) {
            return read(raw, MAX_BYTES);
        }
    }

    private static String full(String file, String text, String expected) {
        if (text.isBlank()) {
            throw empty(file, expected);
        }
        return text;
    }

    private static FabricInputException empty(String file, String expected) {
        return new FabricInputException(file + ": found nothing in it, expected " + expected);
    }

    /** Tells whether there is nothing to read but blanks, of which no more than a few are looked at. */
    private static boolean isBlank(BufferedReader text) throws IOException {
        text.mark(MAX_BLANKS);
        int blanks = 0;
        int c = text.read();
        while (c >= 0 && Character.isWhitespace(c) && ++blanks < MAX_BLANKS) {
            c = text.read();
        }
        text.reset();
        return c < 0;
    }

    /** Reads all there is; closing is left to whoever opened it, standard input stays open. */
    private static String read(InputStream raw, int maxBytes) throws IOException {
        InputStream in = new LimitedInput(unpacked(new BufferedInputStream(raw)), maxBytes);
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Returns what a file holds, from its first word on, of a stream that can be marked. */
    private static InputStream unpacked(InputStream in) throws IOException {
        in.mark(2);
        byte[] start = in.readNBytes(2);
        in.reset();
        boolean gzip = start.length == 2 && (start[0] & 0xFF) == 0x1F && (start[1] & 0xFF) == 0x8B;
        InputStream text = gzip ? new BufferedInputStream(new GZIPInputStream(in)) : in;
        WholeText.skipMark(text);
        return text;
    }
}
