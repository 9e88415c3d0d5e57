package org.railyard.cli.lst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;
import org.railyard.cli.lst.Rates.Moved;

/** What {@code lst stat} saw as a page: rates of groups over time, and of each node. Keeps so many looks at most. */
final class StatPage {
    /** Most looks that are kept; later ones count for nodes, and are not drawn. */
    private static final int MAX_LOOKS = 10_000;

    private static final double MIB = 1 << 20;

    private final List<String> groups;
    private final List<Map<String, List<Plot.Point>>> lines = new ArrayList<>();
    private final List<Map<String, Distribution>> nodes = new ArrayList<>();
    private int looks;

    StatPage(List<String> groups) {
        this.groups = List.copyOf(groups);
        groups.forEach(_ -> {
            lines.add(new LinkedHashMap<>());
            nodes.add(new LinkedHashMap<>());
        });
    }

    boolean hasLooks() {
        return looks > 0;
    }

    /** Adds the last look at each group. */
    void add(List<Rates> rates) {
        looks++;
        for (int i = 0; i < rates.size(); i++) {
            Map<String, Moved> moved = rates.get(i).moved();
            double at = rates.get(i).seconds();
            if (looks <= MAX_LOOKS) {
                Map<String, List<Plot.Point>> all = lines.get(i);
                point(all, "received, MiB/s", at, moved, each -> each.receivedBytes() / MIB);
                point(all, "sent, MiB/s", at, moved, each -> each.sentBytes() / MIB);
                point(all, "received, RPC/s", at, moved, Moved::received);
                point(all, "sent, RPC/s", at, moved, Moved::sent);
            }
            Map<String, Distribution> its = nodes.get(i);
            moved.forEach((nid, each) -> its.computeIfAbsent(nid, _ -> new Distribution())
                    .add((each.receivedBytes() + each.sentBytes()) / MIB));
        }
    }

    /** Adds the sum of a group; without an answer the line is broken. */
    private static void point(
            Map<String, List<Plot.Point>> all,
            String name,
            double at,
            Map<String, Moved> moved,
            ToDoubleFunction<Moved> rate) {
        double sum = moved.isEmpty()
                ? Double.NaN
                : moved.values().stream().mapToDouble(rate).sum();
        all.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Plot.Point(at, sum));
    }

    void fill(HtmlPage page) {
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            page.section("Bandwidth of " + group + ", all nodes together, MiB/s")
                    .plot(plot(i, "MiB/s"));
            page.section("Messages of " + group + ", all nodes together, RPC/s").plot(plot(i, "RPC/s"));
            List<Plot.Bar> bars = new ArrayList<>();
            List<List<Object>> rows = new ArrayList<>();
            nodes.get(i).forEach((nid, values) -> {
                bars.add(new Plot.Bar(nid, values.mean(), values.min(), values.max()));
                rows.add(List.of(
                        nid,
                        NumberText.text(values.mean()),
                        NumberText.text(values.min()),
                        NumberText.text(values.max())));
            });
            page.section("Nodes of " + group
                            + ": received and sent, MiB/s; the thin line is from the least to the most")
                    .plot(Plot.bars("MiB/s", bars.subList(0, Math.min(bars.size(), HtmlPage.MAX_ROWS))))
                    .table(List.of("node", "mean", "least", "most"), rows);
        }
        page.text(looks + " looks" + (looks > MAX_LOOKS ? ", of which the first " + MAX_LOOKS + " are drawn" : ""));
    }

    private String plot(int group, String unit) {
        List<Plot.Line> drawn = new ArrayList<>();
        lines.get(group).forEach((name, points) -> {
            if (name.endsWith(unit)) {
                drawn.add(new Plot.Line(name, points));
            }
        });
        return Plot.lines("time, s", drawn);
    }
}
