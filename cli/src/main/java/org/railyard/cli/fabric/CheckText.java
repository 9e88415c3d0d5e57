package org.railyard.cli.fabric;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Certificate;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoop;
import org.railyard.fabric.route.Refusal;

/** What the check found, in lines (spec 32 §3). */
final class CheckText {
    private CheckText() {}

    static List<String> lines(Fabric fabric, CheckReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("channels: %d, dependencies: %d".formatted(report.channels(), report.dependencies()));
        List<CreditLoop> loops = report.loops();
        for (int i = 0; i < loops.size(); i++) {
            CreditLoop loop = loops.get(i);
            lines.add("credit loop: %d channels, component %d of %d (%d channels)"
                    .formatted(loop.waits().size(), i + 1, report.components(), loop.channelsInComponent()));
            for (CreditLoop.Wait wait : loop.waits()) {
                lines.add("  %-40s %s"
                        .formatted(wait.channel().text(fabric), wait.flow().text(fabric)));
            }
        }
        if (report.components() > loops.size()) {
            lines.add("%d more components with a credit loop are not shown"
                    .formatted(report.components() - loops.size()));
        }
        report.faults()
                .forEach(fault -> lines.add("%s: %s"
                        .formatted(fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '), fault.text())));
        if (report.faultCount() > report.faults().size()) {
            lines.add("faults in all: " + report.faultCount());
        }
        lines.add(
                switch (report.verdict()) {
                    case CLEAN -> "verdict: clean, no credit loop and every route arrives";
                    case LOOP -> "verdict: credit loop";
                    case NOT_CHECKABLE -> "verdict: not checkable, some routes do not arrive";
                });
        return lines;
    }

    /** Returns the same for programs. */
    static Map<String, Object> document(Fabric fabric, CheckReport report, List<String> remarks) {
        List<Object> loops = new ArrayList<>();
        for (CreditLoop loop : report.loops()) {
            List<Object> waits = new ArrayList<>();
            for (CreditLoop.Wait wait : loop.waits()) {
                waits.add(new Doc()
                        .put("channel", wait.channel().text(fabric))
                        .put("flow", wait.flow().text(fabric))
                        .map());
            }
            loops.add(new Doc()
                    .put("channels_in_component", loop.channelsInComponent())
                    .put("waits", waits)
                    .map());
        }
        return new Doc()
                .put("verdict", report.verdict().name().toLowerCase(Locale.ROOT))
                .put("channels", report.channels())
                .put("dependencies", report.dependencies())
                .put("components_with_loops", report.components())
                .put("loops", loops)
                .put("faults", report.faultCount())
                .put(
                        "first_faults",
                        report.faults().stream()
                                .<Object>map(fault -> new Doc()
                                        .put("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                                        .put("text", fault.text())
                                        .map())
                                .toList())
                .put("remarks", remarks)
                .map();
    }

    /** Prints why an engine does not route a fabric. */
    static void print(Refusal refusal, PrintWriter err) {
        err.println("railyard: " + refusal.engine() + " refuses this fabric:");
        refusal.reasons().forEach(reason -> err.println("  " + reason.code() + ": " + reason.text()));
    }

    /** Returns why an engine does not route a fabric, for programs. */
    static Map<String, Object> document(Refusal refusal) {
        return new Doc()
                .put("engine", refusal.engine())
                .put("verdict", "refused")
                .put(
                        "reasons",
                        refusal.reasons().stream()
                                .<Object>map(reason -> new Doc()
                                        .put("code", reason.code())
                                        .put("text", reason.text())
                                        .map())
                                .toList())
                .map();
    }

    /** One line per channel: node GUID, sending port, VL, number. */
    static String certificate(Fabric fabric, Certificate certificate) {
        StringBuilder out =
                new StringBuilder("# node GUID, sending port, VL, number: packets wait for larger ones only\n");
        for (int i = 0; i < certificate.size(); i++) {
            Channel channel = certificate.channel(i);
            out.append("0x%016x %d %d %d\n"
                    .formatted(
                            fabric.guid(fabric.nodeOf(channel.port())),
                            fabric.portNumber(channel.port()),
                            channel.vl(),
                            certificate.number(channel.port(), channel.vl())));
        }
        return out.toString();
    }
}
