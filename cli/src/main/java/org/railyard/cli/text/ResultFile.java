package org.railyard.cli.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Files that commands write beside what they print. */
public final class ResultFile {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    private ResultFile() {}

    /** What is done when one file is prepared. */
    @FunctionalInterface
    public interface Other {
        /**
         * Writes what else there is.
         *
         * @throws IOException if it cannot be written
         */
        void write() throws IOException;
    }

    /**
     * Writes a text instead of what the file holds, whole or not at all.
     *
     * @throws IOException if it cannot be written; the message names the file and why
     */
    public static void write(Path file, String text) throws IOException {
        write(file, text, () -> {});
    }

    /**
     * Writes a text, and something else if the text can be written: either both or none of them.
     *
     * @param other is written when the text lies beside the file
     * @throws IOException if one cannot be written; the message names the file and why
     */
    public static void write(Path file, String text, Other other) throws IOException {
        try (OutputFile prepared = prepared(file, text)) {
            other.write();
            placed(file, prepared);
        }
    }

    /** Tells whether the value of an option that names a file means standard output: none is given, or {@code -}. */
    public static boolean isStandardOutput(@Nullable Path file) {
        return file == null || file.equals(STANDARD_OUTPUT);
    }

    /**
     * Writes a text as {@link #write(Path, String)} does, or prints it if the file is that of standard output.
     *
     * @throws IOException if it cannot be written; the message names the file and why
     */
    public static void writeOrPrint(CommandSpec spec, @Nullable Path file, String text) throws IOException {
        if (file == null || isStandardOutput(file)) {
            PrintWriter standard = spec.commandLine().getOut();
            standard.print(text);
            standard.flush();
        } else {
            write(file, text);
        }
    }

    private static OutputFile prepared(Path file, String text) throws IOException {
        try {
            return OutputFile.prepare(file, text);
        } catch (IOException e) {
            throw unwritten(file, e);
        }
    }

    private static void placed(Path file, OutputFile prepared) throws IOException {
        try {
            prepared.place();
        } catch (IOException e) {
            throw unwritten(file, e);
        }
    }

    /** Returns a failure that names what could not be written, and why. */
    public static IOException unwritten(Path file, IOException why) {
        return new IOException(file + ": cannot be written: " + FileReason.ofWriting(file, why), why);
    }

    /**
     * Checks that a file can be written, before something that takes long is begun.
     *
     * @param option that names it, for the message
     * @throws ParameterException if not; tells why
     */
    public static void require(CommandSpec spec, String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        String why = "";
        if (Files.isDirectory(file)) {
            why = "it is a directory";
        } else if (directory == null || !Files.isDirectory(directory)) {
            why = "there is no folder " + directory;
        } else if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            why = "permission denied";
        }
        if (!why.isEmpty()) {
            throw new ParameterException(spec.commandLine(), option + " " + file + ": cannot be written: " + why);
        }
    }

    /** The files that a command line names, by their options. */
    public static final class Names {
        private final Map<Path, String> options = new LinkedHashMap<>();

        /** Makes an empty set. */
        public Names() {}

        /**
         * Takes the file of an option, if there is one.
         *
         * @throws ParameterException if another option names the same file, by whichever path
         */
        public Names add(CommandSpec spec, String option, @Nullable Path file) {
            if (file != null) {
                String other = Optional.ofNullable(options.putIfAbsent(real(file), option))
                        .orElse(option);
                if (!other.equals(option)) {
                    throw new ParameterException(spec.commandLine(), other + " and " + option + " both name " + file);
                }
            }
            return this;
        }

        /** Returns the path without links, as far as there is something at it. */
        private static Path real(Path file) {
            try {
                return Files.exists(file)
                        ? file.toRealPath()
                        : file.toAbsolutePath().normalize();
            } catch (IOException e) {
                return file.toAbsolutePath().normalize();
            }
        }
    }
}
