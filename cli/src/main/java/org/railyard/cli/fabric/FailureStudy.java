package org.railyard.cli.fabric;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusChanges;

/** What becomes of a routed fabric when something fails: routes it again, proves the tables, compares. */
final class FailureStudy {
    private final ProvenRouting engine;
    private final List<MulticastGroup> groups;
    private final Fabric fabric;
    private final Tables before;

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

    /**
     * Prepares it.
     *
     * @param before the tables of the whole fabric
     */
    FailureStudy(ProvenRouting engine, List<MulticastGroup> groups, Tables before) {
        this.engine = engine;
        this.groups = groups;
        this.fabric = before.fabric();
        this.before = before;
    }

    /** Lets something fail. */
    Outcome of(FailureSet failure) {
        return switch (engine.run(fabric.withLinksDown(failure.ports()), groups)) {
            case Refused refused -> refused(failure, refused.refusal());
            case CreditLoops(Tables tables, CheckReport report) -> compare(failure, tables, report, Verdict.LOOP);
            case Proven proven ->
                compare(
                        failure,
                        proven.tables(),
                        proven.report(),
                        proven.complete() ? Verdict.PROVED : Verdict.NOT_CHECKABLE);
        };
    }

    private static Outcome refused(FailureSet failure, Refusal refusal) {
        List<String> reasons = refusal.reasons().stream()
                .map(reason -> reason.code() + ": " + reason.text())
                .toList();
        return new Outcome(failure, Verdict.REFUSED, reasons, 0, null, null, List.of());
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

    private Outcome compare(FailureSet failure, Tables after, CheckReport report, Verdict verdict) {
        Fabric left = after.fabric();
        Routing routing = after.routing();
        List<String> changes = before.plan().isPresent() && after.plan().isPresent()
                ? TorusChanges.between(before.plan().orElseThrow(), after.plan().orElseThrow())
                : List.of();
        return new Outcome(
                failure,
                verdict,
                verdict == Verdict.PROVED ? List.of() : CheckText.lines(left, report),
                cutOff(left, routing),
                RoutingDiff.between(fabric, before.routing(), left, routing),
                LinkLoad.of(left, routing.forwarding()),
                changes);
    }
}
