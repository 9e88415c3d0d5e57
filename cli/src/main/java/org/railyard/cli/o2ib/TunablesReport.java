package org.railyard.cli.o2ib;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.TextColumns;
import org.railyard.o2iblnd.tune.Calculation;
import org.railyard.o2iblnd.tune.Difference;
import org.railyard.o2iblnd.tune.Figure;
import org.railyard.o2iblnd.tune.Negotiation;
import org.railyard.o2iblnd.tune.Remark;
import org.railyard.o2iblnd.wire.ConnectionParameters;

/** Calculations as text and as YAML. */
final class TunablesReport {
    private TunablesReport() {}

    /**
     * Writes a calculation.
     *
     * @param figures its own, and perhaps others
     */
    static void text(Calculation calculation, List<Figure> figures, PrintWriter out) {
        TextColumns columns = new TextColumns("figure", "value", "unit");
        for (Figure figure : figures) {
            columns.add(figure.fullName(), figure.text(), figure.unit());
        }
        columns.lines().forEach(out::println);
        out.println();
        out.println("negotiation: " + negotiation(calculation.negotiation()));
        remarks(calculation.remarks(), out);
    }

    private static String negotiation(Negotiation.Outcome outcome) {
        StringBuilder text = new StringBuilder();
        for (Negotiation.Attempt attempt : outcome.attempts()) {
            text.append(parameters(attempt.asked()))
                    .append(attempt.refused() == null ? " accepted" : " refused with " + attempt.refused() + "; ");
        }
        ConnectionParameters agreed = outcome.agreed();
        return text + (agreed == null ? "no connection: " : ": ") + outcome.rule();
    }

    private static String parameters(ConnectionParameters parameters) {
        return "queue depth " + parameters.queueDepth() + ", " + parameters.maxFragments() + " fragments";
    }

    private static void remarks(List<Remark> remarks, PrintWriter out) {
        for (Remark remark : remarks) {
            out.println(remark.severity().name().toLowerCase(Locale.ROOT) + ": " + remark.subject() + ": "
                    + remark.text() + (remark.row() == 0 ? "" : " (row " + remark.row() + ")"));
        }
    }

    static Map<String, Object> document(Calculation calculation, @Nullable LiveReport live) {
        Map<String, Object> document = head(live);
        for (Figure.Scope scope : Figure.Scope.values()) {
            Map<String, Object> section = new LinkedHashMap<>();
            for (Figure figure : calculation.figures()) {
                if (figure.scope() == scope) {
                    section.put(figure.name(), number(figure));
                }
            }
            if (!section.isEmpty()) {
                document.put(scope.text(), section);
            }
        }
        List<Object> attempts = new ArrayList<>();
        for (Negotiation.Attempt attempt : calculation.negotiation().attempts()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("queue_depth", attempt.asked().queueDepth());
            entry.put("max_frags", attempt.asked().maxFragments());
            entry.put(
                    "refused",
                    attempt.refused() == null ? "no" : attempt.refused().name());
            attempts.add(entry);
        }
        document.put("negotiation", Map.of("attempts", attempts));
        document.put("remarks", remarks(calculation.remarks()));
        return document;
    }

    private static Map<String, Object> head(@Nullable LiveReport live) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (live != null) {
            document.put("running", live.document());
        }
        return document;
    }

    private static Object number(Figure figure) {
        if (figure.text().indexOf('.') < 0) {
            return Long.valueOf(figure.text());
        }
        return Double.valueOf(figure.text());
    }

    private static List<Object> remarks(List<Remark> remarks) {
        List<Object> entries = new ArrayList<>();
        for (Remark remark : remarks) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("severity", remark.severity().name().toLowerCase(Locale.ROOT));
            entry.put("subject", remark.subject());
            entry.put("row", remark.row());
            entry.put("text", remark.text());
            entries.add(entry);
        }
        return entries;
    }

    static void text(Difference difference, PrintWriter out) {
        if (difference.changes().isEmpty()) {
            out.println("nothing changes");
        } else {
            TextColumns columns = new TextColumns("figure", "before", "after", "because of (row)");
            for (Difference.Change change : difference.changes()) {
                columns.add(change.name(), shown(change.before()), shown(change.after()), change.why());
            }
            columns.lines().forEach(out::println);
        }
        remarks(difference.remarks(), out);
    }

    static Map<String, Object> document(Difference difference, @Nullable LiveReport live) {
        Map<String, Object> document = head(live);
        List<Object> changes = new ArrayList<>();
        for (Difference.Change change : difference.changes()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("figure", change.name());
            entry.put("before", shown(change.before()));
            entry.put("after", shown(change.after()));
            entry.put(
                    "rows",
                    change.chain().stream()
                            .map(strand -> strand.row())
                            .filter(row -> row != 0)
                            .distinct()
                            .toList());
            entry.put("chain", change.why());
            changes.add(entry);
        }
        document.put("changes", changes);
        document.put("remarks", remarks(difference.remarks()));
        return document;
    }

    private static String shown(@Nullable Figure figure) {
        return figure == null ? "-" : figure.text();
    }
}
