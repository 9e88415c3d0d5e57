package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Commands from a terminal: with a prompt, history over sessions, and completion of commands and options. */
final class Interactive implements Lnetctl.LineSource, AutoCloseable {
    private static final String PROMPT = "> ";
    private static final int MAX_HISTORY = 1000;

    private final Terminal terminal;
    private final LineReader reader;

    /**
     * Takes the terminal of this process.
     *
     * @param history the file that keeps what was typed
     */
    Interactive(Path history) throws IOException {
        terminal = TerminalBuilder.builder().system(true).dumb(true).build();
        reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("lnetctl")
                .completer(new WordCompleter())
                .variable(LineReader.HISTORY_FILE, history)
                .variable(LineReader.HISTORY_SIZE, MAX_HISTORY)
                .build();
    }

    @Override
    public @Nullable String next() {
        try {
            return reader.readLine(PROMPT);
        } catch (UserInterruptException e) {
            // The line is thrown away, not the session.
            return "";
        } catch (EndOfFileException e) {
            return null;
        }
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public Terminal terminal() {
        return terminal;
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }

    /** Offers what may come next. */
    static final class WordCompleter implements Completer {
        @Override
        public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
            List<String> before = line.words().subList(0, line.wordIndex());
            offers(before).forEach(word -> candidates.add(new Candidate(word)));
        }
    }

    /** Returns what may follow some words: commands, actions, or options. */
    static List<String> offers(List<String> before) {
        List<String> offers = new ArrayList<>();
        Command command = LnetctlCommands.find(before);
        if (command != null) {
            command.options().forEach(opt -> offers.add("--" + opt.name()));
            offers.add("--help");
            return offers;
        }
        String start = before.isEmpty() ? "" : String.join(" ", before) + " ";
        for (Command each : LnetctlCommands.list()) {
            if (each.name().startsWith(start)) {
                String next = each.name().substring(start.length()).split(" ")[0];
                if (!offers.contains(next)) {
                    offers.add(next);
                }
            }
        }
        return offers;
    }
}
