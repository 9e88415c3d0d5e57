package org.railyard.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.text.ReportOption;
import org.railyard.cli.text.ResultFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

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
     * @param report makes its directory afterwards, in which the file may lie
     * @throws picocli.CommandLine.ParameterException if it can not
     */
    public void check(CommandSpec spec, ReportOption report) {
        if (file != null && !report.isIn(file)) {
            ResultFile.require(spec, "--json", file);
        }
    }

    /**
     * Writes a document, if it is wanted.
     *
     * @param document a map with text keys, list, text, number, boolean or null
     * @throws IOException if it can not be written; the message names the file and why
     */
    public void write(Object document) throws IOException {
        Path known = file;
        if (known != null) {
            ResultFile.write(known, Json.write(document));
        }
    }
}
