package org.railyard.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Doc;

/**
 * What an examination found.
 *
 * @param findings what is wrong, the worst first
 * @param notChecked what could not be looked at, and why
 */
public record Report(List<Finding> findings, List<String> notChecked) {
    /** Sorts and copies the lists. */
    public Report {
        findings = findings.stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
        notChecked = List.copyOf(notChecked);
    }

    /** Returns how many findings there are of a severity. */
    public long count(Severity severity) {
        return findings.stream().filter(each -> each.severity() == severity).count();
    }

    /** Returns it as a document: {@code doctor} with {@code findings} and {@code not checked}. */
    public Map<String, Object> toDocument() {
        return Map.of(
                "doctor",
                new Doc()
                        .put(
                                "findings",
                                findings.stream().map(Finding::toDocument).toList())
                        .put("not checked", notChecked)
                        .map());
    }

    /**
     * Reads what {@link #toDocument} makes.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Report ofDocument(Map<?, ?> document) {
        if (!(document.get("doctor") instanceof Map<?, ?> doctor)
                || !(doctor.get("findings") instanceof List<?> listed)) {
            throw new IllegalArgumentException("a document without findings: " + document.keySet());
        }
        List<Finding> findings = new ArrayList<>();
        for (Object each : listed) {
            if (each instanceof Map<?, ?> finding) {
                findings.add(Finding.ofDocument(finding));
            }
        }
        return new Report(findings, texts(doctor.get("not checked")));
    }

    static List<String> texts(@Nullable Object list) {
        return list instanceof List<?> texts
                ? texts.stream().map(String::valueOf).toList()
                : List.of();
    }
}
