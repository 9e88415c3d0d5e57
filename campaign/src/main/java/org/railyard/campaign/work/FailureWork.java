package org.railyard.campaign.work;

import static org.railyard.campaign.work.RowColumn.column;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.RowColumn.Role;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.torus.failure.FailureFigures;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.whatif.FailureSet;
import org.railyard.fabric.whatif.FailureStudy;

/** Switches and cables that fail together: all sets of a size, or a sample of them. */
public final class FailureWork implements Work {
    /** Most things that fail together. */
    public static final int MAX_TOGETHER = 3;

    private static final List<RowColumn> COLUMNS = List.of(
            RowColumn.ofCase(),
            column("verdict", Role.VERDICT, "proved, loop, not_checkable or refused, as fabric whatif has it"),
            column("failed", Role.OTHER, "what fails"),
            column("reason", Role.REASON, "code of the first reason of a refusal, or what the proof found"),
            column("text", Role.OTHER, "the reason in words"),
            column("places", Role.PLACES, "positions of failed switches, and of both ends of failed cables"),
            column("cut_off", Role.FIGURE, "hosts without a cable or a route"),
            column("entries_changed", Role.FIGURE, "entries of forwarding tables that changed"),
            column("masks_changed", Role.FIGURE, "multicast masks that changed"),
            column("mean_hops", Role.FIGURE, "mean number of hops between switches"),
            column("longest", Role.OTHER, "most hops between switches"),
            column("mean_load", Role.OTHER, "mean number of pairs of end ports on a cable, in one direction"),
            column("most_load", Role.FIGURE, "most pairs of end ports on a cable, in one direction"));

    private static final String GOOD = CellText.lower(FailureStudy.Verdict.PROVED);

    private final CampaignPlan plan;
    private final RoutedFabric routed;
    private final List<MulticastGroup> groups;
    private final Tables whole;
    private final Optional<TorusLayout> layout;
    private final List<Part> parts;
    private final String of;
    private final int together;
    private final long sample;
    private final long seed;
    private final long checkEvery;

    /** Something that may fail, the name by which {@code fabric whatif} finds it, and the switches at it. */
    private record Part(FailureSet set, String name, List<Integer> switches) {}

    FailureWork(CampaignPlan plan) {
        this.plan = plan;
        routed = RoutedFabric.of(plan);
        together = (int) plan.number("together", 1, MAX_TOGETHER);
        sample = plan.number("sample", 0, CampaignPlan.MAX_CASES);
        seed = plan.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        of = plan.parameter("of");
        parts = parts(routed.fabric(), of);
        if (parts.size() < together) {
            throw new ErrnoException(Errno.EINVAL, "%d %s, expected at least %d".formatted(parts.size(), of, together));
        }
        groups = routed.groups();
        whole = routed.tables(groups);
        layout = RoutedFabric.layout(whole);
        long checks = plan.number("check", 0, CampaignPlan.MAX_CASES);
        checkEvery = checks == 0 ? Long.MAX_VALUE : Math.max(1, cases() / checks);
    }

    private static List<Part> parts(Fabric fabric, String of) {
        boolean all = of.equals("all");
        if (!all && !of.equals("switches") && !of.equals("cables")) {
            throw new ErrnoException(Errno.EINVAL, "of '" + of + "', expected switches, cables or all");
        }
        List<Part> parts = new ArrayList<>();
        if (all || of.equals("switches")) {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                parts.add(new Part(FailureSet.ofSwitch(fabric, sw), guid(fabric, sw), List.of(sw)));
            }
        }
        if (all || of.equals("cables")) {
            for (FailureSet cable : FailureSet.eachCable(fabric)) {
                int port = cable.ports().nextSetBit(0);
                int sw = fabric.nodeOf(port);
                parts.add(new Part(
                        cable,
                        guid(fabric, sw) + "/" + fabric.portNumber(port),
                        List.of(sw, fabric.nodeOf(fabric.peer(port)))));
            }
        }
        return parts;
    }

    private static String guid(Fabric fabric, int sw) {
        return "0x%x".formatted(fabric.guid(sw));
    }

    @Override
    public String title() {
        String sets = together == 1 ? of : "sets of %d of %s".formatted(together, of);
        return "failures: %s%s; %d switches, %s"
                .formatted(
                        sample == 0 ? "all " : sample + " random ",
                        sets,
                        routed.fabric().switchCount(),
                        routed.engine().text());
    }

    @Override
    public long cases() {
        return sample == 0 ? Combinations.count(parts.size(), together) : sample;
    }

    @Override
    public List<RowColumn> columns() {
        return COLUMNS;
    }

    @Override
    public String goodVerdict() {
        return GOOD;
    }

    @Override
    public Optional<TorusShape> torus() {
        return layout.map(TorusLayout::shape);
    }

    @Override
    public String mapped() {
        return "most_load";
    }

    private List<Part> chosen(long number) {
        int[] chosen = sample == 0
                ? Combinations.at(number, parts.size(), together)
                : Seeds.of(seed, number)
                        .ints(0, parts.size())
                        .distinct()
                        .limit(together)
                        .sorted()
                        .toArray();
        return IntStream.of(chosen).mapToObj(parts::get).toList();
    }

    @Override
    public Worker worker() {
        FailureStudy study =
                new FailureStudy(routed.routing(), groups, whole, false, (_, report) -> List.of(finding(report)));
        return number -> {
            List<Part> failing = chosen(number);
            FailureSet set = FailureSet.together(failing.stream().map(Part::set).toList());
            return row(number, failing, study.of(set, number % checkEvery == checkEvery - 1));
        };
    }

    private static String finding(CheckReport report) {
        return report.loops().isEmpty()
                ? report.faults().stream()
                        .findFirst()
                        .map(fault -> CellText.lower(fault.kind()) + ": " + fault.text())
                        .orElse("not checkable")
                : "credit_loop: %d channels wait for each other"
                        .formatted(report.loops().getFirst().waits().size());
    }

    private List<String> row(long number, List<Part> failing, FailureStudy.Outcome outcome) {
        String reason = outcome.reasons().isEmpty() ? "" : outcome.reasons().getFirst();
        int colon = reason.indexOf(':');
        List<String> cells = new ArrayList<>(List.of(
                Long.toString(number),
                CellText.lower(outcome.verdict()),
                outcome.failed(),
                colon < 0 ? reason : reason.substring(0, colon),
                colon < 0 ? "" : reason.substring(colon + 1).strip(),
                places(failing)));
        cells.addAll(figures(outcome.figures()));
        return cells;
    }

    private static List<String> figures(@Nullable FailureFigures figures) {
        return figures == null
                ? List.of("", "", "", "", "", "", "")
                : List.of(
                        Integer.toString(figures.cutOff()),
                        Long.toString(figures.entriesChanged()),
                        Long.toString(figures.masksChanged()),
                        CellText.number(figures.meanHops()),
                        Integer.toString(figures.longest()),
                        CellText.number(figures.meanLoad()),
                        Long.toString(figures.mostLoad()));
    }

    private String places(List<Part> failing) {
        return RoutedFabric.places(layout, failing.stream().flatMap(part -> part.switches().stream()));
    }

    @Override
    public String replay(long number, Path inputs) {
        return "railyard fabric whatif " + RoutedFabric.options(plan, inputs)
                + chosen(number).stream().map(part -> " --fail " + part.name()).collect(Collectors.joining());
    }
}
