package org.railyard.cli.fabric;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.railyard.cli.Main;

/** Runs {@code railyard fabric …} in a directory and keeps what it says. */
final class FabricTool {
    private final Path directory;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    FabricTool(Path directory) {
        this.directory = directory;
    }

    /** Runs a command line; words that begin with @ are files of the directory. Returns the exit status. */
    int run(String line) {
        out = new StringWriter();
        err = new StringWriter();
        List<String> words = new ArrayList<>(List.of("fabric"));
        for (String word : line.split(" ", -1)) {
            words.add(
                    word.startsWith("@") ? directory.resolve(word.substring(1)).toString() : word);
        }
        return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    /** Runs a command line with something on standard input. */
    int run(String line, InputStream input) {
        InputStream before = System.in;
        System.setIn(input);
        try {
            return run(line);
        } finally {
            System.setIn(before);
        }
    }

    /** Returns standard output of the last command. */
    String out() {
        return out.toString();
    }

    /** Returns standard error of the last command. */
    String err() {
        return err.toString();
    }
}
