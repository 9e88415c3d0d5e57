package org.railyard.cli.sm;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.railyard.mad.transport.RequestCounters;
import org.railyard.node.metrics.Figures;
import org.railyard.node.metrics.Health;
import org.railyard.sm.SweepReport;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaCounters;

/**
 * The figures of a subnet manager at one moment.
 *
 * @param role what it is among the subnet managers of the subnet
 * @param watching whether it only looks, and writes nothing
 * @param priority its priority among them
 * @param hasRoutes whether a sweep has been routed
 * @param last the last sweep that has ended
 * @param sweeps ended sweeps by result
 * @param sweepNanos how long these took together, ns
 * @param lightSweeps light sweeps
 * @param traps traps that came in, by number
 * @param ignoredTraps those of noisy sources
 * @param mads what was sent and received
 * @param sa what subnet administration did
 * @param answersNotSent answers of it that the transport did not take, or that were not received to their end
 */
record SmMetrics(
        SmRole role,
        boolean watching,
        int priority,
        boolean hasRoutes,
        Optional<SweepReport> last,
        Map<String, Long> sweeps,
        long sweepNanos,
        long lightSweeps,
        Map<String, Long> traps,
        long ignoredTraps,
        RequestCounters mads,
        SaCounters sa,
        long answersNotSent) {
    private static final double NANOS = 1e9;

    /** Returns whether the subnet is as it shall be, or is another one's to manage. */
    Health health() {
        if (last.isEmpty()) {
            return new Health(false, "the first sweep has not ended");
        }
        SweepReport report = last.get();
        boolean right = switch (report.result()) {
            case DONE -> true;
            case STANDBY -> role == SmRole.STANDBY;
            case INCOMPLETE, UNROUTABLE, SL_CHANGE, NO_LINK -> false;
        };
        return new Health(
                right, (right ? "ok: " : "") + "sweep " + report.number() + ": " + SmText.result(report.result()));
    }

    /** Adds them. */
    void addTo(Figures out) {
        out.gauges(
                        "sm_role",
                        "1 for what this subnet manager is among those of the subnet; watching with --monitor.",
                        "role",
                        roles())
                .gauge("sm_priority", "Priority among the subnet managers of the subnet.", priority)
                .gauge(
                        "sm_master",
                        "Whether this subnet manager is master and has routes for the subnet.",
                        role == SmRole.MASTER && hasRoutes ? 1 : 0)
                .counters("sm_sweeps", "Heavy sweeps that have ended, by result.", "result", sweeps)
                .counter("sm_sweep_seconds", "How long these took together.", (double) sweepNanos / NANOS)
                .counter("sm_light_sweeps", "Light sweeps.", lightSweeps)
                .counters("sm_traps", "Traps that came in, ignored ones too, by number.", "number", traps)
                .counter("sm_traps_ignored", "Traps of noisy sources that were ignored.", ignoredTraps);
        last.ifPresent(report -> out.gauge(
                        "sm_last_sweep_complete",
                        "Whether the last sweep left the subnet as it shall be; 0 at a standby, which leaves it alone.",
                        report.result() == SweepReport.Result.DONE ? 1 : 0)
                .gauge(
                        "sm_last_sweep_duration_seconds",
                        "How long the last sweep took.",
                        (double) report.nanos() / NANOS)
                .gauge("sm_switches", "Switches that the last sweep found.", report.switches())
                .gauge("sm_other_nodes", "Other nodes that the last sweep found.", report.ends())
                .gauge("sm_links_active", "Cables that carry data.", report.links())
                .gauge("sm_links_not_active", "Cables that were found up and do not carry data.", report.linksDown()));
        out.counter("sm_mads_sent", "MADs sent, repeated ones too.", mads.sent())
                .counter("sm_mads_sent_again", "Repeated MADs.", mads.resent())
                .counter("sm_requests_answered", "Requests that were answered.", mads.answered())
                .counter("sm_requests_without_answer", "Requests that were given up.", mads.unanswered())
                .counter("sm_mads_received", "Requests, traps and reports that came in.", mads.unsolicited());
        addAdministration(out);
    }

    private void addAdministration(Figures out) {
        out.counters(
                        "sm_sa_answers",
                        "Answers of subnet administration, by status.",
                        "status",
                        hex(sa.answersByStatus()))
                .counters(
                        "sm_sa_requests",
                        "Requests to subnet administration, by attribute.",
                        "attribute",
                        hex(sa.answersByAttribute()))
                .counter(
                        "sm_sa_answers_not_sent",
                        "Answers of subnet administration that were not sent, or not received to their end.",
                        answersNotSent)
                .counter(
                        "sm_sa_unknown_requesters",
                        "Requests to subnet administration from LIDs or GIDs that are no end port's; not answered.",
                        sa.unknownRequesters())
                .counter(
                        "sm_sa_wrong_keys",
                        "Requests to subnet administration with a key that is not its own; not answered.",
                        sa.wrongKeys())
                .counter("sm_sa_reports", "Reports sent to subscribers.", sa.reports())
                .counter("sm_sa_reports_unanswered", "Reports that nobody confirmed.", sa.reportsUnanswered())
                .counter("sm_sa_reports_dropped", "Reports not sent, too many waited.", sa.reportsDropped())
                .gauge("sm_sa_groups", "Multicast groups.", sa.groups())
                .gauge("sm_sa_members", "Ports in multicast groups.", sa.memberships())
                .gauge("sm_sa_services", "Registered services.", sa.services())
                .gauge("sm_sa_subscriptions", "Subscriptions to notices.", sa.subscriptions())
                .gauge("sm_sa_alias_guids", "Alias GUIDs of ports.", sa.aliases());
    }

    private Map<String, Long> roles() {
        Map<String, Long> all = new TreeMap<>();
        for (SmRole each : SmRole.values()) {
            all.put(each.text().replace(' ', '-'), each == role && !watching ? 1L : 0L);
        }
        all.put("watching", watching ? 1L : 0L);
        return all;
    }

    private static Map<String, Long> hex(Map<Integer, Long> counts) {
        Map<String, Long> named = new TreeMap<>();
        counts.forEach((key, count) -> named.put("0x%04x".formatted(key), count));
        return named;
    }
}
