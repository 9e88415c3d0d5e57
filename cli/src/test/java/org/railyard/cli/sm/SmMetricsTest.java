package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.mad.transport.RequestCounters;
import org.railyard.node.metrics.MetricsPages;
import org.railyard.sm.SweepReport;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaCounters;

/** What those who watch see of a subnet manager that stands by, or is master. */
final class SmMetricsTest {
    private static final SaCounters SA =
            new SaCounters(new TreeMap<>(), new TreeMap<>(), 11, 12, 13, 14, 0, 0, 0, 0, 0, 0);

    private static SmMetrics of(SmRole role, Result last) {
        SweepReport report = new SweepReport(3, "start", last, 1, 2, 3, 4, 5, 6, List.of(), List.of());
        return new SmMetrics(
                role,
                false,
                7,
                last == Result.DONE,
                Optional.of(report),
                Map.of(),
                0,
                0,
                Map.of("128", 21L, "other", 22L),
                0,
                new RequestCounters(0, 0, 0, 0, 0, 0, 0, 0, 0),
                SA,
                0);
    }

    private static String read(String place) throws IOException {
        try (InputStream in = URI.create(place).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String figures(SmMetrics metrics) throws IOException {
        try (MetricsPages pages = MetricsPages.start("0", "sm", "", metrics::addTo, metrics::health)) {
            return read("http://127.0.0.1:" + pages.port() + "/metrics");
        }
    }

    @Test
    void aStandbyIsHealthyWhileAnotherOneIsMaster() {
        assertThat(of(SmRole.STANDBY, Result.STANDBY).health().isUsable()).isTrue();
        assertThat(of(SmRole.STANDBY, Result.STANDBY).health().text()).isEqualTo("ok: sweep 3: standby");
        assertThat(of(SmRole.DISCOVERING, Result.STANDBY).health().isUsable())
                .as("the master does not answer")
                .isFalse();
        assertThat(of(SmRole.NOT_ACTIVE, Result.STANDBY).health().isUsable()).isFalse();
        assertThat(of(SmRole.MASTER, Result.DONE).health().isUsable()).isTrue();
        assertThat(of(SmRole.MASTER, Result.INCOMPLETE).health().isUsable()).isFalse();
        assertThat(of(SmRole.DISCOVERING, Result.NO_LINK).health().isUsable()).isFalse();
    }

    @Test
    void whatSubnetAdministrationRefusesIsCounted() throws IOException {
        assertThat(figures(of(SmRole.MASTER, Result.DONE)))
                .contains("sm_sa_unknown_requesters_total 11.0", "sm_sa_wrong_keys_total 12.0")
                .contains("sm_sa_reports_total 13.0", "sm_sa_reports_unanswered_total 14.0");
    }

    @Test
    void trapsAreCountedByNumber() throws IOException {
        assertThat(figures(of(SmRole.MASTER, Result.DONE)))
                .contains("sm_traps_total{number=\"128\"} 21.0", "sm_traps_total{number=\"other\"} 22.0");
    }

    @Test
    void theRoleIsAFigure() throws IOException {
        assertThat(figures(of(SmRole.STANDBY, Result.STANDBY)))
                .contains("sm_role{role=\"standby\"} 1.0", "sm_role{role=\"master\"} 0.0")
                .contains("sm_role{role=\"discovering\"} 0.0", "sm_role{role=\"not-active\"} 0.0")
                .contains("sm_priority 7.0", "sm_master 0.0");
        assertThat(figures(of(SmRole.MASTER, Result.DONE))).contains("sm_role{role=\"master\"} 1.0", "sm_master 1.0");
        assertThat(figures(of(SmRole.MASTER, Result.UNROUTABLE))).contains("sm_master 0.0");
    }
}
