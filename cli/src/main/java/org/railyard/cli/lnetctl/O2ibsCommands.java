package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.control.O2ibsOperation;
import org.railyard.control.Operation;

/** {@code o2ibs}: channel bonding (spec 21 §8, §9). */
final class O2ibsCommands {
    private O2ibsCommands() {}

    static LnetctlGroup group() {
        Command add =
                OperationCommand.of(O2ibsOperation.Add.class, Session::run).command();
        return new LnetctlGroup(
                "o2ibs",
                "addresses of peers for channel bonding",
                new Command(add.group(), add.action(), "[IP …]", add.summary(), add.options(), O2ibsCommands::add),
                OperationCommand.of(O2ibsOperation.Delete.class, Session::run).command(),
                OperationCommand.of(O2ibsOperation.Show.class, Session::run).command(),
                OperationCommand.of(O2ibsOperation.Check.class, O2ibsCommands::check)
                        .command(),
                OperationCommand.of(O2ibsOperation.Routes.class, Session::run).command());
    }

    /** Addresses are values of the option, parted by commas, and words behind it. */
    private static int add(ParsedLine line, Session session) {
        String nid = line.get("nid");
        if (nid == null) {
            return session.complain(Exit.FAILED, "o2ibs add: which peer is missing; say --nid NID");
        }
        List<String> ips = new ArrayList<>();
        line.all("ips").forEach(value -> ips.addAll(ParsedLine.parts(value)));
        line.words().forEach(word -> ips.addAll(ParsedLine.parts(word)));
        ips.removeIf(String::isBlank);
        if (ips.isEmpty()) {
            return session.complain(Exit.FAILED, "o2ibs add: which addresses is missing; say --ips IP …");
        }
        return session.run(new O2ibsOperation.Add(nid, ips, line.has("force")));
    }

    /** Prints the findings; an error among them makes the exit code that of EINVAL. */
    private static int check(Session session, Operation check) {
        return session.run(check, answer -> {
            session.print(answer);
            boolean wrong = answer.get("check") instanceof List<?> findings
                    && findings.stream()
                            .anyMatch(each ->
                                    each instanceof Map<?, ?> finding && "error".equals(finding.get("severity")));
            return wrong ? Exit.of(Errno.EINVAL.status()) : Exit.OK;
        });
    }
}
