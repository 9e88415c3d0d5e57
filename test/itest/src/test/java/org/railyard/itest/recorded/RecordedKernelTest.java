package org.railyard.itest.recorded;

import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.railyard.testkit.Requirement;

/** Our node against recorded kernel nodes, on loopback addresses and any ports: no privileges needed. */
final class RecordedKernelTest {
    /** The long form of the tests plays each scenario so often that rare orders of events come up. */
    private static final int TIMES = Boolean.getBoolean("railyard.long") ? 30 : 1;

    @TestFactory
    @Requirement({
        "dyn-005", "dyn-015", "dyn-020", "dyn-025", "dyn-030", "dyn-035", "dyn-040", "dyn-045", "dyn-055", "snd-045",
        "mrx-015"
    })
    Stream<DynamicTest> saysWhatTheKernelSaid() {
        return IntStream.range(0, TIMES)
                .boxed()
                .flatMap(time -> Stream.of(Scenario.values()))
                .filter(scenario -> scenario.family() == Scenario.Family.V4)
                .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> play(scenario)));
    }

    private static void play(Scenario scenario) throws IOException {
        scenario.play(Place.onLoopback());
    }
}
