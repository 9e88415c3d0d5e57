package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Map;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import org.railyard.control.ExplainOperation;
import org.railyard.control.Operation;

/** {@code explain path} and {@code explain health}: reasons. */
final class ExplainCommands {
    private ExplainCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "explain",
                        "path",
                        "",
                        "tell which way a message would go now, and why; nothing is sent",
                        List.of(
                                Opt.value("to", 't', "NID", "NID that it would be for"),
                                Opt.value("from", 'f', "NID", "NID of this node to send from"),
                                Opt.number("size", 's', "BYTES", "payload, 0 to 1048576; 4096")),
                        ExplainCommands::path),
                new Command(
                        "explain",
                        "health",
                        "NID",
                        "tell what the health of an NI is made of and what follows from it",
                        List.of(),
                        ExplainCommands::health));
    }

    private static int path(ParsedLine line, Session session) {
        String to = line.get("to");
        if (to == null) {
            return session.complain(Exit.FAILED, "explain path: whom the message is for is missing; say --to NID");
        }
        return print(new ExplainOperation.Path(to, line.get("from"), line.number("size")), session);
    }

    private static int health(ParsedLine line, Session session) {
        return line.words().isEmpty()
                ? session.complain(Exit.FAILED, "explain health: the NID is missing")
                : print(new ExplainOperation.Health(line.words().getFirst()), session);
    }

    private static int print(Operation operation, Session session) {
        try {
            Map<String, Object> answer = session.dlc().execute(operation);
            if (answer.get("text") instanceof List<?> lines) {
                lines.forEach(session.out()::println);
            }
            return Boolean.FALSE.equals(answer.get("possible")) ? 1 : Exit.OK;
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return session.fail(e);
        }
    }
}
