package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.control.ExplainOperation;
import org.railyard.control.Operation;

/** {@code explain}: reasons. */
final class ExplainCommands {
    private ExplainCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "explain",
                "why a message goes its way, why an NI has its health",
                OperationCommand.all(
                        ExplainCommands::print, List.of(ExplainOperation.Path.class, ExplainOperation.Health.class)));
    }

    private static int print(Session session, Operation operation) {
        return session.run(operation, answer -> {
            if (answer.get("text") instanceof List<?> lines) {
                lines.forEach(session.out()::println);
            }
            return Boolean.FALSE.equals(answer.get("possible")) ? 1 : Exit.OK;
        });
    }
}
