package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Library;
import org.railyard.testkit.Requirement;

/** All rules hold in all scenarios of the program: for a few seeds, for many with {@code -Drailyard.long=true}. */
class LibraryTest {
    private static final String LARGE = "discovery-storm";
    private static final long FEW = 2;
    private static final long MANY = 10_000;
    private static final long MANY_LARGE = 20;

    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    static Stream<String> names() {
        return Library.names().stream();
    }

    private static long seeds(String name) {
        boolean large = name.equals(LARGE);
        if (Boolean.getBoolean("railyard.long")) {
            return large ? MANY_LARGE : MANY / (Library.names().size() - 1);
        }
        return large ? 1 : FEW;
    }

    @ParameterizedTest
    @MethodSource("names")
    @Requirement("tst-010")
    void allRulesHold(String name) throws InterruptedException {
        List<String> found = new ArrayList<>();
        Campaign.Summary summary = new Campaign(
                        Library.scenario(name), Runtime.getRuntime().availableProcessors())
                .run(
                        1,
                        seeds(name),
                        3,
                        result -> result.violations().stream()
                                .limit(3)
                                .forEach(violation -> found.add(
                                        "seed " + result.seed() + ", " + violation.checker() + ": " + violation.text()
                                                + "; railyard lab replay " + name + " --seed " + result.seed())));
        assertThat(found).isEmpty();
        assertThat(summary.runs()).isEqualTo(seeds(name));
        assertThat(summary.outcomes().get(Outcome.OK)).isGreaterThan(summary.runs() * 50);
    }

    /** Two transports serve the same peers. */
    @Test
    @Requirement({"mrx-001", "mrx-011"})
    void aPolicyKeepsCallsOnInfiniBandUntilItFails() {
        List<String> before = new ArrayList<>();
        List<String> during = new ArrayList<>();
        List<List<String>> phase = new ArrayList<>(List.of(before));
        LabRun.run(Library.scenario("udsp-failover"), 2, Interposer.NONE, line -> {
            if (line.text().contains(" fault ")) {
                phase.set(0, during);
            } else if (line.text().contains(" send ") && line.text().contains("#")) {
                phase.getFirst().add(line.text());
            }
        });
        assertThat(before).hasSizeGreaterThan(50).allMatch(line -> line.contains("@o2ib"));
        assertThat(during).anyMatch(line -> line.contains("@tcp")).anyMatch(line -> line.contains("@o2ib"));
    }
}
