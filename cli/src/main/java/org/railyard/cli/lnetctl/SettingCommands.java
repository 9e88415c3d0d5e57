package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.control.DebugOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.RoutingOperation;
import org.railyard.control.StatsOperation;
import org.railyard.control.UdspOperation;
import org.railyard.lnet.api.Tunable;

/** {@code set}, {@code global}, {@code routing}, {@code stats} and {@code udsp} (spec 12 §2.5, §2.6). */
final class SettingCommands {
    /** Settings that all nodes have, in the order in which they are listed. */
    private static final List<String> COMMON = List.of(
            "tiny_buffers",
            "small_buffers",
            "large_buffers",
            "routing",
            "numa_range",
            "max_interfaces",
            "discovery",
            "drop_asym_route",
            "retry_count",
            "transaction_timeout",
            "health_sensitivity",
            "recovery_interval",
            "router_sensitivity",
            "response_tracking",
            "recovery_limit",
            "max_recovery_ping_interval");

    private SettingCommands() {}

    static List<Command> all() {
        List<Command> all = new ArrayList<>();
        COMMON.forEach(name -> all.add(setting(name)));
        Arrays.stream(Tunable.values())
                .map(Tunable::text)
                .filter(name -> !COMMON.contains(name))
                .forEach(name -> all.add(setting(name)));
        all.add(new Command(
                "global",
                "show",
                "",
                "show the node-wide settings",
                List.of(Opt.verbose()),
                (line, session) -> session.classic(new GlobalOperation.Show(line.level() > 0))));
        all.add(new Command(
                "routing",
                "show",
                "",
                "show the buffers of a router and whether it forwards",
                List.of(),
                (line, session) -> session.classic(new RoutingOperation.Show())));
        all.add(new Command(
                        "stats",
                        "show",
                        "",
                        "show what the node counted as a whole",
                        List.of(Opt.value(
                                "sum", (char) 0, "NET|NID", "the sums over the NIs of a net, or those of a peer")),
                        SettingCommands::stats)
                .overlookingOptions());
        all.add(new Command(
                        "stats",
                        "reset",
                        "",
                        "take all counts to 0",
                        List.of(),
                        (line, session) -> session.classic(new StatsOperation.Reset()))
                .overlookingOptions());
        all.addAll(udsp());
        return all;
    }

    private static Command setting(String name) {
        return new Command("set", name, "VALUE", "change " + name + range(name), List.of(), (line, session) -> {
            if (line.words().isEmpty()) {
                return session.complain(Exit.FAILED, "set " + name + ": the value is missing");
            }
            return session.classic(new GlobalOperation.Set(name, line.words().getFirst()));
        });
    }

    private static int stats(ParsedLine line, Session session) {
        String sum = line.get("sum");
        if (sum == null) {
            return session.classic(new StatsOperation.Show());
        }
        return session.classic(sum.contains("@") ? new DebugOperation.SumPeer(sum) : new DebugOperation.SumNet(sum));
    }

    /** Says what a setting may be. */
    private static String range(String name) {
        return Tunable.find(name).map(tunable -> ": " + tunable.spec().range()).orElse("");
    }

    private static List<Command> udsp() {
        Opt idx = Opt.number("idx", (char) 0, "N", "place in the list, from 0");
        return List.of(
                new Command(
                        "udsp",
                        "add",
                        "",
                        "add a selection rule",
                        List.of(
                                Opt.value("src", (char) 0, "PATTERN", "local nets or NIDs"),
                                Opt.value("dst", (char) 0, "PATTERN", "nets or NIDs of peers"),
                                Opt.value("rte", (char) 0, "PATTERN", "NIDs of routers"),
                                Opt.longNumber("priority", (char) 0, "N", "0 is best"),
                                Opt.number("count", (char) 0, "N", "messages after which a pair stands aside once"),
                                idx),
                        SettingCommands::addRule),
                new Command(
                        "udsp",
                        "del",
                        "",
                        "delete a selection rule, or all",
                        List.of(idx, Opt.flag("all", 'a', "all of them")),
                        SettingCommands::deleteRule),
                new Command(
                        "udsp",
                        "show",
                        "",
                        "show the selection rules",
                        List.of(idx),
                        (line, session) -> session.classic(new UdspOperation.Show(line.number("idx")))));
    }

    private static int addRule(ParsedLine line, Session session) {
        if (!line.has("src") && !line.has("dst") && !line.has("rte")) {
            return session.complain(
                    Exit.FAILED, "udsp add: a rule needs --src, --dst, --src with --dst, or --dst with --rte");
        }
        return session.classic(new UdspOperation.Add(
                line.get("src"),
                line.get("dst"),
                line.get("rte"),
                line.longNumber("priority"),
                line.number("count"),
                line.number("idx")));
    }

    private static int deleteRule(ParsedLine line, Session session) {
        return session.classic(new UdspOperation.Delete(line.number("idx"), line.has("all")));
    }
}
