package org.railyard.cli.lst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.text.Doc;

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

    private static final String TIME = "framework.running_ms";

    /** What is counted. */
    private enum Counter {
        RECEIVED("lnet.recv_count", true),
        SENT("lnet.send_count", true),
        RECEIVED_BYTES("lnet.recv_length", false),
        SENT_BYTES("lnet.send_length", false);

        final String path;
        /** Whether it has 32 bits and wraps around. */
        final boolean word;

        Counter(String path, boolean word) {
            this.path = path;
            this.word = word;
        }
    }

    /** What a node has counted in a time. */
    private static final class Counted {
        private long millis;
        private final long[] counts = new long[Counter.values().length];

        double perSecond(Counter counter) {
            return counts[counter.ordinal()] * MILLIS_PER_SECOND / millis;
        }

        void add(NodeAnswer second, NodeAnswer first) {
            millis += wrapped(second, first, TIME, true);
            for (Counter counter : Counter.values()) {
                counts[counter.ordinal()] += wrapped(second, first, counter.path, counter.word);
            }
        }
    }

    /**
     * What a node moved in a time, for each second of it.
     *
     * @param received RPCs
     * @param sent RPCs
     * @param receivedBytes bytes
     * @param sentBytes bytes
     */
    record Moved(double received, double sent, double receivedBytes, double sentBytes) {}

    private final Map<String, NodeAnswer> now = new LinkedHashMap<>();
    private final Map<String, String> silent = new LinkedHashMap<>();
    /** Between the last two looks. */
    private final Map<String, Counted> last = new LinkedHashMap<>();

    /** Between all looks. */
    private final Map<String, Counted> all = new LinkedHashMap<>();

    /** Takes the next look; returns what is new about nodes that do not answer. */
    List<String> take(List<NodeAnswer> answers) {
        List<String> news = new ArrayList<>();
        Map<String, NodeAnswer> before = new LinkedHashMap<>(now);
        now.clear();
        last.clear();
        for (NodeAnswer answer : answers) {
            String nid = answer.nid();
            if (!answer.isGood()) {
                if (silent.put(nid, answer.problem()) == null) {
                    news.add(answer.problem() + "; going on without it");
                }
                continue;
            }
            if (silent.remove(nid) != null) {
                news.add(nid + ": answers again");
            }
            now.put(nid, answer);
            NodeAnswer first = before.get(nid);
            if (first != null) {
                last.computeIfAbsent(nid, _ -> new Counted()).add(answer, first);
                all.computeIfAbsent(nid, _ -> new Counted()).add(answer, first);
            }
        }
        return news;
    }

    /** Returns what each node moved for each second between the last two looks, and who did not answer. */
    Doc document() {
        Doc nodes = new Doc();
        moved().forEach((nid, moved) -> nodes.put(
                nid,
                new Doc()
                        .put("received_rpcs_per_s", moved.received())
                        .put("sent_rpcs_per_s", moved.sent())
                        .put("received_bytes_per_s", moved.receivedBytes())
                        .put("sent_bytes_per_s", moved.sentBytes())));
        return new Doc().put("nodes", nodes).put("no_answer", List.copyOf(silent.keySet()));
    }

    /** Returns what each node moved from the last look but one to the last; those that did not answer are left out. */
    Map<String, Moved> moved() {
        Map<String, Moved> moved = new LinkedHashMap<>();
        last.forEach((nid, counted) -> {
            if (counted.millis > 0) {
                moved.put(
                        nid,
                        new Moved(
                                counted.perSecond(Counter.RECEIVED),
                                counted.perSecond(Counter.SENT),
                                counted.perSecond(Counter.RECEIVED_BYTES),
                                counted.perSecond(Counter.SENT_BYTES)));
            }
        });
        return moved;
    }

    /** Returns how long it was from the first look to the last, s. */
    double seconds() {
        return all.values().stream().mapToLong(each -> each.millis).max().orElse(0) / MILLIS_PER_SECOND;
    }

    /** Returns the lines about a group of nodes, from the last look but one to the last. */
    List<String> lines(String group, Wanted wanted) {
        return lines(group, wanted, last);
    }

    /** Returns the lines about a group of nodes, from the first look to the last. */
    List<String> overall(String group, Wanted wanted) {
        return lines(group + " over " + Math.round(seconds()) + " s", wanted, all);
    }

    private List<String> lines(String group, Wanted wanted, Map<String, Counted> counted) {
        List<String> lines = new ArrayList<>();
        if (wanted.rate) {
            lines.add("[LNet Rates of " + group + "]");
            add(lines, wanted, counted, Counter.RECEIVED, Counter.SENT, 1, "%-8.0f RPC/s ");
        }
        if (wanted.bandwidth) {
            lines.add("[LNet Bandwidth of " + group + "]");
            String unit = wanted.decimal ? "%-8.2f MB/s  " : "%-8.2f MiB/s ";
            add(lines, wanted, counted, Counter.RECEIVED_BYTES, Counter.SENT_BYTES, wanted.decimal ? MB : MIB, unit);
        }
        if (!silent.isEmpty()) {
            lines.add("[no answer] " + String.join(", ", silent.keySet()));
        }
        return lines;
    }

    private static void add(
            List<String> lines,
            Wanted wanted,
            Map<String, Counted> counted,
            Counter read,
            Counter write,
            double unit,
            String form) {
        if (wanted.read) {
            lines.add("[R] " + line(wanted, rates(counted, read, unit), form));
        }
        if (wanted.write) {
            lines.add("[W] " + line(wanted, rates(counted, write, unit), form));
        }
    }

    /** Returns the rate of each node, per second. */
    private static double[] rates(Map<String, Counted> counted, Counter counter, double unit) {
        return counted.values().stream()
                .filter(each -> each.millis > 0)
                .mapToDouble(each -> each.perSecond(counter) / unit)
                .toArray();
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
