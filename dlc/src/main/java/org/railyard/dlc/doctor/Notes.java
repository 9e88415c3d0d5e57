package org.railyard.dlc.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects findings, up to a limit. Not thread-safe. */
final class Notes {
    /** Most findings of one kind that are told. */
    static final int MAX_OF_A_KIND = 50;

    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> notChecked = new LinkedHashSet<>();

    void add(String id, Severity severity, String subject, String found, String means, String... mend) {
        add(new Finding(id, severity, subject, found, means, List.of(mend)));
    }

    void add(Finding finding) {
        long alike =
                findings.stream().filter(each -> each.id().equals(finding.id())).count();
        if (alike < MAX_OF_A_KIND) {
            findings.add(finding);
        } else {
            notChecked(
                    "more findings of the kind " + finding.id() + " than " + MAX_OF_A_KIND + "; the rest is not told");
        }
    }

    /** Something could not be looked at; told once. */
    void notChecked(String what) {
        notChecked.add(what);
    }

    Report report() {
        return new Report(findings, List.copyOf(notChecked));
    }
}
