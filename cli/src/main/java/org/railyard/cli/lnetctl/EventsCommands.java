package org.railyard.cli.lnetctl;

import java.util.Map;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.railyard.base.text.JsonText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import org.railyard.control.EventsOperation;

/** {@code events}: what happened to the node, and what happens. */
final class EventsCommands {
    private static final int KIND_WIDTH = 17;

    private EventsCommands() {}

    static LnetctlGroup group() {
        Command shown = OperationCommand.of(EventsOperation.Show.class, Session::run)
                .taking(Opt.flag("follow", 'f', "go on with what happens from now on, a line for each, until Ctrl-C"))
                .command();
        Command followed = OperationCommand.of(
                        EventsOperation.Show.class,
                        (session, operation) -> follow(session, (EventsOperation.Show) operation))
                .command();
        return LnetctlGroup.of(new Command(
                shown.group(),
                shown.action(),
                "",
                shown.summary(),
                shown.options(),
                (line, session) ->
                        (line.has("follow") ? followed : shown).body().run(line, session)));
    }

    private static int follow(Session session, EventsOperation.Show which) {
        Terminal terminal = session.terminal();
        if (terminal == null) {
            return tell(session, which);
        }
        Thread reader = Thread.currentThread();
        SignalHandler before = terminal.handle(Signal.INT, signal -> reader.interrupt());
        try {
            return tell(session, which);
        } finally {
            terminal.handle(Signal.INT, before);
        }
    }

    private static int tell(Session session, EventsOperation.Show which) {
        try {
            session.dlc().follow(which, document -> {
                String line = session.isJson() ? JsonText.of(document) : lineOf(document);
                if (document.containsKey("text") || document.containsKey("lost")) {
                    session.out().println(line);
                }
                // Whoever reads it, such as 'head', may have gone.
                return !session.out().checkError();
            });
            return Exit.OK;
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, "events: " + e.text());
        } catch (DlcException e) {
            return session.fail(e);
        } catch (InterruptedException e) {
            // Ctrl-C at our own prompt, which goes on.
            return Exit.OK;
        }
    }

    private static String lineOf(Map<String, Object> document) {
        if (document.containsKey("lost")) {
            return document.get("lost") + " events are missing here: they came faster than they were read";
        }
        String kind = String.valueOf(document.get("kind"));
        return document.get("time") + "  " + kind + " ".repeat(Math.max(0, KIND_WIDTH - kind.length())) + "  "
                + document.get("text");
    }
}
