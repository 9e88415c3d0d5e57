package org.railyard.bench.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole run as JSON: the machine, the plan, and every round of every contender. */
public final class JsonReport {
    private JsonReport() {}

    /** Returns the document. */
    public static Map<String, Object> of(MachineFacts machine, Plan plan, List<Comparison> comparisons) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("machine", machine.asMap());
        document.put("plan", plan(plan));
        document.put("measures", comparisons.stream().map(JsonReport::measure).toList());
        return document;
    }

    private static Map<String, Object> plan(Plan plan) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("seconds_per_round", plan.settings().seconds());
        map.put("byte_limit_per_round", plan.settings().byteLimit());
        map.put("rounds", plan.rounds());
        map.put("warmup_rounds", plan.warmups());
        map.put("pinned", plan.settings().placement() == CpuPlacement.PINNED);
        return map;
    }

    private static Map<String, Object> interval(Interval ratio) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("ratio", ratio.ratio());
        map.put("low", ratio.low());
        map.put("high", ratio.high());
        return map;
    }

    private static Map<String, Object> measure(Comparison comparison) {
        Measure measure = comparison.measure();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("measure", measure.key());
        map.put("title", measure.title());
        map.put("unit", measure.unit());
        map.put("higher_is_better", measure.higherIsBetter());
        List<Object> rows = new ArrayList<>();
        comparison.series().forEach(series -> rows.add(row(comparison, series)));
        map.put("contenders", rows);
        Surroundings surroundings = comparison.surroundings();
        if (surroundings != null) {
            map.put("load", surroundings.load());
            map.put("steal", surroundings.steal());
            map.put("other_programs", surroundings.others());
            map.put("compiling", surroundings.compiling());
        }
        return map;
    }

    private static Map<String, Object> row(Comparison comparison, Series series) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", series.name());
        map.put("peer", series.peer());
        String trouble = series.trouble();
        if (trouble != null) {
            map.put("trouble", trouble);
        }
        String note = series.note();
        if (note != null) {
            map.put("note", note);
        }
        if (!series.hasResult()) {
            return map;
        }
        map.put("median", series.median());
        series.median(Sample.Latency::p99).ifPresent(p99 -> map.put("p99", p99));
        series.median(Sample.Latency::p999).ifPresent(p999 -> map.put("p99.9", p999));
        map.put("min", series.min());
        map.put("max", series.max());
        map.put("noisy", series.isNoisy());
        series.cpu().ifPresent(micros -> map.put("cpu_us_per_message", micros));
        map.put("rounds", Arrays.stream(series.values()).boxed().toList());
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (Series peer : comparison.peers()) {
            Interval.of(series, peer).ifPresent(ratio -> ratios.put(peer.name(), interval(ratio)));
        }
        map.put("ratio_to", ratios);
        return map;
    }
}
