package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Map;
import org.railyard.base.text.YamlText;
import org.railyard.control.Operation;
import org.railyard.control.TargetOperation;

/** {@code ping} and {@code discover} (spec 12 §2.6, §4.8). */
final class TargetCommands {
    private TargetCommands() {}

    static LnetctlGroup ping() {
        Command ping = OperationCommand.of(TargetOperation.Ping.class, TargetCommands::ask)
                .command();
        return LnetctlGroup.of(ping.withHelpExit(Exit.OK));
    }

    static LnetctlGroup discover() {
        Command discover = OperationCommand.of(TargetOperation.Discover.class, TargetCommands::ask)
                .refusing(Exit.BAD)
                .command();
        return LnetctlGroup.of(discover.withHelpExit(Exit.OK));
    }

    /** Asks; answers and failures of targets are one document. */
    private static int ask(Session session, Operation operation) {
        return session.run(operation, answer -> print(answer, session));
    }

    static int print(Map<String, Object> answer, Session session) {
        if (session.isJson()) {
            session.print(answer);
            return answer.containsKey("manage") ? Exit.BAD : Exit.OK;
        }
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
