package org.railyard.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.OutputFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --json FILE} of commands that measure. */
public final class JsonFileOption {
    @Option(names = "--json", paramLabel = "FILE", description = "Also write every round to this file, as JSON.")
    private @Nullable Path file;

    /** For picocli. */
    public JsonFileOption() {}

    /** Tells whether a file is wanted. */
    public boolean isWanted() {
        return file != null;
    }

    /**
     * Checks before minutes of measuring that the file can be written afterwards.
     *
     * @throws ParameterException if it can not
     */
    public void check(CommandSpec spec) {
        Path known = file;
        if (known == null) {
            return;
        }
        Path directory = known.toAbsolutePath().getParent();
        boolean writable = Files.exists(known)
                ? Files.isRegularFile(known) && Files.isWritable(known)
                : directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
        if (!writable) {
            throw new ParameterException(spec.commandLine(), "--json: cannot write " + known);
        }
    }

    /**
     * Writes a document, if it is wanted.
     *
     * @param document a map with text keys, list, text, number, boolean or null
     */
    public void write(Object document) throws IOException {
        Path known = file;
        if (known != null) {
            OutputFile.write(known, Json.write(document));
        }
    }
}
