package org.railyard.cli.lnetctl;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import org.railyard.control.FaultOperation;
import org.railyard.control.Operation;

/** {@code fault} (spec 12 §2.6, §4.10); the action is two words, of which the first is the kind of the rules. */
final class FaultCommands {
    private static final Set<String> TYPES = Set.of("PUT", "ACK", "GET", "REPLY");

    private FaultCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "fault",
                "rules that lose messages or hold them up, for tests",
                Stream.of("drop", "delay").flatMap(FaultCommands::commands).toList());
    }

    private static Stream<Command> commands(String kind) {
        return Stream.of(
                command(kind, "add", of(FaultOperation.Add.class).refusing(FaultCommands::wrongToAdd)),
                command(kind, "del", of(FaultOperation.Delete.class).refusing(FaultCommands::wrongToDelete)),
                command(kind, "reset", of(FaultOperation.Reset.class)),
                command(kind, "show", of(FaultOperation.Show.class)));
    }

    private static OperationCommand of(Class<? extends Operation> type) {
        return OperationCommand.of(type, FaultCommands::run).refusing(Exit.BAD);
    }

    /** Some options are for one kind only, which their help begins with. */
    private static Command command(String kind, String action, OperationCommand command) {
        return command.preset("kind", kind)
                .offering(opt -> Arrays.stream(new String[] {"drop: ", "delay: "})
                        .noneMatch(start -> opt.help().startsWith(start) && !start.startsWith(kind)))
                .command("fault " + kind + " " + action);
    }

    private static @Nullable String wrongToAdd(ParsedLine line) {
        return line.all("message").stream()
                .filter(type -> !TYPES.contains(type))
                .findFirst()
                .map(type -> "message type '" + type + "'; expected PUT, ACK, GET or REPLY, one with each --message")
                .orElse(null);
    }

    private static @Nullable String wrongToDelete(ParsedLine line) {
        return line.has("all") || (line.has("source") && line.has("dest"))
                ? null
                : "say --all, or both --source NID and --dest NID";
    }

    /** Failures of fault rules are a line of text. */
    private static int run(Session session, Operation operation) {
        try {
            session.print(session.dlc().execute(operation));
            return Exit.OK;
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return session.complain(Exit.FAILED, "fault: " + e.failure().text());
        }
    }
}
