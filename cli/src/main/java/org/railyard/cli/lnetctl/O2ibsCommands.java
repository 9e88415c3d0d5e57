package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.text.YamlText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import org.railyard.control.NetStatusOperation;
import org.railyard.control.O2ibsOperation;

/** {@code o2ibs} and {@code net_status}: channel bonding (spec 21 §8, §9). */
final class O2ibsCommands {
    private static final Opt NID = Opt.value("nid", (char) 0, "NID", "NID of the peer, such as 10.1.1.5@o2ib");
    private static final Opt NET = Opt.value("net", 'n', "NET", "only this net, such as o2ib or o2ib1");

    private O2ibsCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "o2ibs",
                        "add",
                        "[IP …]",
                        "tell at which addresses a peer is reached",
                        List.of(
                                NID,
                                Opt.value("ips", (char) 0, "IP …", "1 to 16 addresses of the peer, in order"),
                                Opt.flag("force", 'f', "also if the peer has other addresses by now")),
                        O2ibsCommands::add),
                new Command("o2ibs", "del", "", "forget the addresses of a peer", List.of(NID), O2ibsCommands::delete),
                new Command(
                        "o2ibs",
                        "show",
                        "",
                        "show the addresses of peers",
                        List.of(NET, NID),
                        (line, session) -> session.run(new O2ibsOperation.Show(line.get("net"), line.get("nid")))),
                new Command(
                        "o2ibs",
                        "check",
                        "",
                        "look for what is wrong with groups of interfaces and addresses of peers",
                        List.of(NET, Opt.flag("probe", (char) 0, "also connect each route")),
                        O2ibsCommands::check),
                new Command(
                        "o2ibs",
                        "routes",
                        "",
                        "show the routes that messages to peers take turns on",
                        List.of(NET),
                        (line, session) -> session.run(new O2ibsOperation.Routes(line.get("net")))),
                new Command(
                        "net_status",
                        "",
                        "",
                        "show the state of InfiniBand interfaces",
                        List.of(NET),
                        (line, session) -> session.run(new NetStatusOperation.Show(line.get("net")))));
    }

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

    private static int delete(ParsedLine line, Session session) {
        String nid = line.get("nid");
        return nid == null
                ? session.complain(Exit.FAILED, "o2ibs del: which peer is missing; say --nid NID")
                : session.run(new O2ibsOperation.Delete(nid));
    }

    /** Prints the findings; an error among them makes the exit code that of EINVAL. */
    private static int check(ParsedLine line, Session session) {
        try {
            Map<String, Object> answer =
                    session.dlc().execute(new O2ibsOperation.Check(line.get("net"), line.has("probe")));
            session.out().print(YamlText.of(answer));
            boolean wrong = answer.get("check") instanceof List<?> findings
                    && findings.stream()
                            .anyMatch(each ->
                                    each instanceof Map<?, ?> finding && "error".equals(finding.get("severity")));
            return wrong ? Exit.of(Errno.EINVAL.status()) : Exit.OK;
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return session.fail(e);
        }
    }
}
