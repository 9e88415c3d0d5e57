package org.railyard.cli.lnetctl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.control.BondOperation;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DebugOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetStatusOperation;
import org.railyard.control.Operation;
import org.railyard.control.RoutingOperation;

/** All commands. Help, man pages and completion are made of this list. Thread-safe. */
final class LnetctlCommands {
    /** Words that are commands of the tool itself, before those about the node. */
    static final List<String> OWN = List.of(
            "quit",
            "exit",
            "help",
            "--help",
            "version",
            "--version",
            "list-commands",
            "--list-commands",
            "--ignore_errors",
            "ignore_errors");

    /**
     * How each group is made, by its first word: those of Lustre's tool in the order in which it lists them, then ours.
     * To read the annotations of all operations takes longer than to do one, and most runs need one group.
     */
    private static final Map<String, Supplier<LnetctlGroup>> MAKERS = makers();

    private static final Map<String, LnetctlGroup> MADE = new ConcurrentHashMap<>();

    private LnetctlCommands() {}

    private static Map<String, Supplier<LnetctlGroup>> makers() {
        Map<String, Supplier<LnetctlGroup>> all = new LinkedHashMap<>();
        all.put("lnet", LnetctlCommands::lnet);
        all.put("route", RouteCommands::group);
        all.put("net", NetCommands::group);
        all.put("routing", LnetctlCommands::routing);
        all.put("set", SetCommands::group);
        all.put("import", ImportCommands::group);
        all.put("export", ExportCommands::group);
        all.put("stats", StatsCommands::group);
        all.put("debug", DebugCommands::group);
        all.put("global", LnetctlCommands::global);
        all.put("peer", PeerCommands::group);
        all.put("ping", TargetCommands::ping);
        all.put("discover", TargetCommands::discover);
        all.put("service-id", SystemCommands::serviceId);
        all.put("udsp", UdspCommands::group);
        all.put("fault", FaultCommands::group);
        all.put("setup-mrrouting", () -> SystemCommands.withoutEffect("setup-mrrouting"));
        all.put("setup-sysctl", () -> SystemCommands.withoutEffect("setup-sysctl"));
        all.put("cpt-of-nid", () -> single(DebugOperation.CptOfNid.class));
        all.put("bond", LnetctlCommands::bond);
        all.put("o2ibs", O2ibsCommands::group);
        all.put("net_status", () -> single(NetStatusOperation.Show.class));
        all.put("confirm", () -> single(ConfigOperation.Confirm.class));
        all.put("undo", () -> single(ConfigOperation.Undo.class));
        all.put("explain", ExplainCommands::group);
        all.put("convert", ConvertCommands::group);
        all.put("completion", CompletionScript::group);
        all.put("doctor", DoctorCommands::group);
        all.put("top", TopCommands::group);
        all.put("events", EventsCommands::group);
        return all;
    }

    private static LnetctlGroup lnet() {
        return new LnetctlGroup(
                "lnet",
                "start and stop LNet",
                OperationCommand.all(
                        Session::run, List.of(LnetOperation.Configure.class, LnetOperation.Unconfigure.class)));
    }

    private static LnetctlGroup routing() {
        return new LnetctlGroup(
                "routing",
                "what a router has",
                OperationCommand.all(Session::classic, List.of(RoutingOperation.Show.class)));
    }

    private static LnetctlGroup global() {
        return new LnetctlGroup(
                "global",
                "tunables as they are",
                new Command(
                        "global",
                        "show",
                        "",
                        "show the node-wide tunables",
                        List.of(Opt.verbose()),
                        (line, session) -> session.classic(new GlobalOperation.Show(line.level() > 0))));
    }

    private static LnetctlGroup bond() {
        return new LnetctlGroup(
                "bond",
                "NIDs that belong together",
                OperationCommand.all(
                        Session::run,
                        List.of(
                                BondOperation.Add.class,
                                BondOperation.Delete.class,
                                BondOperation.Set.class,
                                BondOperation.Show.class)));
    }

    private static LnetctlGroup single(Class<? extends Operation> type) {
        return LnetctlGroup.of(OperationCommand.of(type, Session::run).command());
    }

    /** Returns all commands about the node. */
    static List<Command> list() {
        return groups().stream().flatMap(group -> group.commands().stream()).toList();
    }

    /** Returns the commands by their first words, in the order in which they have always been listed; ours last. */
    static List<LnetctlGroup> groups() {
        return MAKERS.keySet().stream().map(LnetctlCommands::made).toList();
    }

    /** Returns the group with a name, null if there is none. */
    static @Nullable LnetctlGroup group(String name) {
        return MAKERS.containsKey(name) ? made(name) : null;
    }

    private static LnetctlGroup made(String name) {
        return MADE.computeIfAbsent(name, word -> {
            LnetctlGroup group = Objects.requireNonNull(MAKERS.get(word)).get();
            if (!group.name().equals(word)) {
                throw new IllegalStateException(
                        "found the group '" + group.name() + "' where '" + word + "' was expected");
            }
            return group;
        });
    }

    private static List<Command> withFirstWord(List<String> words) {
        LnetctlGroup group = words.isEmpty() ? null : group(words.getFirst());
        return group == null ? List.of() : group.commands();
    }

    /** Returns the command that a list of words begins with, the one with the most words; null if there is none. */
    static @Nullable Command find(List<String> words) {
        Command best = null;
        for (Command each : withFirstWord(words)) {
            List<String> names = List.of(each.name().split(" "));
            boolean fits = words.size() >= names.size()
                    && words.subList(0, names.size()).equals(names);
            if (fits && (best == null || each.name().length() > best.name().length())) {
                best = each;
            }
        }
        return best;
    }

    /** Returns what comes before those that are found by name: {@code fault drop} alone is a group of its own. */
    static boolean isPrefix(List<String> words) {
        String start = String.join(" ", words) + " ";
        return withFirstWord(words).stream().anyMatch(command -> command.name().startsWith(start));
    }
}
