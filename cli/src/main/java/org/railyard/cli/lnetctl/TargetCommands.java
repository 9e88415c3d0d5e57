package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.railyard.base.text.YamlText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import org.railyard.control.Operation;
import org.railyard.control.TargetOperation;

/** {@code ping} and {@code discover} (spec 12 §2.6, §4.8). */
final class TargetCommands {
    private TargetCommands() {}

    static List<Command> all() {
        return Stream.of(
                        new Command(
                                "ping",
                                "",
                                "NID …",
                                "ask nodes for their NIDs",
                                List.of(
                                        Opt.value("source", 's', "NID", "NID of this node to ping from"),
                                        Opt.number("timeout", 't', "SECONDS", "limit for each answer, at most 180; 1")),
                                TargetCommands::ping),
                        new Command(
                                "discover",
                                "",
                                "NID …",
                                "find out the NIDs of nodes and tell them ours",
                                List.of(Opt.flag("force", 'f', "even what is up to date")),
                                TargetCommands::discover))
                .map(command -> command.withHelpExit(Exit.OK))
                .toList();
    }

    private static int ping(ParsedLine line, Session session) {
        if (line.words().isEmpty()) {
            return session.complain(Exit.FAILED, "ping: whom is missing; for example: lnetctl ping 10.0.0.5@tcp");
        }
        return ask(new TargetOperation.Ping(nids(line), line.get("source"), line.number("timeout"), null), session);
    }

    private static int discover(ParsedLine line, Session session) {
        if (line.words().isEmpty()) {
            return session.complain(Exit.BAD, "discover: whom is missing; for example: lnetctl discover 10.0.0.5@tcp");
        }
        return ask(new TargetOperation.Discover(nids(line), line.has("force")), session);
    }

    private static List<String> nids(ParsedLine line) {
        return line.words().stream()
                .flatMap(word -> ParsedLine.parts(word).stream())
                .toList();
    }

    /** Asks; answers and failures of targets are one document. */
    static int ask(Operation operation, Session session) {
        try {
            return print(session.dlc().execute(operation), session);
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return session.fail(e);
        }
    }

    static int print(Map<String, Object> answer, Session session) {
        int exit = Exit.OK;
        for (Map.Entry<String, Object> each : answer.entrySet()) {
            if (each.getKey().equals("manage")) {
                exit = Exit.BAD;
                session.out().print("manage:\n");
                ((List<?>) each.getValue()).forEach(item -> failed((Map<?, ?>) item, session));
            } else {
                session.out().print(YamlText.of(Map.of(each.getKey(), each.getValue())));
            }
        }
        return exit;
    }

    private static void failed(Map<?, ?> item, Session session) {
        String entity = String.valueOf(item.keySet().iterator().next());
        session.out()
                .print(ErrorText.target(entity, String.valueOf(item.get("errno")), String.valueOf(item.get("descr"))));
    }
}
