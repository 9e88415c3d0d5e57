package org.railyard.cli.lnetctl;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.control.BondOperation;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DebugOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetStatusOperation;
import org.railyard.control.Operation;
import org.railyard.control.RoutingOperation;

/** All commands. Help, man pages and completion are made of this list. */
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

    /** Those of Lustre's tool in the order in which it lists them, then ours. */
    private static final List<Group> GROUPS = List.of(
            new Group(
                    "lnet",
                    "start and stop LNet",
                    OperationCommand.all(
                            Session::run, List.of(LnetOperation.Configure.class, LnetOperation.Unconfigure.class))),
            RouteCommands.group(),
            NetCommands.group(),
            new Group(
                    "routing",
                    "what a router has",
                    OperationCommand.all(Session::classic, List.of(RoutingOperation.Show.class))),
            SetCommands.group(),
            ImportCommands.group(),
            ExportCommands.group(),
            StatsCommands.group(),
            DebugCommands.group(),
            new Group(
                    "global",
                    "tunables as they are",
                    new Command(
                            "global",
                            "show",
                            "",
                            "show the node-wide tunables",
                            List.of(Opt.verbose()),
                            (line, session) -> session.classic(new GlobalOperation.Show(line.level() > 0)))),
            PeerCommands.group(),
            TargetCommands.ping(),
            TargetCommands.discover(),
            SystemCommands.serviceId(),
            UdspCommands.group(),
            FaultCommands.group(),
            SystemCommands.withoutEffect("setup-mrrouting"),
            SystemCommands.withoutEffect("setup-sysctl"),
            single(DebugOperation.CptOfNid.class),
            new Group(
                    "bond",
                    "NIDs that belong together",
                    OperationCommand.all(
                            Session::run,
                            List.of(
                                    BondOperation.Add.class,
                                    BondOperation.Delete.class,
                                    BondOperation.Set.class,
                                    BondOperation.Show.class))),
            O2ibsCommands.group(),
            single(NetStatusOperation.Show.class),
            single(ConfigOperation.Confirm.class),
            single(ConfigOperation.Undo.class),
            ExplainCommands.group(),
            ConvertCommands.group(),
            CompletionScript.group(),
            DoctorCommands.group(),
            TopCommands.group());

    private static final List<Command> ALL =
            GROUPS.stream().flatMap(group -> group.commands().stream()).toList();

    private LnetctlCommands() {}

    private static Group single(Class<? extends Operation> type) {
        return Group.of(OperationCommand.of(type, Session::run).command());
    }

    /** Returns all commands about the node. */
    static List<Command> list() {
        return ALL;
    }

    /** Returns the commands by their first words, in the order in which they have always been listed; ours last. */
    static List<Group> groups() {
        return GROUPS;
    }

    /** Returns the group with a name, null if there is none. */
    static @Nullable Group group(String name) {
        return GROUPS.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the command that a list of words begins with, the one with the most words; null if there is none. */
    static @Nullable Command find(List<String> words) {
        Command best = null;
        for (Command each : ALL) {
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
        return ALL.stream().anyMatch(command -> command.name().startsWith(start));
    }
}
