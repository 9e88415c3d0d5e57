package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.control.DebugOperation;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** {@code debug} (spec 12 §2.6, §4.9). */
final class DebugCommands {
    private DebugCommands() {}

    static LnetctlGroup group() {
        Command peer = OperationCommand.of(DebugOperation.Peer.class, Session::run)
                .taking(Opt.number("index", (char) 0, "N", "show the peer that became known as the Nth, from 0"))
                .command();
        return new LnetctlGroup(
                "debug",
                "recovery, single NIs and peers, connections, use of late",
                OperationCommand.of(DebugOperation.Recovery.class, Session::run)
                        .taking(Opt.flag("local", 'l', "of this node"))
                        .refusing((ParsedLine line) ->
                                line.has("local") == line.has("peer") ? "say either --local or --peer" : null)
                        .command(),
                new Command(peer.group(), peer.action(), "", peer.summary(), peer.options(), DebugCommands::peer),
                OperationCommand.of(DebugOperation.Ni.class, Session::run).command(),
                OperationCommand.of(DebugOperation.Conn.class, Session::run).command(),
                OperationCommand.of(DebugOperation.Usage.class, Session::run).command(),
                new Command(
                        "debug",
                        "nidlist",
                        "LIST",
                        "show how a list of NIDs is read",
                        List.of(),
                        DebugCommands::nidlist));
    }

    /** One command for two operations. */
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
}
