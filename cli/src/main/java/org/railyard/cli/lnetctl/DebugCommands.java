package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.railyard.base.text.YamlText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DebugOperation;
import org.railyard.control.DlcException;
import org.railyard.control.FaultOperation;
import org.railyard.control.Operation;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;
import org.railyard.o2iblnd.wire.Kib;

/** {@code debug}, {@code fault}, {@code cpt-of-nid} and helpers of the node (spec 12 §2.6, §4.9, §4.10). */
final class DebugCommands {
    private static final Set<String> TYPES = Set.of("PUT", "ACK", "GET", "REPLY");
    private static final Opt SOURCE = Opt.value("source", 's', "NID", "source NID; *@NET for all of a net, * for all");
    private static final Opt DEST = Opt.value("dest", 'd', "NID", "destination NID, in the same way");

    private DebugCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "debug",
                        "recovery",
                        "",
                        "show the NIs that are in recovery",
                        List.of(Opt.flag("local", 'l', "of this node"), Opt.flag("peer", 'p', "of peers")),
                        DebugCommands::recovery),
                new Command(
                        "debug",
                        "peer",
                        "",
                        "write what is known of a peer to the log, or show one by its index",
                        List.of(
                                Opt.value("nid", 'k', "NID", "any of its NIDs"),
                                Opt.number(
                                        "index", (char) 0, "N", "show the peer that became known as the Nth, from 0")),
                        DebugCommands::peer),
                new Command(
                        "debug",
                        "ni",
                        "",
                        "show one NI of a net by its index",
                        List.of(
                                Opt.value("net", 'n', "NET", "the net"),
                                Opt.number("index", (char) 0, "N", "its place in the net, from 0; 0")),
                        DebugCommands::ni),
                new Command(
                        "debug",
                        "usage",
                        "",
                        "show how much an NI is used of late: heat, messages and bytes per second",
                        List.of(Opt.value("nid", 'k', "NID", "an NID of this node or of a peer")),
                        DebugCommands::usage),
                new Command(
                        "debug",
                        "nidlist",
                        "LIST",
                        "show how a list of NIDs is read",
                        List.of(),
                        DebugCommands::nidlist),
                new Command(
                        "cpt-of-nid",
                        "",
                        "NID …",
                        "tell the CPU partitions that messages to NIDs are counted on",
                        List.of(),
                        DebugCommands::cptOfNid),
                new Command(
                        "service-id",
                        "",
                        "",
                        "show the number under which the node is found by RDMA connection managers",
                        List.of(),
                        DebugCommands::serviceId),
                helper("setup-mrrouting"),
                helper("setup-sysctl"));
    }

    private static int serviceId(ParsedLine line, Session session) {
        // Nodes on one fabric have to agree on the port, so it is everybody's.
        long id = Kib.serviceId(Kib.SERVICE_PORT);
        session.out().print(String.format("service_id:\n    value: 0x%016x\n", id));
        return Exit.OK;
    }

    private static Command helper(String name) {
        return new Command(
                name,
                "",
                "",
                "taken, without effect: settings of the system are left alone",
                List.of(),
                (line, session) -> Exit.OK);
    }

    private static int recovery(ParsedLine line, Session session) {
        if (line.has("local") == line.has("peer")) {
            return session.complain(Exit.FAILED, "debug recovery: say either --local or --peer");
        }
        return session.run(new DebugOperation.Recovery(line.has("peer")));
    }

    private static int peer(ParsedLine line, Session session) {
        String nid = line.get("nid");
        Integer index = line.number("index");
        if (nid != null && index == null) {
            return session.run(new DebugOperation.Peer(nid));
        }
        return index != null && nid == null
                ? session.run(new DebugOperation.PeerAt(index))
                : session.complain(Exit.FAILED, "debug peer: say either --nid NID or --index N");
    }

    private static int ni(ParsedLine line, Session session) {
        String net = line.get("net");
        Integer index = line.number("index");
        return net == null
                ? session.complain(Exit.FAILED, "debug ni: of which net is missing; say --net NET")
                : session.run(new DebugOperation.Ni(net, index == null ? 0 : index));
    }

    private static int usage(ParsedLine line, Session session) {
        String nid = line.get("nid");
        return nid == null
                ? session.complain(Exit.FAILED, "debug usage: of which NI is missing; say --nid NID")
                : session.run(new DebugOperation.Usage(nid));
    }

    private static int nidlist(ParsedLine line, Session session) {
        if (line.words().isEmpty()) {
            return session.complain(Exit.FAILED, "debug nidlist: the list is missing");
        }
        String list = line.words().getFirst();
        try {
            session.out().println("list of NIDs: " + NidList.parse(list));
            return Exit.OK;
        } catch (NidFormatException e) {
            return session.complain(Exit.FAILED, "debug nidlist: " + e.getMessage());
        }
    }

    private static int cptOfNid(ParsedLine line, Session session) {
        return line.words().isEmpty()
                ? session.complain(Exit.FAILED, "cpt-of-nid: the NIDs are missing")
                : session.run(new DebugOperation.CptOfNid(line.words()));
    }

    /** Returns {@code fault drop …} and {@code fault delay …}; their action is two words. */
    static List<Command> faults() {
        return Stream.of("drop", "delay").flatMap(DebugCommands::faults).toList();
    }

    private static Stream<Command> faults(String kind) {
        return Stream.of(
                new Command(
                        "fault",
                        kind + " add",
                        "",
                        kind.equals("drop") ? "lose messages" : "hold messages up",
                        kind.equals("drop") ? dropOptions() : delayOptions(),
                        (line, session) -> addFault(kind, line, session)),
                new Command(
                        "fault",
                        kind + " del",
                        "",
                        "delete rules",
                        List.of(SOURCE, DEST, Opt.flag("all", 'a', "all of them")),
                        (line, session) -> deleteFault(kind, line, session)),
                new Command(
                        "fault",
                        kind + " reset",
                        "",
                        "take the counters of the rules to 0",
                        List.of(),
                        (line, session) -> fault(new FaultOperation.Reset(kind), session)),
                new Command(
                        "fault",
                        kind + " show",
                        "",
                        "show the rules and what they did",
                        List.of(),
                        (line, session) -> fault(new FaultOperation.Show(kind), session)));
    }

    private static List<Opt> common() {
        return List.of(
                SOURCE,
                DEST,
                Opt.number("rate", 'r', "N", "one message in N"),
                Opt.number("interval", 'i', "SECONDS", "one message in that time"),
                Opt.value("portal", 'p', "N", "portal, 0 to 63; may be repeated"),
                Opt.value("message", 'm', "TYPE", "PUT, ACK, GET or REPLY; may be repeated"),
                Opt.value("local_nid", 'o', "NID", "NID that received the message"));
    }

    private static List<Opt> dropOptions() {
        return Stream.concat(
                        common().stream(),
                        Stream.of(
                                Opt.value("health_error", 'e', "NAME", "fail on sending, with this; may be repeated"),
                                Opt.flag("random", 'n', "by chance within the interval"),
                                Opt.flag("drop_all", 'x', "all that match")))
                .toList();
    }

    private static List<Opt> delayOptions() {
        return Stream.concat(common().stream(), Stream.of(Opt.number("latency", 'l', "SECONDS", "for how long")))
                .toList();
    }

    private static int addFault(String kind, ParsedLine line, Session session) {
        if (!line.has("source") || !line.has("dest")) {
            return session.complain(Exit.BAD, "fault " + kind + " add: say both --source NID and --dest NID");
        }
        for (String type : line.all("message")) {
            if (!TYPES.contains(type)) {
                return session.complain(
                        Exit.BAD,
                        "fault " + kind + " add: message type '" + type
                                + "'; expected PUT, ACK, GET or REPLY, one with each --message");
            }
        }
        return fault(
                new FaultOperation.Add(
                        kind,
                        line.get("source"),
                        line.get("dest"),
                        line.number("rate"),
                        line.number("interval"),
                        line.all("portal"),
                        line.all("message"),
                        line.get("local_nid"),
                        line.all("health_error"),
                        line.has("random"),
                        line.has("drop_all"),
                        line.number("latency")),
                session);
    }

    private static int deleteFault(String kind, ParsedLine line, Session session) {
        if (!line.has("all") && (!line.has("source") || !line.has("dest"))) {
            return session.complain(Exit.BAD, "fault " + kind + " del: say --all, or both --source NID and --dest NID");
        }
        return fault(new FaultOperation.Delete(kind, line.get("source"), line.get("dest"), line.has("all")), session);
    }

    /** Failures of fault rules are a line of text. */
    private static int fault(Operation operation, Session session) {
        try {
            session.out().print(YamlText.of(session.dlc().execute(operation)));
            return Exit.OK;
        } catch (NoServiceException e) {
            return session.complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return session.complain(Exit.FAILED, "fault: " + e.failure().text());
        }
    }
}
