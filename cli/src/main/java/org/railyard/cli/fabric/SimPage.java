package org.railyard.cli.fabric;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.HtmlPage;
import org.railyard.base.report.NumberText;
import org.railyard.base.report.Plot;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sim.traffic.LinkUse;
import org.railyard.fabric.sim.traffic.LoadPoint;

/** The loads of a simulation as a page: throughput and latency by load, and what links had to carry. */
final class SimPage {
    private static final int MAX_LINKS = 25;
    private static final double MICRO = 1000;
    private static final String LOAD = "load, share of what links of hosts carry";

    private final Fabric fabric;
    private final List<LoadPoint> points;

    SimPage(Fabric fabric, List<LoadPoint> points) {
        this.fabric = fabric;
        this.points = points;
    }

    void fill(HtmlPage page) {
        if (points.size() > 1) {
            page.section("Throughput by load")
                    .plot(Plot.lines(
                            LOAD, List.of(line("offered", LoadPoint::offered), line("accepted", LoadPoint::accepted))));
            page.section("Latency by load, us")
                    .plot(Plot.lines(
                            LOAD,
                            List.of(
                                    line("mean", point -> point.delays().mean() / MICRO),
                                    line("median", point -> point.delays().median() / MICRO),
                                    line("99 %", point -> point.delays().most() / MICRO))));
            page.section("Busiest link and fairness by load")
                    .plot(Plot.lines(
                            LOAD,
                            List.of(
                                    line("busiest link", point -> point.use().most(fabric)),
                                    line("fairness", LoadPoint::fairness))));
        }
        page.section("All loads").pre(String.join("\n", new SimReport(fabric, points).lines()));
        links(page, points.getLast());
    }

    private Plot.Line line(String name, ToDoubleFunction<LoadPoint> figure) {
        return new Plot.Line(
                name,
                points.stream()
                        .map(point -> new Plot.Point(
                                point.load(), point.packets() == 0 ? Double.NaN : figure.applyAsDouble(point)))
                        .toList());
    }

    private void links(HtmlPage page, LoadPoint point) {
        LinkUse use = point.use();
        List<Integer> ports = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.cable(port) != Fabric.NONE)
                .boxed()
                .toList();
        Distribution shares = new Distribution();
        ports.forEach(port -> shares.add(use.of(port)));
        String load = ", load " + NumberText.text(point.load());
        page.section("Directions of cables by use" + load);
        if (shares.max() > shares.min()) {
            page.plot(Plot.histogram("share of what a cable carries", "directions", shares));
        }
        page.section("The busiest, by sending port" + load).plot(most(ports, use::of));
        if (ports.stream().anyMatch(port -> use.waited(port) > 0)) {
            page.section("Longest with packets and without credits, share of the time" + load)
                    .plot(most(ports, use::waited));
        }
    }

    private String most(List<Integer> ports, ToDoubleFunction<Integer> share) {
        return Plot.bars(
                "",
                ports.stream()
                        .sorted(Comparator.comparingDouble(share).reversed())
                        .limit(MAX_LINKS)
                        .map(port -> new Plot.Bar(fabric.portName(port), share.applyAsDouble(port)))
                        .toList());
    }
}
