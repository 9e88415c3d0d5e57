package org.railyard.cli.lnetctl.doctor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.doctor.Finding;
import org.railyard.doctor.Report;
import org.railyard.doctor.Severity;

/**
 * A report as text: a block for each cause with whom it is about, what it means and how it is mended, then a summary in
 * one line.
 */
public final class ReportText {
    private static final int WIDTH = 110;
    private static final String INDENT = "         ";
    /** Most subjects, and most commands, of one block. */
    private static final int MAX_SHOWN = 24;

    private static final String MEND = "  mend   ";

    private ReportText() {}

    /** Returns the text, lines with their ends. */
    public static String of(Report report) {
        StringBuilder text = new StringBuilder();
        byCause(report).forEach(alike -> cause(text, alike));
        report.notChecked().forEach(each -> wrapped(text, "not checked: " + each, "  "));
        if (!report.notChecked().isEmpty()) {
            text.append('\n');
        }
        return text.append(summary(report)).append('\n').toString();
    }

    /** What findings of one cause have in common. */
    private record Cause(String id, Severity severity, String means) {}

    private static Collection<List<Finding>> byCause(Report report) {
        Map<Cause, List<Finding>> causes = new LinkedHashMap<>();
        report.findings()
                .forEach(each -> causes.computeIfAbsent(
                                new Cause(each.id(), each.severity(), each.means()), _ -> new ArrayList<>())
                        .add(each));
        return causes.values();
    }

    private static void cause(StringBuilder text, List<Finding> alike) {
        Finding first = alike.getFirst();
        text.append(first.severity().text().toUpperCase(Locale.ROOT))
                .append(' ')
                .append(first.id())
                .append(": ")
                .append(alike.size() == 1 ? first.subject() : alike.size() + " times")
                .append('\n');
        for (int i = 0; i < alike.size() && i < MAX_SHOWN; i++) {
            Finding each = alike.get(i);
            String subject = alike.size() == 1 ? "" : each.subject() + ": ";
            wrapped(text, (i == 0 ? "  found  " : INDENT) + subject + each.found(), INDENT);
        }
        if (alike.size() > MAX_SHOWN) {
            text.append(INDENT)
                    .append("and ")
                    .append(alike.size() - MAX_SHOWN)
                    .append(" more; 'lnetctl doctor --yaml' has all\n");
        }
        wrapped(text, "  means  " + first.means(), INDENT);
        List<String> mend =
                alike.stream().flatMap(each -> each.mend().stream()).distinct().toList();
        // Commands are not broken: they are to be copied.
        for (int i = 0; i < mend.size() && i < MAX_SHOWN; i++) {
            text.append(i == 0 ? MEND : INDENT).append(mend.get(i)).append('\n');
        }
        if (mend.size() > MAX_SHOWN) {
            text.append(INDENT)
                    .append("# and ")
                    .append(mend.size() - MAX_SHOWN)
                    .append(" more like these; 'lnetctl doctor --yaml' has all\n");
        }
        text.append('\n');
    }

    private static void wrapped(StringBuilder text, String line, String indent) {
        String rest = line;
        while (rest.length() > WIDTH && rest.lastIndexOf(' ', WIDTH) > indent.length()) {
            int at = rest.lastIndexOf(' ', WIDTH);
            text.append(rest, 0, at).append('\n');
            rest = indent + rest.substring(at + 1);
        }
        text.append(rest).append('\n');
    }

    private static String summary(Report report) {
        List<String> counts = new ArrayList<>();
        for (Severity severity : Severity.values()) {
            long count = report.count(severity);
            if (count > 0) {
                counts.add(count + " " + severity.text() + (count == 1 || severity == Severity.INFO ? "" : "s"));
            }
        }
        return "doctor: " + (counts.isEmpty() ? "nothing found" : "found " + String.join(", ", counts));
    }
}
