package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.railyard.itest.netns.Namespace;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/**
 * Our node against recorded kernel nodes with nothing replaced: the recorded IPv4 and IPv6 addresses, port 988, callers
 * from ports below 1024 and nobody else let in. The kernel's bytes go out as they were captured, but for the handles of
 * our node that they answer.
 */
@NeedsRoot
@NeedsCommand("ip")
@BesideOthers
@Order(7)
final class RecordedKernelInNamespaceTest {
    private static final List<String> ADDRESSES = List.of(
            "10.99.0.11/24",
            "10.99.0.12/24",
            "10.99.1.11/24",
            "10.99.1.12/24",
            "10.99.1.13/24",
            "fd00:99::11/64",
            "fd00:99::12/64");

    @TestFactory
    Stream<DynamicTest> saysWhatTheKernelSaid() throws IOException, InterruptedException {
        Namespace.deleteLeftOvers();
        Map<String, String> results;
        try (Namespace namespace = new Namespace()) {
            ADDRESSES.forEach(address -> namespace.address("lo", address));
            Process program = namespace.java(ScenarioProgram.class);
            String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor()).as(output).isZero();
            results = output.lines()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        }
        return Stream.of(Scenario.values())
                .map(scenario ->
                        DynamicTest.dynamicTest(scenario.toString(), () -> judge(results.get(scenario.name()))));
    }

    private static void judge(@Nullable String result) {
        assertThat(result).as("the program played it").isNotNull();
        if (!"ok".equals(result)) {
            throw new AssertionError(new String(Base64.getDecoder().decode(result), StandardCharsets.UTF_8));
        }
    }
}
