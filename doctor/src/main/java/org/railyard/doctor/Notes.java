package org.railyard.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects findings, up to a limit. Not thread-safe. */
final class Notes {
    /** Most findings of one kind that are told. */
    static final int MAX_OF_A_KIND = 50;

    /** Most devices or addresses that a line of what was not checked names. */
    private static final int MAX_NAMED = 8;

    private static final List<String> PROGRAMS = List.of(
            "lnetctl", "railyard", "arping", "ip", "sysctl", "ss", "nft", "mkdir", "printf", "systemctl", "modprobe");

    private static final Set<String> FOLLOW_FROM_ABSENT_GATEWAY =
            Set.of("gateway-down", "peer-absent", "peer-silent", "peer-health", "connection-down");

    /** What stands for something that the reader has to know. */
    private static final List<String> PLACES = List.of("--if IF", "--gateway NID", "ADDRESS/");

    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Set<String>> notChecked = new LinkedHashMap<>();

    void add(String id, Severity severity, String subject, String found, String means, String... mend) {
        add(new Finding(id, severity, subject, found, means, List.of(mend)));
    }

    void add(Finding given) {
        Finding finding = new Finding(
                given.id(),
                given.severity(),
                given.subject(),
                given.found(),
                given.means(),
                given.mend().stream().map(Notes::pasted).toList());
        long alike =
                findings.stream().filter(each -> each.id().equals(finding.id())).count();
        if (alike < MAX_OF_A_KIND) {
            findings.add(finding);
        } else {
            notChecked(
                    "more findings of the kind " + finding.id() + " than " + MAX_OF_A_KIND + "; the rest is not told");
        }
    }

    /** Returns a line that a shell takes as it is: a command without places to fill in, or a comment. */
    static String pasted(String line) {
        String command = line.split("   #", 2)[0];
        boolean whole = PROGRAMS.stream().anyMatch(program -> command.startsWith(program + " "))
                && PLACES.stream().noneMatch(command::contains);
        return whole || line.startsWith("#") ? line : "# " + line;
    }

    /** Something could not be looked at; told once. */
    void notChecked(String what) {
        notChecked.putIfAbsent(what, new LinkedHashSet<>());
    }

    /**
     * Something could not be looked at for somebody; told in one line for all.
     *
     * @param whom a device or an address
     */
    void notChecked(String what, String whom) {
        notChecked.computeIfAbsent(what, _ -> new LinkedHashSet<>()).add(whom);
    }

    private static String line(String what, Set<String> whom) {
        if (whom.isEmpty()) {
            return what;
        }
        String some = whom.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return what + ": " + some + (whom.size() > MAX_NAMED ? " and " + (whom.size() - MAX_NAMED) + " more" : "");
    }

    Report report() {
        List<String> lines = new ArrayList<>();
        notChecked.forEach((what, whom) -> lines.add(line(what, whom)));
        return new Report(findings.stream().filter(each -> !follows(each)).toList(), lines);
    }

    /** Tells whether a finding only says again that a gateway is absent: one cause is told once. */
    private boolean follows(Finding finding) {
        if (!FOLLOW_FROM_ABSENT_GATEWAY.contains(finding.id())) {
            return false;
        }
        String nid = finding.subject().substring(finding.subject().lastIndexOf(' ') + 1);
        return findings.stream()
                .anyMatch(each ->
                        each.id().equals(GatewayCheck.ABSENT) && each.subject().equals("gateway " + nid));
    }
}
