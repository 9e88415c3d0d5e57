package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.tune.TunableSpec;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.testkit.Requirement;

/** Distances between memory and NIs (spec 10 §8.5, criterion 5). */
class NumaTest {
    private static final String TARGET = "10.0.0.9@tcp";

    private final Rails rails = new Rails(CpuLayout.grid(2, 2, 20));

    private void twoRails() {
        rails.local("10.0.0.1@tcp", 0);
        rails.local("10.0.1.1@tcp", 1);
        rails.peer(TARGET);
    }

    @Test
    @Requirement({"snd-020", "snd-010", "mrx-009"})
    void theNiNearTheMemoryIsChosen() {
        twoRails();
        for (int i = 0; i < 3; i++) {
            assertThat(rails.choose(Rails.putFrom(0, TARGET))).isEqualTo("0.1>0.9");
            assertThat(rails.choose(Rails.putFrom(1, TARGET))).isEqualTo("1.1>0.9");
        }
    }

    @Test
    @Requirement("snd-020")
    void withoutAHintTheCallersCpuCounts() {
        twoRails();
        rails.cpu = 3;
        assertThat(rails.choose(TARGET, 3)).containsOnly("1.1>0.9");
        rails.cpu = 0;
        assertThat(rails.choose(TARGET, 3)).containsOnly("0.1>0.9");
        rails.cpu = 99;
        assertThat(rails.choose(TARGET, 4)).as("unknown: they take turns").contains("0.1>0.9", "1.1>0.9");
    }

    @ParameterizedTest
    @CsvSource({"0,true", "10,true", "19,true", "20,false", "21,false", "2147483647,false"})
    @Requirement({"snd-025", "cfg-090"})
    void withinTheRangeAllAreEqual(int range, boolean counts) {
        twoRails();
        rails.settings = rails.settings.with(Tunable.NUMA_RANGE, range);
        rails.ni("10.0.0.1@tcp").seq = 100;
        assertThat(rails.choose(Rails.putFrom(0, TARGET))).isEqualTo(counts ? "0.1>0.9" : "1.1>0.9");
    }

    /** Only the range can make it count less: there is no switch for it, or for taking turns. */
    @ParameterizedTest
    @EnumSource(
            value = Tunable.class,
            mode = EnumSource.Mode.EXCLUDE,
            // The last three bound each other.
            names = {"NUMA_RANGE", "TRANSACTION_TIMEOUT", "RETRY_COUNT", "RESEND_INTERVAL"})
    @Requirement("mrx-012")
    void noOtherTunableChangesThat(Tunable tunable) {
        TunableSpec spec = tunable.spec();
        IntStream.of(spec.min(), spec.defaultValue() + 1, 20, 21, spec.max())
                .filter(spec::allows)
                .forEach(value -> {
                    Rails each = new Rails(CpuLayout.grid(2, 2, 20));
                    each.local("10.0.0.1@tcp", 0).seq = 100;
                    each.local("10.0.1.1@tcp", 1);
                    each.peer(TARGET);
                    each.settings = each.settings.with(tunable, value);
                    assertThat(each.choose(Rails.putFrom(0, TARGET)))
                            .as("%s=%d", tunable, value)
                            .isEqualTo("0.1>0.9");
                    each.settings = each.settings.with(Tunable.NUMA_RANGE, 20);
                    assertThat(List.of(each.choose(Rails.putFrom(0, TARGET)), each.choose(Rails.putFrom(0, TARGET))))
                            .as("in turn with %s=%d", tunable, value)
                            .containsExactlyInAnyOrder("0.1>0.9", "1.1>0.9");
                });
    }

    @Test
    void anNiOfUnknownPlaceIsAsFarAsCanBe() {
        rails.local("10.0.0.1@tcp", CptTable.ANY);
        rails.local("10.0.1.1@tcp", 1);
        rails.peer(TARGET);
        rails.ni("10.0.1.1@tcp").seq = 100;
        assertThat(rails.choose(Rails.putFrom(0, TARGET))).as("both are at 20").isEqualTo("0.1>0.9");
        rails.ni("10.0.1.1@tcp").seq = 200;
        assertThat(rails.choose(Rails.putFrom(1, TARGET))).isEqualTo("1.1>0.9");
    }

    @Test
    @Requirement({"snd-040", "mrx-009"})
    void thePlaceOfMemoryHasNoSayAmongPeerNis() {
        rails.local("10.0.0.1@tcp", 0);
        rails.local("10.0.1.1@tcp", 1);
        rails.peer("10.0.0.9@tcp", "10.0.1.9@tcp");
        Explanation near = rails.explain(Rails.putFrom(0, TARGET));
        Explanation far = rails.explain(Rails.putFrom(1, TARGET));
        assertThat(near.from()).isNotEqualTo(far.from());
        assertThat(near.to()).isEqualTo(far.to());
        assertThat(near.steps().getLast()).isEqualTo(far.steps().getLast());
    }

    @Test
    @Requirement("snd-015")
    void withoutNumaEverythingIsEquallyFar() {
        Rails flat = new Rails();
        flat.local("10.0.0.1@tcp", 0);
        flat.local("10.0.1.1@tcp", CptTable.ANY);
        flat.peer(TARGET);
        flat.cpu = 0;
        assertThat(flat.choose(TARGET, 4)).containsExactly("0.1>0.9", "1.1>0.9", "0.1>0.9", "1.1>0.9");
    }
}
