package org.railyard.cli.text;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.railyard.base.text.JsonText;
import picocli.CommandLine.Option;

/** The option {@code --json} of commands that print lines for people otherwise. */
public final class JsonOption {
    @Option(names = "--json", description = "Print one line of JSON instead of text.")
    private boolean json;

    /** For picocli. */
    public JsonOption() {}

    /** Tells whether JSON is wanted. */
    public boolean isWanted() {
        return json;
    }

    /** Prints a document if it is wanted, else lines. */
    public void print(PrintWriter out, Supplier<List<String>> lines, Supplier<Map<String, Object>> document) {
        if (json) {
            out.println(JsonText.of(document.get()));
        } else {
            lines.get().forEach(out::println);
        }
        out.flush();
    }
}
