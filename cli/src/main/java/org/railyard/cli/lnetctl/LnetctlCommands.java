package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    private static final List<String> ORDER = List.of(
            "lnet",
            "route",
            "net",
            "routing",
            "set",
            "import",
            "export",
            "stats",
            "debug",
            "global",
            "peer",
            "ping",
            "discover",
            "service-id",
            "udsp",
            "fault",
            "setup-mrrouting",
            "setup-sysctl",
            "cpt-of-nid");

    private static final List<Command> ALL = all();

    private LnetctlCommands() {}

    private static List<Command> all() {
        List<Command> all = new ArrayList<>();
        all.addAll(NetCommands.all());
        all.addAll(PeerCommands.all());
        all.addAll(BondCommands.all());
        all.addAll(O2ibsCommands.all());
        all.addAll(SettingCommands.all());
        all.addAll(FileCommands.all());
        all.addAll(TargetCommands.all());
        all.addAll(DebugCommands.all());
        all.addAll(DebugCommands.faults());
        all.addAll(FileCommands.history());
        all.addAll(ExplainCommands.all());
        all.addAll(ConvertCommands.all());
        all.addAll(CompletionScript.all());
        all.addAll(DoctorCommands.all());
        all.addAll(TopCommands.all());
        return List.copyOf(all);
    }

    /** Returns all commands about the node. */
    static List<Command> list() {
        return ALL;
    }

    /** Returns the first words, each once, in the order in which they have always been listed; ours last. */
    static Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>(ORDER);
        ALL.forEach(command -> groups.add(command.group()));
        return groups;
    }

    /** Returns the commands of a group. */
    static List<Command> of(String group) {
        return ALL.stream().filter(command -> command.group().equals(group)).toList();
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
