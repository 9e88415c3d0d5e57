package org.railyard.fabric.proven;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.format.LidAssignment;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.proof.Certificate;
import org.railyard.fabric.proof.CertificateVerifier;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.proof.LostCables;
import org.railyard.fabric.proof.VerifiedTables;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.fabric.torus.failure.TorusFailures;
import org.railyard.fabric.torus.qos.QosSettings;

/**
 * Routes a fabric in stages: LIDs, tables, the check for credit loops (spec 32), and a verifier that believes nothing
 * that the check says. {@link #run} does all of them; each can be had by itself, to be measured, or where
 * tables that are not proved are wanted, as in simulations.
 *
 * <p>Sans-I/O and a function of settings and fabric: no file, no clock, no chance. Immutable; any thread.
 */
public final class ProvenRouting {
    private final RoutingSettings settings;

    /** Prepares routing by these settings. */
    public ProvenRouting(RoutingSettings settings) {
        this.settings = settings;
    }

    /** Returns the same with an engine alone; see {@link RoutingSettings#of}. */
    public static ProvenRouting by(RoutingEngine engine) {
        return new ProvenRouting(RoutingSettings.of(engine));
    }

    /**
     * Gives LIDs, computes tables, proves them, and verifies the proof.
     *
     * @param cabled the fabric as it was found
     * @param groups multicast groups to route
     * @return tables with a proof, tables with credit loops, or a refusal with its reasons
     * @throws IllegalStateException if the certificate does not hold: check or verifier has a defect
     */
    public RoutingOutcome run(Fabric cabled, List<MulticastGroup> groups) {
        return switch (tables(cabled, groups)) {
            case Refused refused -> refused;
            case Tables tables -> prove(tables);
        };
    }

    /**
     * Does the same with the help of what is known of the fabric as it was before. Where only cables between switches
     * were lost, it looks at the paths that change; the outcome is the same, but the report may count dependencies of
     * old paths.
     *
     * @param before what was proved, by the same settings
     * @throws IllegalStateException if the certificate does not hold: check or verifier has a defect
     */
    public RoutingOutcome runAgain(Proven before, Fabric cabled, List<MulticastGroup> groups) {
        return switch (tables(cabled, groups)) {
            case Refused refused -> refused;
            case Tables tables -> proveAgain(before, tables).orElseGet(() -> prove(tables));
        };
    }

    /** Gives LIDs and computes tables; nothing is proved. */
    public Computed tables(Fabric cabled, List<MulticastGroup> groups) {
        RoutingEngine engine = settings.engine();
        LidAssignment lids;
        try {
            lids = settings.lids().assign(cabled);
        } catch (FabricException e) {
            Refusal.Reason reason = new Refusal.Reason("lids", String.valueOf(e.getMessage()));
            return new Refused(cabled, new Refusal(engine.name(), List.of(reason)));
        }
        List<String> findings = new ArrayList<>(lids.findings());
        if (engine instanceof TorusEngine) {
            settings.qos().map(QosSettings::warnings).ifPresent(findings::addAll);
        }
        findings.addAll(engine.remarks(cabled));
        return tables(lids.fabric(), engine, settings.options().withGroups(groups), findings);
    }

    private Computed tables(Fabric fabric, RoutingEngine engine, EngineOptions options, List<String> findings) {
        if (engine instanceof TorusEngine torus) {
            return switch (torus.plan(fabric, options)) {
                case TorusEngine.Refused(Refusal refusal) -> new Refused(fabric, refusal);
                case TorusEngine.Accepted(TorusPlan plan) ->
                    new Tables(fabric, plan.routing(options.groups()), Optional.of(plan), findings);
            };
        }
        return switch (engine.route(fabric, options)) {
            case Refusal refusal -> new Refused(fabric, refusal);
            case Routing routing -> new Tables(fabric, withSlToVl(fabric, routing), Optional.empty(), findings);
        };
    }

    /** Puts SL to VL tables of the settings in the place of those that the engine does not need. */
    private Routing withSlToVl(Fabric fabric, Routing routing) {
        int maxOpVls = settings.options().maxOpVls();
        return settings.qos()
                .filter(_ -> settings.engine().leavesSlToVl())
                .map(qos -> GivenSlToVl.in(fabric, routing, qos, maxOpVls))
                .orElse(routing);
    }

    /**
     * Prepares for failures of a torus.
     *
     * @param whole how it is routed as long as nothing fails, by these settings
     * @param groups multicast groups to route
     * @return empty if each failure has to be routed as a whole
     */
    public Optional<TorusFailures> failures(TorusPlan whole, List<MulticastGroup> groups) {
        return settings.engine() instanceof TorusEngine torus
                        && !settings.check().switchPorts()
                ? TorusFailures.of(torus, settings.options().withGroups(groups), whole)
                : Optional.empty();
    }

    /** Looks for credit loops. */
    public CheckReport check(Tables tables) {
        return CreditLoopCheck.check(tables.fabric(), tables.routing(), settings.check());
    }

    /**
     * Looks for credit loops, and verifies what the check says of each destination while it says it, then the
     * certificate. Where loops were found there is nothing to verify: each has its flows as witnesses.
     *
     * @throws IllegalStateException if the certificate does not hold: check or verifier has a defect
     */
    public RoutingOutcome prove(Tables tables) {
        CertificateVerifier verifier = new CertificateVerifier(
                tables.fabric(), tables.routing(), settings.check().switchPorts());
        CheckReport report = CreditLoopCheck.check(tables.fabric(), tables.routing(), settings.check(), verifier);
        if (report.certificate().isEmpty()) {
            return new CreditLoops(tables, report);
        }
        Certificate certificate = report.certificate().orElseThrow();
        Optional<String> violation = report.verdict() == CheckReport.Verdict.CLEAN
                ? verifier.firstViolation(certificate)
                : verifier.firstViolationOfWhatIsRouted(certificate);
        if (violation.isPresent()) {
            throw new IllegalStateException("the certificate does not hold: " + violation.orElseThrow());
        }
        Optional<VerifiedTables> verified =
                report.verdict() == CheckReport.Verdict.CLEAN ? Optional.of(verifier.verified()) : Optional.empty();
        return new Proven(tables, report, certificate, verified);
    }

    private static Optional<RoutingOutcome> proveAgain(Proven before, Tables tables) {
        return before.verified()
                .flatMap(known -> LostCables.check(
                                before.tables().fabric(),
                                before.tables().routing(),
                                before.report().graph(),
                                tables.fabric(),
                                tables.routing())
                        .flatMap(report -> {
                            Certificate certificate = report.certificate().orElseThrow();
                            return known.after(tables.fabric(), tables.routing(), certificate)
                                    .map(verified -> new Proven(tables, report, certificate, Optional.of(verified)));
                        }));
    }
}
