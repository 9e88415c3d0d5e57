package org.railyard.campaign.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.campaign.Plans;

class CampaignPlanTest {
    private static CampaignPlan of(long cases, int chunk) {
        return new CampaignPlan(
                CampaignKind.SM,
                "v",
                new TreeMap<>(Map.of("a", "1", "odd \"key\"", "\u0000é\n# {x}: 'y'")),
                new TreeMap<>(Map.of("f", "text\r\n\ttab")),
                cases,
                chunk);
    }

    @Test
    void aPlanComesThroughItsText() {
        CampaignPlan plan = of(1_000_000_007L - 10_000_000, 1000);
        CampaignPlan read = PlanText.parse("it", PlanText.of(plan));
        assertThat(read).isEqualTo(plan);
        assertThat(read.identity()).isEqualTo(plan.identity()).hasSize(64);
        assertThat(plan.identity()).isNotEqualTo(of(7, 3).identity());
        CampaignPlan lab = Plans.lab(3, 2);
        assertThat(PlanText.parse("it", PlanText.of(lab))).isEqualTo(lab);
    }

    @Test
    void chunksAreAllCasesInTheirOrder() {
        CampaignPlan plan = of(10, 4);
        assertThat(plan.chunks()).isEqualTo(3);
        assertThat(plan.chunk(0)).isEqualTo(new CaseChunk(0, 0, 4));
        assertThat(plan.chunk(2)).isEqualTo(new CaseChunk(2, 8, 2));
        assertThat(CampaignPlan.chunkCases(10, 20)).isEqualTo(20);
        assertThat(CampaignPlan.chunkCases(CampaignPlan.MAX_CASES, 20)).isEqualTo(1000);
    }

    @Test
    void numbersHaveBounds() {
        assertThatThrownBy(() -> of(0, 1)).hasMessageContaining("0 cases");
        assertThatThrownBy(() -> of(CampaignPlan.MAX_CASES + 1, 1)).hasMessageContaining("cases, expected 1 to");
        assertThatThrownBy(() -> of(5, 10_001)).hasMessageContaining("chunks of 10001");
        assertThatThrownBy(() -> of(CampaignPlan.MAX_CASES, 999)).hasMessageContaining("take larger chunks");
        assertThatThrownBy(() -> of(5, 1).number("a", 2, 3)).hasMessageContaining("a: found '1', expected 2 to 3");
        assertThatThrownBy(() -> of(5, 1).number("odd \"key\"", 2, 3)).hasMessageContaining("expected 2 to 3");
        assertThatThrownBy(() -> of(5, 1).parameter("b")).hasMessageContaining("no parameter 'b'");
        assertThatThrownBy(() -> of(5, 1).input("b")).hasMessageContaining("no input 'b'");
    }

    @Test
    void inputsStayInTheirFolder() {
        for (String name : List.of("../x", "/x", "a/b", "", ".", "a\u0000")) {
            assertThatThrownBy(() -> new CampaignPlan(
                            CampaignKind.SM, "v", new TreeMap<>(), new TreeMap<>(Map.of(name, "")), 1, 1))
                    .hasMessageContaining("expected a file name such as topology.net");
        }
    }

    @Test
    void rowsAreOneLineWhateverIsInThem() {
        List<String> cells = List.of("", "a,b", "say \"x\"", "\"", ",", "line\nend\u0007\u2028", "e\u0301ü");
        String line = Csv.line(cells);
        assertThat(line.lines()).hasSize(1);
        assertThat(Csv.cells(line)).containsExactly("", "a,b", "say \"x\"", "\"", ",", "line end  ", "e\u0301ü");
        assertThat(Csv.cells(Csv.line(List.of("x".repeat(1000), "y"))))
                .containsExactly("x".repeat(Csv.MAX_CELL) + "…", "y");
    }
}
