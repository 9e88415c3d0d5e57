package org.railyard.campaign.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.campaign.Plans;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.plan.Csv;
import org.railyard.campaign.work.Work;
import org.railyard.campaign.work.Works;

class ReportTest {
    private static RowSummary run(CampaignPlan plan) {
        Work work = Works.of(plan);
        RowSummary summary = new RowSummary(work);
        Work.Worker worker = work.worker();
        for (long number = 0; number < plan.cases(); number++) {
            summary.add(Csv.line(worker.run(number)));
        }
        return summary;
    }

    private static String page(CampaignPlan plan) throws IOException {
        StringWriter out = new StringWriter();
        new HtmlReport(Works.of(plan), run(plan)).write(out, "railyard <&\"'>", Path.of("in"), List.of("remark <b>"));
        return out.toString();
    }

    @Test
    void aSummaryCountsVerdictsReasonsAndPlaces() {
        RowSummary summary = run(Plans.failures(2, "switches", 0, 5));
        assertThat(summary.all().cases()).isEqualTo(36);
        assertThat(summary.verdicts().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(36);
        assertThat(summary.badCases()).isEqualTo(summary.bad().size()).isPositive();
        assertThat(summary.reasons().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(summary.badCases());
        PlaceFigures map = summary.map().orElseThrow();
        long named = 0;
        for (int position = 0; position < 9; position++) {
            assertThat(map.cases(position)).isEqualTo(8);
            named += map.bad(position);
        }
        assertThat(named).isEqualTo(2 * summary.badCases());
        assertThat(summary.csv()).hasSize(2);
    }

    @Test
    void groupsAreToldApart() {
        RowSummary summary = run(Plans.loads());
        assertThat(summary.groups().stream().map(RowSummary.Group::name)).containsExactly("0.2", "0.6");
        assertThat(summary.csv()).hasSize(4);
        assertThat(Csv.cells(summary.csv().get(2))).startsWith("0.2", "3", "3");
    }

    @Test
    void aPageNeedsNothingElseAndEscapesAll() throws IOException {
        for (CampaignPlan plan :
                List.of(Plans.failures(2, "switches", 0, 5), Plans.loads(), Plans.sm(2), Plans.lab(1, 1))) {
            String page = page(plan);
            assertThat(page)
                    .contains("railyard &lt;&amp;&quot;&#39;&gt;", "remark &lt;b&gt;", "</html>")
                    .doesNotContain("<script", "src=", "href=", "url(", "@import", "NaN", "Infinity");
        }
        assertThat(page(Plans.failures(2, "switches", 0, 5)))
                .contains("Failures by kind", "Positions that hurt", "most_load");
        assertThat(page(Plans.sm(8))).contains("Distribution of recovery_ms", "mean of recovery_ms");
        assertThat(page(Plans.loads())).contains("polyline", "By load");
    }
}
