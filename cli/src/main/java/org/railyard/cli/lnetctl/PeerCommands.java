package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** {@code peer} and {@code route} (spec 12 §2.3, §2.4). */
final class PeerCommands {
    private static final Opt PRIMARY = Opt.value("prim_nid", (char) 0, "NID", "primary NID of the peer");
    private static final Opt ADDRESSES = Opt.value("ip2nets", (char) 0, "LIST", "the same as --nid");
    private static final Opt NET = Opt.value("net", 'n', "NET", "net that is reached, such as o2ib1");
    private static final Opt GATEWAY = Opt.value("gateway", 'g', "NID", "NID of the router");
    private static final Opt HOP = Opt.number("hop", 'c', "N", "hops, 1 to 255");
    private static final Opt HOPS = Opt.number("hop-count", (char) 0, "N", "the same as --hop");
    private static final Opt PRIORITY = Opt.number("priority", 'p', "N", "0 is best");
    private static final Opt SENSITIVITY = Opt.number("health_sensitivity", (char) 0, "N", "taken, without effect");

    private PeerCommands() {}

    static List<Command> all() {
        return Stream.concat(peers().stream(), routes().stream()).toList();
    }

    private static List<Command> peers() {
        return List.of(
                new Command(
                        "peer",
                        "add",
                        "",
                        "make a peer, or give one more NIDs",
                        List.of(
                                PRIMARY,
                                Opt.value("nid", (char) 0, "LIST", "NIDs, such as 10.0.0.[5-6]@tcp,7@gni"),
                                Opt.flag("non_mr", 'm', "the peer is not multi-rail"),
                                Opt.flag("lock_prim", 'l', "the primary NID stays, whatever the peer announces"),
                                ADDRESSES),
                        (line, session) -> requirePrimary(line, session, "add") ? add(line, session) : Exit.FAILED),
                new Command(
                        "peer",
                        "del",
                        "",
                        "delete a peer, or some of its NIDs",
                        List.of(
                                PRIMARY,
                                Opt.value("nid", (char) 0, "LIST", "NIDs; none for the whole peer"),
                                ADDRESSES,
                                Opt.flag("force", 'f', "also a locked primary NID")),
                        PeerCommands::delete),
                new Command(
                        "peer",
                        "show",
                        "",
                        "show peers",
                        List.of(
                                Opt.value("nid", (char) 0, "NID", "the peer with this NID"),
                                Opt.number("max", (char) 0, "N", "at most so many peers"),
                                Opt.verbose()),
                        PeerCommands::show),
                new Command(
                        "peer",
                        "list",
                        "",
                        "list the primary NIDs of peers",
                        List.of(),
                        (line, session) -> session.run(new PeerOperation.List())),
                new Command(
                        "peer",
                        "set",
                        "",
                        "change peers",
                        List.of(
                                Opt.value("nid", (char) 0, "NID", "the NID"),
                                Opt.flag("all", 'a', "all NIDs of all peers"),
                                Opt.number("health", (char) 0, "VALUE", "health, 0 to 1000"),
                                Opt.number("state", (char) 0, "BITS", "state bits, for tests")),
                        (line, session) -> session.run(new PeerOperation.Set(
                                line.get("nid"), line.has("all"), line.number("health"), line.number("state")))));
    }

    private static List<Command> routes() {
        return List.of(
                new Command(
                                "route",
                                "add",
                                "",
                                "add a route",
                                List.of(NET, GATEWAY, HOP, HOPS, PRIORITY, SENSITIVITY),
                                PeerCommands::addRoute)
                        .overlookingNumbers(),
                new Command("route", "del", "", "delete a route", List.of(NET, GATEWAY), PeerCommands::deleteRoute),
                new Command(
                        "route",
                        "show",
                        "",
                        "show routes",
                        List.of(NET, GATEWAY, HOP, HOPS, PRIORITY, Opt.verbose()),
                        (line, session) -> session.run(new RouteOperation.Show(
                                line.get("net"),
                                line.get("gateway"),
                                hop(line),
                                line.number("priority"),
                                line.level()))));
    }

    private static boolean requirePrimary(ParsedLine line, Session session, String action) {
        if (!line.has("prim_nid")) {
            session.complain(Exit.FAILED, "peer " + action + ": which peer is missing; say --prim_nid NID");
            return false;
        }
        return true;
    }

    private static @Nullable String nids(ParsedLine line) {
        return line.has("nid") ? line.get("nid") : line.get("ip2nets");
    }

    private static int show(ParsedLine line, Session session) {
        Integer max = line.number("max");
        if (max != null && max < 1) {
            return session.complain(Exit.FAILED, "peer show: --max " + max + "; expected 1 or more");
        }
        return isReadable(line.get("nid"), session)
                ? session.peers(new PeerOperation.Show(line.get("nid"), line.level(), max == null ? 0 : max))
                : Exit.FAILED;
    }

    /** A NID that can not be read is one that nobody knows, and has never been worth a word. */
    private static boolean isReadable(@Nullable String nids, Session session) {
        if (nids == null || session.isTold()) {
            return true;
        }
        try {
            NidList.parse(nids);
            return true;
        } catch (NidFormatException e) {
            return false;
        }
    }

    private static boolean areReadable(ParsedLine line, Session session) {
        return isReadable(line.get("prim_nid"), session) && isReadable(nids(line), session);
    }

    private static int add(ParsedLine line, Session session) {
        if (!areReadable(line, session)) {
            return Exit.FAILED;
        }
        return session.peers(
                new PeerOperation.Add(line.get("prim_nid"), nids(line), line.has("non_mr"), line.has("lock_prim")));
    }

    private static int delete(ParsedLine line, Session session) {
        if (!requirePrimary(line, session, "del")) {
            return Exit.FAILED;
        }
        if (!areReadable(line, session)) {
            return Exit.FAILED;
        }
        return session.peers(new PeerOperation.Delete(line.get("prim_nid"), nids(line), line.has("force")));
    }

    private static @Nullable Integer hop(ParsedLine line) {
        return line.has("hop") ? line.number("hop") : line.number("hop-count");
    }

    private static int addRoute(ParsedLine line, Session session) {
        if (!requireBoth(line, session, "add")) {
            return Exit.FAILED;
        }
        return session.run(
                new RouteOperation.Add(line.get("net"), line.get("gateway"), hop(line), line.number("priority")));
    }

    private static int deleteRoute(ParsedLine line, Session session) {
        return requireBoth(line, session, "del")
                ? session.run(new RouteOperation.Delete(line.get("net"), line.get("gateway")))
                : Exit.FAILED;
    }

    private static boolean requireBoth(ParsedLine line, Session session, String action) {
        for (Opt each : List.of(NET, GATEWAY)) {
            if (!line.has(each.name())) {
                session.complain(
                        Exit.FAILED,
                        "route " + action + ": --" + each.name() + " is missing; say --net NET --gateway NID");
                return false;
            }
        }
        return true;
    }
}
