package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.lnetctl.top.LiveScreen;
import org.railyard.cli.lnetctl.top.PlainTables;
import org.railyard.cli.lnetctl.top.UnavailableException;
import org.railyard.cli.service.NoServiceException;
import org.railyard.cli.text.ReadingInterval;
import org.railyard.cli.text.StandardOutput;
import org.railyard.control.DlcException;
import org.railyard.control.StatsOperation;

/** {@code top}: rates, credits and health of NIs and peers, as they change. */
final class TopCommands {
    private static final int MAX_ITERATIONS = 1_000_000;

    private TopCommands() {}

    static LnetctlGroup group() {
        return LnetctlGroup.of(new Command(
                        "top",
                        "",
                        "",
                        "watch rates, credits and health of NIs and peers; h for help, q to quit",
                        List.of(
                                Opt.value("interval", 'i', "TIME", "time between readings, such as 500ms or 5s; 1s"),
                                Opt.value(
                                        "sort",
                                        's',
                                        "KEY",
                                        String.join(", ", LiveScreen.sortings()) + "; "
                                                + LiveScreen.sortings().getFirst()),
                                Opt.flag("once", (char) 0, "print one table and end; so it does without a terminal"),
                                Opt.value("iterations", 'n', "N", "print N tables and end")),
                        TopCommands::run)
                .withHelpExit(Exit.OK));
    }

    private static int run(ParsedLine line, Session session) {
        Duration interval = interval(line.get("interval"));
        String sort = line.has("sort")
                ? String.valueOf(line.get("sort"))
                : LiveScreen.sortings().getFirst();
        Integer iterations = line.has("iterations") ? line.number("iterations") : Integer.valueOf(1);
        if (interval == null) {
            return session.complain(
                    Exit.FAILED, "top: --interval '" + line.get("interval") + "'; " + ReadingInterval.EXPECTED);
        }
        if (!LiveScreen.sortings().contains(sort)) {
            return session.complain(
                    Exit.FAILED,
                    "top: --sort '" + sort + "'; expected one of " + String.join(", ", LiveScreen.sortings()));
        }
        if (iterations == null || iterations < 1 || iterations > MAX_ITERATIONS) {
            return session.complain(
                    Exit.FAILED, "top: --iterations '" + line.get("iterations") + "'; expected 1…" + MAX_ITERATIONS);
        }
        if (!line.words().isEmpty()) {
            return session.complain(Exit.FAILED, "top: '" + line.words().getFirst() + "' is too much");
        }
        boolean batch = line.has("once") || line.has("iterations") || !StandardOutput.isTerminal();
        try {
            if (batch) {
                PlainTables.run(() -> sample(session), interval, iterations, sort, session.out(), Thread::sleep);
            } else {
                live(session, interval, sort);
            }
            return Exit.OK;
        } catch (UnavailableException e) {
            return session.complain(Exit.FAILED, "top: " + e.getMessage());
        } catch (IOException e) {
            return session.complain(Exit.FAILED, "top: the terminal can not be used: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.FAILED;
        }
    }

    private static @Nullable Duration interval(@Nullable String text) {
        return text == null
                ? Duration.ofSeconds(1)
                : ReadingInterval.parse(text).orElse(null);
    }

    private static Map<String, Object> sample(Session session) throws UnavailableException {
        try {
            return session.dlc().execute(new StatsOperation.Sample());
        } catch (NoServiceException e) {
            throw new UnavailableException(e.text(), false);
        } catch (DlcException e) {
            throw new UnavailableException(e.failure().text(), true);
        }
    }

    private static void live(Session session, Duration interval, String sort) throws IOException, UnavailableException {
        Terminal open = session.terminal();
        if (open != null) {
            live(open, session, interval, sort);
            return;
        }
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).dumb(true).build()) {
            live(terminal, session, interval, sort);
        }
    }

    private static void live(Terminal terminal, Session session, Duration interval, String sort)
            throws IOException, UnavailableException {
        if (!LiveScreen.canDrawOn(terminal)) {
            throw new IOException("type " + terminal.getType() + " has no screen; --iterations N prints tables");
        }
        new LiveScreen(terminal, () -> sample(session), interval, sort).run();
    }
}
