package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;

/** LNet over o2iblnd over a torus where each packet travels by itself. */
class PacketTorusTest {
    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    private static final int SIDE = 5;

    /**
     * Each node writes as much as it can to the one two switches on in both dimensions, through the smallest buffers:
     * all rings are full, one way round.
     */
    private static Scenario crowd(String engine) throws DocumentException {
        return ScenarioReader.read("crowd.yaml", """
            rails: {ib: {torus: 5x5, engine: %s, fidelity: packet, buffers: 5KiB}}
            nodes:
              node:
                count: 25
                devices: {ib0: ib}
                config:
                  net: [{net type: o2ib, local NI(s): [{interfaces: {0: ib0}}]}]
                  global: {transaction_timeout: 2, retry_count: 0}
            load: [%s]
            expect: {health_restored: false}
            settle: 4s
            """.formatted(engine, tornado()));
    }

    private static String tornado() {
        List<String> loads = new ArrayList<>();
        for (int x = 0; x < SIDE; x++) {
            for (int y = 0; y < SIDE; y++) {
                loads.add("{from: node-%d, to: node-%d, size: 1MiB, concurrency: 4, start: 1s, for: 2ms}"
                        .formatted(number(x, y), number(x + 2, y + 2)));
            }
        }
        return String.join(", ", loads);
    }

    private static int number(int x, int y) {
        return x % SIDE * SIDE + y % SIDE + 1;
    }

    @Test
    void aTorusRoutedBadlyStopsAndTheCycleIsTold() throws DocumentException {
        RunResult result = LabRun.run(crowd("dor"), 1);
        assertThat(LabRun.run(crowd("dor"), 1).fingerprint())
                .as("same seed, same journal")
                .isEqualTo(result.fingerprint());
        assertThat(result.violations()).first().satisfies(violation -> {
            assertThat(violation.checker()).isEqualTo("fabric");
            assertThat(violation.text())
                    .startsWith("ib: deadlock at ")
                    .contains("packets wait for each other")
                    .containsPattern("in S-\\d\\.\\d\\.0 port \\d vl 0 -> S-\\d\\.\\d\\.0: H-\\S+ to H-\\S+ sl 0")
                    .contains("waits for S-");
        });
    }

    @Test
    void torus2QosDoesNotStop() throws DocumentException {
        RunResult result = LabRun.run(crowd("torus-2qos"), 1);
        assertThat(result.violations()).isEmpty();
        assertThat(result.outcomes().get(Outcome.TIMED_OUT)).isZero();
        assertThat(result.outcomes().get(Outcome.OK)).isGreaterThanOrEqualTo(100);
        assertThat(result.rails()).singleElement().asString().contains("ib: busiest link ", "MiB", "without credits");
    }
}
