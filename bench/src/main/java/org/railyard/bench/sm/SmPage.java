package org.railyard.bench.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.Plot;

/** Figures of the subnet manager as a page. */
final class SmPage {
    private static final double SECOND = 1e9;

    /**
     * One run on ibsim.
     *
     * @param torus its name
     * @param manager who managed it
     * @param seen what was seen
     */
    record OnIbsim(String torus, String manager, IbsimRun.Seen seen) {
        private String title() {
            return torus + ", " + manager;
        }
    }

    private SmPage() {}

    /**
     * Fills a page.
     *
     * @param machine facts about the machine
     * @param agents figures on simulated agents by the name of the torus
     * @param ibsim runs on ibsim, in their order
     */
    static void fill(HtmlPage page, String machine, Map<String, Map<String, Long>> agents, List<OnIbsim> ibsim) {
        page.pre(machine);
        if (!ibsim.isEmpty()) {
            page.section("First sweep on ibsim, s")
                    .plot(Plot.bars(
                            "s",
                            ibsim.stream().map(run -> bar(run, run.seen.up())).toList()));
            page.section("Sweep after a lost cable on ibsim, median, s")
                    .plot(Plot.bars(
                            "s",
                            ibsim.stream().map(run -> bar(run, run.seen.pull())).toList()));
            List<List<Object>> rows = new ArrayList<>();
            for (OnIbsim run : ibsim) {
                IbsimRun.Seen seen = run.seen;
                rows.add(List.of(
                        run.torus,
                        run.manager,
                        seconds(seen.up()),
                        seconds(seen.upCpu()),
                        seconds(seen.firstPull()),
                        seconds(seen.pull()),
                        seconds(seen.pullCpu()),
                        seen.peakKb() / 1024));
            }
            page.section("On ibsim, s")
                    .table(
                            List.of(
                                    "torus",
                                    "manager",
                                    "first sweep",
                                    "its CPU",
                                    "first cable",
                                    "cables, median",
                                    "their CPU",
                                    "peak MB"),
                            rows);
        }
        agents.forEach((torus, figures) -> page.section(torus + " on simulated agents, ns of CPU and kB")
                .table(
                        List.of("figure", "value"),
                        figures.entrySet().stream()
                                .map(each -> List.<Object>of(each.getKey(), each.getValue()))
                                .toList()));
    }

    private static Plot.Bar bar(OnIbsim run, long nanos) {
        return new Plot.Bar(run.title(), nanos / SECOND);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / SECOND);
    }
}
