package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetOperation;

/** {@code lnet} and {@code net} (spec 12 §2.1, §2.2). */
final class NetCommands {
    private static final Opt NET = Opt.value("net", 'n', "NET", "net, such as tcp or o2ib1");
    private static final Opt INTERFACES = Opt.value("if", 'i', "IF[,IF…]", "interfaces, such as eth0 or eth0[0,1]");

    private NetCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "lnet",
                        "configure",
                        "",
                        "start LNet; no effect if it runs",
                        List.of(
                                Opt.flag("all", 'a', "also apply the module parameters networks, ip2nets and routes"),
                                Opt.flag("large", 'l', "prefer IPv6 addresses of interfaces")),
                        (line, session) ->
                                session.run(new LnetOperation.Configure(line.has("all"), line.has("large")))),
                new Command(
                        "lnet",
                        "unconfigure",
                        "",
                        "stop LNet and forget its configuration",
                        List.of(),
                        (line, session) -> session.run(new LnetOperation.Unconfigure())),
                new Command("net", "add", "", "add NIs", addOptions(), NetCommands::add).overlookingNumbers(),
                new Command(
                        "net",
                        "del",
                        "",
                        "delete a net or some of its NIs",
                        List.of(NET, INTERFACES, Opt.value("nid", (char) 0, "NID[,NID…]", "NIs by their NIDs")),
                        NetCommands::delete),
                new Command(
                        "net",
                        "show",
                        "",
                        "show NIs, net by net",
                        List.of(NET, Opt.verbose()),
                        (line, session) -> session.run(new NetOperation.Show(line.get("net"), line.level()))),
                new Command("net", "set", "", "change NIs that run", setOptions(), NetCommands::set));
    }

    private static List<Opt> addOptions() {
        return List.of(
                NET,
                INTERFACES,
                Opt.value(
                        "nid",
                        (char) 0,
                        "NID[,NID…]",
                        "NIDs whose addresses say which interfaces; with --bond the NID of the group"),
                Opt.value("ip2net", 'p', "RULE", "a rule such as 'tcp(eth1) 10.1.*.*'"),
                Opt.number("peer-timeout", 't', "SECONDS", "0 or more; 180"),
                Opt.number("peer-credits", 'c', "N", "sends under way to one peer NI; 8"),
                Opt.number(
                        "peer-buffer-credits", 'b', "N", "router credits of a peer NI; 0 for as many as peer credits"),
                Opt.number("credits", 'r', "N", "sends under way of an NI; 256"),
                Opt.value("cpt", 's', "LIST", "CPU partitions, such as [0,1]"),
                Opt.number("conns-per-peer", 'm', "N", "0 to 127; 0 for as many as suit the link"),
                Opt.number("tos", (char) 0, "N", "type of service, -1 to 255"),
                Opt.flag("bond", (char) 0, "one NI of all the interfaces, which take turns; nets of type o2ib only"),
                Opt.flag("skip-mr-route-setup", 'k', "taken, without effect: routes of the system are left alone"),
                Opt.value("auth-key", 'a', "KEY", "for kfi only: taken, without effect"),
                Opt.value("traffic-class", 'T', "CLASS", "for kfi only: taken, without effect"));
    }

    private static int add(ParsedLine line, Session session) {
        boolean byAddress = line.has("nid") || line.has("ip2net");
        if (!byAddress && !line.has("net")) {
            return session.complain(Exit.FAILED, "net add: which net is missing; say --net NET, or --nid or --ip2net");
        }
        if (!byAddress && !line.has("if")) {
            return session.complain(Exit.FAILED, "net add: which interfaces is missing; say --if IF[,IF…]");
        }
        return session.run(new NetOperation.Add(
                line.get("net"),
                line.list("if"),
                line.list("nid"),
                line.get("ip2net"),
                line.number("peer-timeout"),
                line.number("peer-credits"),
                line.number("peer-buffer-credits"),
                line.number("credits"),
                line.get("cpt"),
                line.number("conns-per-peer"),
                line.number("tos"),
                line.has("bond")));
    }

    private static int delete(ParsedLine line, Session session) {
        if (!line.has("net") && !line.has("nid")) {
            return session.complain(Exit.FAILED, "net del: which net is missing; say --net NET or --nid NID");
        }
        return session.run(new NetOperation.Delete(line.get("net"), line.list("if"), line.list("nid")));
    }

    private static List<Opt> setOptions() {
        return List.of(
                NET,
                Opt.value("nid", (char) 0, "NID", "the NI with this NID"),
                Opt.flag("all", 'a', "all NIs"),
                Opt.number("health", (char) 0, "VALUE", "health, 0 to 1000"),
                Opt.number("conns-per-peer", 'm', "N", "0 to 127"),
                Opt.number("lnd-timeout", (char) 0, "SECONDS", "limit of the transport of --net; 0 to derive it"),
                Opt.value("cpt", 's', "LIST", "CPU partitions, such as [0,1]"));
    }

    private static int set(ParsedLine line, Session session) {
        return session.run(new NetOperation.Set(
                line.get("net"),
                line.get("nid"),
                line.has("all"),
                line.number("health"),
                line.number("conns-per-peer"),
                line.number("lnd-timeout"),
                line.get("cpt")));
    }
}
