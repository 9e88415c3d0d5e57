package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.route.SlToVl;

/** The VLs that the rule gives, for each number of data VLs that a fabric may have (spec 30 §8). */
class SlToVlRuleTest {
    private static final int END = SlToVlRule.END;

    @ParameterizedTest
    @CsvSource({
        "1, 2, 0, 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "2, 2, 0, 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1",
        "4, 2, 0, 2 3 2 3 2 3 2 3 2 3 2 3 2 3 2 3",
        "4, 0, 0, 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1",
        "4, 0, 1, 0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1",
        "4, 3, 1, 0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1",
        "8, 1, 0, 2 3 2 3 2 3 2 3 6 7 6 7 6 7 6 7",
        "8, 3, 2, 0 0 0 0 1 1 1 1 4 4 4 4 5 5 5 5",
        "1, 0, 3, 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "2, 0, 3, 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1"
    })
    void eachVlFollowsFromTheClasses(int switchVls, int in, int out, String vls) {
        SlToVlRule rule = new SlToVlRule(switchVls, 2);
        StringBuilder each = new StringBuilder();
        StringBuilder table = new StringBuilder();
        for (int sl = 0; sl < SlToVlRule.SLS; sl++) {
            each.append(sl == 0 ? "" : " ").append(rule.vl(in, out, sl));
            table.append(sl == 0 ? "" : " ").append(SlToVl.vl(rule.table(in, out), sl));
        }
        assertThat(each).hasToString(vls);
        assertThat(table).hasToString(vls);
    }

    @Test
    void endNodesHaveAVlForEachQosLevel() {
        SlToVlRule two = new SlToVlRule(8, 2);
        SlToVlRule one = new SlToVlRule(8, 1);
        for (int sl = 0; sl < SlToVlRule.SLS; sl++) {
            assertThat(two.endNodeVl(sl)).isEqualTo(sl < 8 ? 0 : 1);
            assertThat(one.endNodeVl(sl)).isZero();
            assertThat(two.vl(0, END, sl)).isEqualTo(sl < 8 ? 0 : 1);
        }
    }

    @Test
    void aPortTakesWhatItHas() {
        assertThat(SlToVlRule.masked(7, 1)).isZero();
        assertThat(SlToVlRule.masked(7, 2)).isEqualTo(1);
        assertThat(SlToVlRule.masked(6, 3)).isEqualTo(2);
        assertThat(SlToVlRule.masked(7, 4)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "16, 1", "1, 0", "1, 16"})
    void thereAreOneToFifteenDataVls(int switchVls, int endVls) {
        assertThatIllegalArgumentException().isThrownBy(() -> new SlToVlRule(switchVls, endVls));
        assertThat(new SlToVlRule(15, 15).switchVls()).isEqualTo(15);
    }
}
