package org.railyard.bench.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;

/**
 * How long a torus took.
 *
 * @param title its name
 * @param ours times of ours by name, us, and other figures
 * @param opensm what OpenSM took, if it ran
 * @param ibdmchk time of ibdmchk, us, if it ran
 */
record FabricTimes(String title, Map<String, Long> ours, Optional<OpenSmRun.Seen> opensm, Optional<Long> ibdmchk) {
    private static final double MILLI = 1000;

    /** Fills a page about all of them. */
    static void fill(HtmlPage page, String machine, List<FabricTimes> all) {
        page.pre(machine);
        List<Plot.Bar> tables = new ArrayList<>();
        List<Plot.Bar> proofs = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        for (FabricTimes each : all) {
            Optional<Double> others = each.opensm.map(seen -> seen.tablesMicros() / MILLI);
            Optional<Double> checked = each.ibdmchk.map(micros -> micros / MILLI);
            tables.add(new Plot.Bar(each.title, each.millis("tables")));
            others.ifPresent(millis -> tables.add(new Plot.Bar(each.title + ", OpenSM", millis)));
            proofs.add(new Plot.Bar(each.title, each.millis("proof")));
            checked.ifPresent(millis -> proofs.add(new Plot.Bar(each.title + ", ibdmchk", millis)));
            rows.add(List.of(
                    each.title,
                    each.ours.getOrDefault("lids", 0L),
                    NumberText.text(each.millis("tables")),
                    others.map(NumberText::text).orElse("-"),
                    NumberText.text(each.millis("proof")),
                    checked.map(NumberText::text).orElse("-"),
                    NumberText.text(each.millis("certificate"))));
        }
        page.section("Tables, ms").plot(Plot.bars("ms", tables));
        page.section("Proof, ms").plot(Plot.bars("ms", proofs));
        page.section("All, ms")
                .table(List.of("torus", "LIDs", "tables", "OpenSM", "proof", "ibdmchk", "certificate"), rows);
    }

    /** Returns it for programs; times in us. */
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("torus", title);
        document.put("figures", ours);
        opensm.ifPresent(seen -> {
            document.put("opensm_tables", seen.tablesMicros());
            document.put("opensm_peak_kb", seen.peakKb());
        });
        ibdmchk.ifPresent(micros -> document.put("ibdmchk", micros));
        return document;
    }

    private double millis(String name) {
        return ours.getOrDefault(name, 0L) / MILLI;
    }
}
