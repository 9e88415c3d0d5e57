package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.util.List;

/** A file that a command cannot use; each line names it and says what to look at. */
public final class FabricInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

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

    /** Makes one with several lines, each of which names the file. */
    public FabricInputException(List<String> lines) {
        super(String.join("; ", lines));
        this.lines = List.copyOf(lines);
    }

    FabricInputException(List<String> lines, Throwable cause) {
        super(String.join("; ", lines), cause);
        this.lines = List.copyOf(lines);
    }

    /** Prints the lines as the program prints errors. */
    public void print(PrintWriter err) {
        lines.forEach(line -> err.println("railyard: " + line));
    }
}
