package org.railyard.fabric.whatif;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
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
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.failure.FailureFigures;
import org.railyard.fabric.torus.failure.TorusFailures;

/**
 * What becomes of a routed fabric when something fails: routes it again, proves the tables, compares. Where
 * {@link TorusFailures} has an answer, that is taken; a few are checked against routing and proof of the whole. What it
 * says of a failure depends on nothing that it was asked before. Not thread safe.
 */
public final class FailureStudy {
    private final ProvenRouting engine;
    private final List<MulticastGroup> groups;
    private final Fabric fabric;
    private final Tables before;
    private final Optional<TorusFailures> quick;
    private final boolean withChanges;
    private final BiFunction<Fabric, CheckReport, List<String>> text;

    /** How it ended. */
    public enum Verdict {
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
     * @param failed what failed
     * @param verdict how it ended
     * @param reasons why it was refused, or what the check found; empty if proved
     * @param figures what changed, and the new load; null if refused
     * @param changes what torus-2QoS reports of the change
     */
    public record Outcome(
            String failed,
            Verdict verdict,
            List<String> reasons,
            @Nullable FailureFigures figures,
            List<String> changes) {}

    /**
     * Prepares it.
     *
     * @param before the tables of the whole fabric
     * @param withChanges whether outcomes tell what torus-2QoS reports of the change
     * @param text says what the check found, where that is not all that was hoped for
     */
    public FailureStudy(
            ProvenRouting engine,
            List<MulticastGroup> groups,
            Tables before,
            boolean withChanges,
            BiFunction<Fabric, CheckReport, List<String>> text) {
        this.text = text;
        this.engine = engine;
        this.groups = groups;
        this.fabric = before.fabric();
        this.before = before;
        this.withChanges = withChanges;
        this.quick = before.plan().flatMap(plan -> engine.failures(plan, groups));
    }

    /**
     * Lets something fail.
     *
     * @param isChecked whether a quick answer is compared with that of routing and proof of the whole
     * @throws IllegalStateException if the two differ: one of them has a defect
     */
    public Outcome of(FailureSet failure, boolean isChecked) {
        Optional<Outcome> answer =
                quick.flatMap(failures -> failures.of(failure.ports())).map(result -> quick(failure, result));
        if (answer.isPresent() && !isChecked) {
            return answer.orElseThrow();
        }
        Outcome whole = whole(failure);
        if (answer.isPresent() && !answer.orElseThrow().equals(whole)) {
            throw new IllegalStateException("%s: the flows that moved give %s, all of them %s"
                    .formatted(failure.name(), answer.orElseThrow(), whole));
        }
        return whole;
    }

    private Outcome quick(FailureSet failure, TorusFailures.Result result) {
        TorusPlan plan = result.plan();
        return plan == null
                ? refused(failure, Objects.requireNonNull(result.refusal()).refusal())
                : new Outcome(failure.name(), Verdict.PROVED, List.of(), result.figures(), changes(Optional.of(plan)));
    }

    private Outcome whole(FailureSet failure) {
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
        return new Outcome(failure.name(), Verdict.REFUSED, reasons, null, List.of());
    }

    private int cutOff(Fabric left, Routing routing) {
        int cut = 0;
        for (int host : fabric.hosts()) {
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
        return new Outcome(
                failure.name(),
                verdict,
                verdict == Verdict.PROVED ? List.of() : text.apply(left, report),
                FailureFigures.of(
                        cutOff(left, routing),
                        RoutingDiff.between(fabric, before.routing(), left, routing),
                        LinkLoad.of(left, routing.forwarding())),
                changes(after.plan()));
    }

    private List<String> changes(Optional<TorusPlan> after) {
        return withChanges && before.plan().isPresent() && after.isPresent()
                ? TorusChanges.between(before.plan().orElseThrow(), after.orElseThrow())
                : List.of();
    }
}
