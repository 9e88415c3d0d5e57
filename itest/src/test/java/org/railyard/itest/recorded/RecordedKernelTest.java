package org.railyard.itest.recorded;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.railyard.testkit.Requirement;

/** Our node against recorded kernel nodes, on loopback addresses and any ports: no privileges needed. */
final class RecordedKernelTest {
    @TestFactory
    @Requirement({"cfg-005"})
    Stream<DynamicTest> saysWhatTheKernelSaid() {
        return Stream.of(Scenario.values())
                .filter(scenario -> scenario.family() == Scenario.Family.V4)
                .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> play(scenario)));
    }

    private static void play(Scenario scenario) throws IOException {
        scenario.play(Place.onLoopback());
    }
}
