package org.railyard.itest.kit;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.railyard.cli.Main;

/**
 * A command line that was run.
 *
 * @param exit its exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record Command(int exit, String out, String err) {
    /** Runs the words after {@code railyard}. */
    public static Command run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(new PrintWriter(out), new PrintWriter(err), words);
        return new Command(exit, out.toString(), err.toString());
    }
}
