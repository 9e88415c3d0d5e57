package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.MulticastGroup;
import picocli.CommandLine.Option;

/** The multicast groups that are routed: options that several commands have. */
final class GroupOptions {
    private static final int MAX_SL = 15;

    @Option(
            names = "--group",
            paramLabel = "MLID[/SL]=MEMBERS",
            description = "Route a multicast group: 0xC000=all, or 0xC001/8=A,B,… with descriptions, GUIDs or LIDs; may"
                    + " be repeated.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--groups",
            paramLabel = "FILE",
            description = "Multicast groups, one MLID[/SL]=MEMBERS a line; lines of one MLID add up.")
    private @Nullable Path file;

    /** One group that grows. */
    private record Growing(int sl, SequencedSet<Integer> members) {}

    /** Returns the groups, ascending by MLID. */
    List<MulticastGroup> of(Fabric fabric) {
        Map<Integer, Growing> found = new TreeMap<>();
        Path list = file;
        if (list != null) {
            List<String> lines = TextFile.parse(
                    list, "MLID[/SL]=MEMBERS a line", text -> text.lines().toList());
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (!line.isEmpty() && !line.startsWith("#")) {
                    add(fabric, "%s:%d".formatted(list, i + 1), line, found);
                }
            }
        }
        groups.forEach(text -> add(fabric, "--group", text, found));
        List<MulticastGroup> result = new ArrayList<>();
        found.forEach((mlid, group) -> result.add(new MulticastGroup(mlid, group.sl(), List.copyOf(group.members()))));
        return result;
    }

    private static void add(Fabric fabric, String where, String text, Map<Integer, Growing> found) {
        int equals = text.indexOf('=');
        String head = equals < 0 ? text : text.substring(0, equals).strip();
        int slash = head.indexOf('/');
        int mlid = number(slash < 0 ? head : head.substring(0, slash));
        int sl = slash < 0 ? 0 : number(head.substring(slash + 1));
        if (equals < 0 || !Lids.isMulticast(mlid) || sl < 0 || sl > MAX_SL) {
            throw new FabricInputException(
                    "%s: found \"%s\", expected MLID[/SL]=MEMBERS with MLID 0xC000 to 0xFFFE and SL 0 to 15"
                            .formatted(where, text));
        }
        Growing group = found.computeIfAbsent(mlid, _ -> new Growing(sl, new LinkedHashSet<>()));
        if (group.sl() != sl) {
            throw new FabricInputException(
                    "%s: group 0x%04X has SL %d and SL %d".formatted(where, mlid, group.sl(), sl));
        }
        EndPortFinder names = new EndPortFinder(fabric);
        String members = text.substring(equals + 1).strip();
        if (members.equals("all")) {
            group.members().addAll(names.hosts());
            return;
        }
        for (String member : members.split(",", -1)) {
            try {
                group.members().add(names.find(member.strip()));
            } catch (FabricInputException e) {
                throw new FabricInputException(where + ": member " + e.getMessage(), e);
            }
        }
    }

    private static int number(String text) {
        try {
            return Integer.decode(text.strip());
        } catch (NumberFormatException e) {
            // The caller says what was expected.
            return -1;
        }
    }
}
