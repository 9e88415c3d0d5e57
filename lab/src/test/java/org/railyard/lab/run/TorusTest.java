package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;
import org.railyard.testkit.Requirement;

/** Nodes on a torus: what happens to the fabric is seen by the stacks, and mended by the subnet manager. */
class TorusTest {
    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    private static Scenario scenario(String rail, String fault) throws DocumentException {
        return ScenarioReader.read("torus.yaml", """
            rails: {ib: {%s}}
            nodes:
              client:
                count: 4
                devices: {ib0: ib, ib1: ib}
                config: &config
                  net:
                    - net type: o2ib
                      local NI(s):
                        - interfaces: {0: ib0}
                        - interfaces: {0: ib1}
                  global: {transaction_timeout: 10}
                  java: {health_recovery_increment: 100}
              server: {count: 2, devices: {ib0: ib, ib1: ib}, config: *config}
            load:
              - {from: client, to: server, do: [put, get], size: [64, 100KiB], concurrency: 2, rate: 50/s, start: 500ms, for: 8s}
            faults:
              - {at: 2s, for: 3s, %s}
            """.formatted(rail, fault));
    }

    /** A run, and what its journal says about its course. */
    private record Course(RunResult result, List<String> lines) {
        boolean isTold(String text) {
            return lines.stream().anyMatch(line -> line.contains(text));
        }
    }

    private static Course run(Scenario scenario) {
        List<String> lines = new ArrayList<>();
        RunResult result = LabRun.run(scenario, 5, Interposer.NONE, line -> lines.add(line.text()));
        assertThat(result.violations()).isEmpty();
        return new Course(result, lines);
    }

    @ParameterizedTest
    @ValueSource(strings = {"message", "packet"})
    @Requirement({"sv-021", "sv-023"})
    void aFailedSwitchIsRoutedAroundUnderLoad(String fidelity) throws DocumentException {
        Scenario failing = scenario("torus: 4x3, fidelity: " + fidelity, "switch_down: {rail: ib, switches: 1}");
        Course course = run(failing);
        assertThat(course.isTold("switches down: [S-")).isTrue();
        assertThat(course.lines().stream().filter(line -> line.contains("new tables by torus-2QoS")))
                .hasSize(2);
        assertThat(course.result().outcomes().get(Outcome.TIMED_OUT)).isLessThan(20);
        assertThat(course.result().outcomes().get(Outcome.OK)).isGreaterThan(800);
    }

    @Test
    void cablesThatArePulledChangePathsOnly() throws DocumentException {
        Course course = run(scenario("torus: 4x3", "cable_down: {rail: ib, cables: 2}"));
        assertThat(course.isTold("cables down: [S-")).isTrue();
        assertThat(course.lines()).noneMatch(line -> line.contains(" device "));
        assertThat(course.result().outcomes().get(Outcome.TIMED_OUT)).isZero();
    }

    @Test
    void aCardThatFailsIsSeenByItsNode() throws DocumentException {
        Course course = run(scenario("torus: 4x3, engine: min-hop", "card_fails: {node: server-1, device: ib0}"));
        assertThat(course.lines()).anyMatch(line -> line.contains("server-1") && line.contains("FATAL"));
        assertThat(course.lines()).anyMatch(line -> line.contains("server-1") && line.contains("CLEAR"));
        assertThat(course.result().outcomes().get(Outcome.TIMED_OUT)).isZero();
    }

    @Test
    void aLinkThatLosesLanesGoesOn() throws DocumentException {
        Course course = run(scenario("torus: 4x3", "degrade: {node: server-1, device: ib0}"));
        assertThat(course.lines()).anyMatch(line -> line.contains("server-1") && line.contains("DEGRADED"));
        assertThat(course.result().outcomes().get(Outcome.FAILED)).isZero();
        assertThat(course.result().outcomes().get(Outcome.TIMED_OUT)).isZero();
    }
}
