package org.railyard.fabric.proven;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.proof.Certificate;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.VerifiedTables;

/**
 * Tables that close no credit loop; the certificate has been verified.
 *
 * @param tables the tables
 * @param report what the check found: no loop, but maybe routes that do not arrive
 * @param certificate the proof
 * @param verified what the verifier knows of it, for tables that follow; empty if some routes do not arrive
 */
public record Proven(Tables tables, CheckReport report, Certificate certificate, Optional<VerifiedTables> verified)
        implements RoutingOutcome {
    /** Returns whether every route arrives. */
    public boolean complete() {
        return report.verdict() == CheckReport.Verdict.CLEAN;
    }

    /** Returns what an operator should know: findings of the tables, and routes that do not arrive. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>(tables.findings());
        if (!complete()) {
            findings.add("%d routes do not arrive; what arrives closes no credit loop".formatted(report.faultCount()));
        }
        return findings;
    }
}
