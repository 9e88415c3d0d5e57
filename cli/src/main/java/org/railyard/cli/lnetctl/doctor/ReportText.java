package org.railyard.cli.lnetctl.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.railyard.dlc.doctor.Finding;
import org.railyard.dlc.doctor.Report;
import org.railyard.dlc.doctor.Severity;

/** A report as text: each finding with what it means and how it is mended, then a summary in one line. */
public final class ReportText {
    private static final int WIDTH = 110;
    private static final String INDENT = "         ";
    private static final String MEND = "  mend   ";

    private ReportText() {}

    /** Returns the text, lines with their ends. */
    public static String of(Report report) {
        StringBuilder text = new StringBuilder();
        report.findings().forEach(each -> finding(text, each));
        report.notChecked().forEach(each -> wrapped(text, "not checked: " + each, "  "));
        if (!report.findings().isEmpty() || !report.notChecked().isEmpty()) {
            text.append('\n');
        }
        return text.append(summary(report)).append('\n').toString();
    }

    private static void finding(StringBuilder text, Finding finding) {
        text.append(finding.severity().text().toUpperCase(Locale.ROOT))
                .append(' ')
                .append(finding.id())
                .append(": ")
                .append(finding.subject())
                .append('\n');
        wrapped(text, "  found  " + finding.found(), INDENT);
        wrapped(text, "  means  " + finding.means(), INDENT);
        // Commands are not broken: they are to be copied.
        for (int i = 0; i < finding.mend().size(); i++) {
            text.append(i == 0 ? MEND : INDENT).append(finding.mend().get(i)).append('\n');
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
