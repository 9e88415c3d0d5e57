package org.railyard.cli.sm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.railyard.base.text.Doc;
import org.railyard.base.text.JsonText;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SweepReport;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.program.Executor;
import org.railyard.sm.role.SmRole;

/** What a subnet manager tells, as people and programs read it. */
final class SmText {
    private static final double MILLI = 1e6;

    private SmText() {}

    /** Returns a result in words. */
    static String result(Result result) {
        return switch (result) {
            case DONE -> "done";
            case INCOMPLETE -> "not complete";
            case UNROUTABLE -> "no proved routes";
            case SL_CHANGE -> "refused: SLs would change";
            case NO_LINK -> "no link";
            case STANDBY -> "standby";
        };
    }

    /** Returns a report as lines; {@code wrote} is "wrote" or "would write". */
    static List<String> lines(SweepReport report, String wrote) {
        List<String> lines = new ArrayList<>();
        lines.add("sweep %d (%s): %s, %.3f ms, %d MADs"
                .formatted(
                        report.number(),
                        report.reason(),
                        result(report.result()),
                        report.nanos() / MILLI,
                        report.requests()));
        lines.add("  %d switches, %d other nodes, %d links active, %d not"
                .formatted(report.switches(), report.ends(), report.links(), report.linksDown()));
        for (Executor.Figures phase : report.phases()) {
            lines.add("  %s %s: %d to %d nodes%s; %s"
                    .formatted(
                            wrote,
                            phase.name(),
                            phase.sets(),
                            phase.nodes(),
                            phase.failed() == 0 ? "" : ", " + phase.failed() + " failed",
                            phase.why()));
        }
        report.notes().forEach(note -> lines.add("  note: " + note));
        return lines;
    }

    /** Returns a report as one line of JSON. */
    static String json(SweepReport report) {
        List<Object> phases = new ArrayList<>();
        for (Executor.Figures phase : report.phases()) {
            phases.add(new Doc()
                    .put("name", phase.name())
                    .put("why", phase.why())
                    .put("sets", phase.sets())
                    .put("failed", phase.failed())
                    .put("nodes", phase.nodes())
                    .map());
        }
        return JsonText.of(new Doc()
                .put("sweep", report.number())
                .put("reason", report.reason())
                .put("result", report.result().name().toLowerCase(Locale.ROOT))
                .put("nanoseconds", report.nanos())
                .put("mads", report.requests())
                .put("switches", report.switches())
                .put("other_nodes", report.ends())
                .put("links_active", report.links())
                .put("links_not_active", report.linksDown())
                .put("phases", phases)
                .put("notes", report.notes())
                .map());
    }

    /**
     * Returns as one line of JSON where a subnet manager has begun.
     *
     * @param metricsPort port of the pages for those who watch; empty if there are none
     */
    static String startJson(String port, Path socket, OptionalInt metricsPort) {
        Doc doc = new Doc().put("type", "start").put("port", port).put("control_socket", socket.toString());
        metricsPort.ifPresent(number -> doc.put("metrics_port", number));
        return JsonText.of(doc.map());
    }

    /** Returns another role as one line of JSON. */
    static String json(SmRole role, String why) {
        return JsonText.of(new Doc()
                .put("type", "role")
                .put("role", role.text())
                .put("why", why)
                .map());
    }

    /** Returns a trap as one line of JSON; its text says what it is about. */
    static String json(Notice notice, int fromLid, String text) {
        return JsonText.of(new Doc()
                .put("type", "trap")
                .put("number", notice.getInt(Notice.TRAP_NUMBER))
                .put("from_lid", fromLid)
                .put("text", text)
                .map());
    }

    /** Returns that traps of a source begin to be ignored, or count again, as one line of JSON. */
    static String noiseJson(int fromLid, boolean isIgnored, String text) {
        return JsonText.of(new Doc()
                .put("type", "noise")
                .put("from_lid", fromLid)
                .put("ignored", isIgnored)
                .put("text", text)
                .map());
    }

    /** Returns a Set of a plan as one line of JSON. */
    static String setJson(String node, String set) {
        return JsonText.of(
                new Doc().put("type", "set").put("node", node).put("set", set).map());
    }

    /** Returns that messages found nobody who read them, as one line of JSON. */
    static String leftOutJson(long count) {
        return JsonText.of(
                new Doc().put("type", "left_out").put("messages", count).map());
    }
}
