package org.railyard.cli.lst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rates of nodes between two looks at what they have counted (spec 03 §2, STAT). */
final class Rates {
    private static final long WORD = 1L << 32;
    private static final double MIB = 1 << 20;
    private static final double MB = 1e6;
    private static final double MILLIS_PER_SECOND = 1000;

    /** What is to be told of it; nothing chosen means all. */
    record Wanted(
            boolean bandwidth,
            boolean rate,
            boolean read,
            boolean write,
            boolean min,
            boolean max,
            boolean average,
            boolean decimal) {
        Wanted {
            if (!bandwidth && !rate) {
                bandwidth = true;
                rate = true;
            }
            if (!read && !write) {
                read = true;
                write = true;
            }
            if (!min && !max && !average) {
                min = true;
                max = true;
                average = true;
            }
        }
    }

    private final Map<String, NodeAnswer> before = new LinkedHashMap<>();
    private final Map<String, NodeAnswer> now = new LinkedHashMap<>();

    /** Takes the next look. */
    void take(List<NodeAnswer> answers) {
        before.clear();
        before.putAll(now);
        now.clear();
        answers.stream().filter(NodeAnswer::isGood).forEach(answer -> now.put(answer.nid(), answer));
    }

    /** Returns the lines about a group of nodes. */
    List<String> lines(String group, Wanted wanted) {
        List<String> lines = new ArrayList<>();
        if (wanted.rate) {
            lines.add("[LNet Rates of " + group + "]");
            add(lines, wanted, "lnet.recv_count", "lnet.send_count", 1, "%-8.0f RPC/s ", true);
        }
        if (wanted.bandwidth) {
            lines.add("[LNet Bandwidth of " + group + "]");
            String unit = wanted.decimal ? "%-8.2f MB/s  " : "%-8.2f MiB/s ";
            add(lines, wanted, "lnet.recv_length", "lnet.send_length", wanted.decimal ? MB : MIB, unit, false);
        }
        return lines;
    }

    private void add(
            List<String> lines, Wanted wanted, String read, String write, double unit, String form, boolean words) {
        if (wanted.read) {
            lines.add("[R] " + line(wanted, rates(read, unit, words), form));
        }
        if (wanted.write) {
            lines.add("[W] " + line(wanted, rates(write, unit, words), form));
        }
    }

    /** Returns the rate of each node, per second; counts of 32 bits wrap around. */
    private double[] rates(String counter, double unit, boolean words) {
        List<Double> rates = new ArrayList<>();
        now.forEach((nid, second) -> {
            NodeAnswer first = before.get(nid);
            long millis = first == null ? 0 : wrapped(second, first, "framework.running_ms", true);
            if (first != null && millis > 0) {
                rates.add(wrapped(second, first, counter, words) / unit * MILLIS_PER_SECOND / millis);
            }
        });
        return rates.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static long wrapped(NodeAnswer second, NodeAnswer first, String counter, boolean words) {
        long difference = second.number(counter) - first.number(counter);
        return words ? Math.floorMod(difference, WORD) : difference;
    }

    private static String line(Wanted wanted, double[] rates, String form) {
        StringBuilder line = new StringBuilder();
        double sum = 0;
        double min = rates.length == 0 ? 0 : Double.MAX_VALUE;
        double max = 0;
        for (double rate : rates) {
            sum += rate;
            min = Math.min(min, rate);
            max = Math.max(max, rate);
        }
        if (wanted.average) {
            line.append(String.format(Locale.ROOT, "Avg: " + form, rates.length == 0 ? 0 : sum / rates.length));
        }
        if (wanted.min) {
            line.append(String.format(Locale.ROOT, "Min: " + form, min));
        }
        if (wanted.max) {
            line.append(String.format(Locale.ROOT, "Max: " + form, max));
        }
        return line.toString().stripTrailing();
    }
}
