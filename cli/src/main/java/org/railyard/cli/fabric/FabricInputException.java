package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file that a command cannot use; each line names it and says what to look at. */
public final class FabricInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Most errors of one file that are told. */
    static final int MAX_OF_A_FILE = 10;

    private final transient List<String> lines;

    FabricInputException(String message) {
        super(message);
        lines = List.of(message);
    }

    /** Makes one with one line, which names the file. */
    public FabricInputException(String message, Throwable cause) {
        super(message, cause);
        lines = List.of(message);
    }

    /** Makes one with several lines, each of which names its file. */
    FabricInputException(List<String> lines) {
        super(String.join("; ", lines));
        this.lines = List.copyOf(lines);
    }

    /**
     * Makes one of what is wrong with a single file, of which the first {@value #MAX_OF_A_FILE} errors are told.
     *
     * @param errors one line for each, which names the file
     * @param areAll whether there are no others
     */
    public static FabricInputException of(Path file, List<String> errors, boolean areAll) {
        int more = errors.size() - MAX_OF_A_FILE;
        if (more <= 0) {
            return new FabricInputException(errors);
        }
        List<String> told = new ArrayList<>(errors.subList(0, MAX_OF_A_FILE));
        told.add("%s: %s%d more error%s".formatted(file, areAll ? "" : "at least ", more, more == 1 ? "" : "s"));
        return new FabricInputException(told);
    }

    /** Returns the lines, each of which names its file. */
    List<String> lines() {
        return lines;
    }

    /** Prints the lines as the program prints errors. */
    public void print(PrintWriter err) {
        lines.forEach(line -> err.println("railyard: " + line));
    }
}
