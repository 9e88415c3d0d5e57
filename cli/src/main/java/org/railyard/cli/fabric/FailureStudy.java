package org.railyard.cli.fabric;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusChanges;
import org.railyard.fabric.torus.TorusPlan;

/** What becomes of a routed fabric when something fails: routes it again, proves the tables, compares. */
final class FailureStudy {
    private final EngineChoice engine;
    private final List<MulticastGroup> groups;
    private final Fabric fabric;
    private final Routing before;
    private final Optional<TorusPlan> planBefore;

    /** How it ended. */
    enum Verdict {
        /** Routed, and proved free of credit loops. */
        PROVED,
        /** Routed, but the tables close a credit loop. */
        LOOP,
        /** Routed, but some routes do not arrive. */
        NOT_CHECKABLE,
        /** The engine refuses. */
        REFUSED
    }

    /**
     * What became of it.
     *
     * @param failure what failed; empty name if nothing
     * @param verdict how it ended
     * @param reasons why it was refused, or what the check found; empty if proved
     * @param cutOff hosts of the whole fabric that no longer have a cable, or that most switches with routes have no
     *     route to
     * @param diff what changed; null if refused
     * @param load the new load; null if refused
     * @param changes what torus-2QoS reports of the change
     */
    record Outcome(
            FailureSet failure,
            Verdict verdict,
            List<String> reasons,
            int cutOff,
            @Nullable RoutingDiff diff,
            @Nullable LinkLoad load,
            List<String> changes) {}

    FailureStudy(EngineChoice engine, List<MulticastGroup> groups, Fabric fabric, EngineChoice.Routed routed) {
        this.engine = engine;
        this.groups = groups;
        this.fabric = fabric;
        this.before = (Routing) routed.result();
        this.planBefore = routed.plan();
    }

    /** Lets something fail. */
    Outcome of(FailureSet failure) {
        Fabric left = fabric.withLinksDown(failure.ports());
        EngineChoice.Routed routed = engine.route(left, groups);
        return switch (routed.result()) {
            case Refusal refusal ->
                new Outcome(
                        failure,
                        Verdict.REFUSED,
                        refusal.reasons().stream()
                                .map(reason -> reason.code() + ": " + reason.text())
                                .toList(),
                        0,
                        null,
                        null,
                        List.of());
            case Routing routing -> compare(failure, left, routing, routed.plan());
        };
    }

    private int cutOff(Fabric left, Routing routing) {
        int cut = 0;
        for (int host : new EndPortFinder(fabric).hosts()) {
            int lid = left.lid(host);
            int routes = 0;
            int switches = 0;
            for (int sw = 0; sw < left.switchCount(); sw++) {
                int own = left.lid(left.portIndex(sw, 0));
                boolean isRouted = own == 0 || routing.forwarding().port(sw, own) == 0;
                switches += isRouted ? 1 : 0;
                routes += isRouted && routing.forwarding().port(sw, lid) <= left.ports(sw) ? 1 : 0;
            }
            cut += left.peer(host) == Fabric.NONE || 2 * routes < switches ? 1 : 0;
        }
        return cut;
    }

    private Outcome compare(FailureSet failure, Fabric left, Routing routing, Optional<TorusPlan> plan) {
        CheckReport report = CreditLoopCheck.check(left, routing, CheckOptions.DEFAULT);
        Verdict verdict = switch (report.verdict()) {
            case CLEAN -> Verdict.PROVED;
            case LOOP -> Verdict.LOOP;
            case NOT_CHECKABLE -> Verdict.NOT_CHECKABLE;
        };
        List<String> changes = planBefore.isPresent() && plan.isPresent()
                ? TorusChanges.between(planBefore.get(), plan.get())
                : List.of();
        return new Outcome(
                failure,
                verdict,
                verdict == Verdict.PROVED ? List.of() : CheckText.lines(left, report),
                cutOff(left, routing),
                RoutingDiff.between(fabric, before, left, routing),
                LinkLoad.of(left, routing.forwarding()),
                changes);
    }
}
