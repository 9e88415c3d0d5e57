package org.railyard.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Problem;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.CallKind;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.TestParameters;

class ScenarioReaderTest {
    private static final String GOOD = """
        name: small
        about: Two nodes.
        rails:
          blue: {latency: 50us, jitter: 1ms, bandwidth: 1.5Gb/s, loss: 1%, duplicate: 0.5, isolated: true, subnet: 192.168.0.0}
          green: {}
        nodes:
          a:
            count: 3
            devices: {eth0: blue, eth1: green}
            config: &config
              net:
                - net type: tcp1
                  local NI(s):
                    - interfaces: {0: eth0}
                      tunables: {peer_timeout: 100, peer_credits: 4, credits: 32}
                    - interfaces: {0: eth1}
              global: {transaction_timeout: 20, retry_count: 1}
          b: {devices: {eth0: blue, eth1: green}, config: *config}
        load:
          - {from: 2 of a, to: b-1, do: [put, get], size: [64, 1KiB..1MiB], concurrency: 3, rate: 10/s, start: 1s..2s, for: 3min}
        selftest:
          console: a-2
          rpc_timeout: 20s
          tests:
            - {from: a, to: any b, do: [ping, read], size: [8, 1MiB], check: simple, concurrency: 2, start: 1s..2s, for: 3s}
        faults:
          - {at: 1s, for: 2s, times: 3, every: 5s..6s, link_down: {node: any a, device: eth1}}
          - {at: 1s, loss_model: {rail: blue, loss: 5%}}
        expect: {allow_failures: false, allow_timeouts: false, health_restored: false, own_nis_well: true, min_ok: 7}
        settle: 1h
        """;

    private static List<String> problems(String text) {
        DocumentException problem =
                catchThrowableOfType(DocumentException.class, () -> ScenarioReader.read("it.yaml", text));
        assertThat(problem).as("problem of %s", text).isNotNull();
        return problem.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void everyFieldIsRead() throws DocumentException {
        Scenario scenario = ScenarioReader.read("it.yaml", GOOD);
        assertThat(scenario.name()).isEqualTo("small");
        Scenario.Rail blue = scenario.rails().getFirst();
        assertThat(blue.settings().latencyNanos()).isEqualTo(50_000);
        assertThat(blue.settings().bitsPerSecond()).isEqualTo(1_500_000_000);
        assertThat(blue.settings().loss()).isEqualTo(0.01);
        assertThat(blue.subnet()).isEqualTo(192 << 24 | 168 << 16);
        assertThat(scenario.rails().get(1).subnet()).isEqualTo(10 << 24 | 2 << 16);
        Scenario.Group a = scenario.groups().getFirst();
        assertThat(a.count()).isEqualTo(3);
        assertThat(a.config().nis()).hasSize(2);
        assertThat(a.config().nis().getFirst().request().tunables().peerCredits())
                .isEqualTo(4);
        Settings settings = a.config().configure(LNetConfig.builder()).build().settings();
        assertThat(settings.get(Tunable.RETRY_COUNT)).isEqualTo(1);
        assertThat(settings.get(Tunable.TRANSACTION_TIMEOUT)).isEqualTo(20);
        Scenario.Load load = scenario.loads().getFirst();
        assertThat(load.from()).isEqualTo(new Selector("a", 0, 2));
        assertThat(load.to()).isEqualTo(new Selector("b", 1, 0));
        assertThat(load.kinds()).containsExactly(CallKind.PUT, CallKind.GET);
        assertThat(load.sizes()).containsExactly(new Span(64, 64), new Span(1024, 1 << 20));
        assertThat(load.start()).isEqualTo(new Span(1_000_000_000L, 2_000_000_000L));
        SelftestPlan selftest = scenario.selftest().orElseThrow();
        assertThat(selftest.console()).isEqualTo(new Selector("a", 2, 0));
        assertThat(selftest.rpcTimeout()).isEqualTo(20);
        SelftestPlan.Test test = selftest.tests().getFirst();
        assertThat(test.to()).isEqualTo(new Selector("b", 0, 1));
        assertThat(test.specs()).hasSize(3).allMatch(each -> each.concurrency() == 2);
        assertThat(test.specs().getFirst().bulk()).isNull();
        assertThat(test.specs().getLast().bulk())
                .isEqualTo(new TestParameters.Bulk(BrwRequest.READ, Pattern.SIMPLE.number(), 1 << 20, 0));
        assertThat(test.start()).isEqualTo(new Span(1_000_000_000L, 2_000_000_000L));
        assertThat(scenario.faults()).hasSize(2);
        assertThat(scenario.faults().getFirst().action())
                .isEqualTo(new FaultAction.LinkDown(new Selector("a", 0, 1), "eth1"));
        assertThat(scenario.expect()).isEqualTo(new Scenario.Expect(false, false, false, true, 7));
        assertThat(scenario.settleNanos()).isEqualTo(3_600_000_000_000L);
    }

    @Test
    void whatIsWrongWithSelftestIsTold() {
        assertThat(problems(GOOD.replace("console: a-2", "console: a")))
                .singleElement()
                .asString()
                .startsWith("invalid value 'a' for key 'console': it.yaml:22:12: ")
                .endsWith(": expected one node");
        assertThat(problems(GOOD.replace("size: [8, 1MiB]", "size: [12, 2MiB]")))
                .hasSize(2);
        assertThat(problems(GOOD.replace("check: simple", "check: most")))
                .singleElement()
                .asString()
                .startsWith("invalid value 'most' for key 'check': it.yaml:25:")
                .endsWith(": expected none, simple or full");
        assertThat(problems(GOOD.replace("do: [ping, read]", "do: [ping, erase]")))
                .singleElement()
                .asString()
                .startsWith("invalid value 'erase' for key 'do': it.yaml:25:")
                .endsWith(": expected ping, read or write");
    }

    @Test
    void whatIsWrongIsToldWithItsPlaceAndWhatWasExpected() {
        assertThat(problems(GOOD.replace("latency: 50us", "latency: 50 parsecs")))
                .singleElement()
                .asString()
                .startsWith("invalid value '50 parsecs' for key 'latency': it.yaml:4:19: expected a time such as 20us");
        assertThat(problems(GOOD.replace("loss: 1%,", "loss: 101%,")))
                .singleElement()
                .asString()
                .startsWith("invalid value '101%' for key 'loss': it.yaml:4:")
                .contains(": expected a share");
        assertThat(problems(
                        GOOD.replace("devices: {eth0: blue, eth1: green}\n", "devices: {eth0: red, eth1: green}\n")))
                .singleElement()
                .asString()
                .startsWith("invalid value 'red' for key 'eth0': it.yaml:9:")
                .contains(": expected the name of a rail: blue, green");
        assertThat(problems(GOOD.replace("interfaces: {0: eth1}", "interfaces: {0: eth7}")))
                .allMatch(line -> line.contains("'eth7', expected one of the node's devices: eth0, eth1"));
        assertThat(problems(GOOD.replace("any a, device", "any c, device")))
                .anyMatch(line -> line.startsWith("invalid value 'any c' for key 'node': it.yaml:27:")
                        && line.contains(": expected nodes such as"));
        assertThat(problems(GOOD.replace("2 of a", "4 of a")))
                .singleElement()
                .asString()
                .startsWith("invalid value '4 of a' for key 'from': it.yaml:20:");
        assertThat(problems(GOOD.replace("retry_count: 1", "retry_cont: 1")))
                .allMatch(line -> line.contains("did you mean 'retry_count'?"));
        assertThat(problems(GOOD.replace("retry_count: 1", "retry_count: 20")))
                .allMatch(line -> line.contains("the retry count must be below the timeout"));
        assertThat(problems(GOOD.replace("about:", "abut:")))
                .singleElement()
                .asString()
                .startsWith("invalid key 'abut': it.yaml:2:1: expected one of name, about")
                .endsWith("did you mean 'about'?)");
        assertThat(problems(GOOD.replace("times: 3, every: 5s..6s, ", "times: 3, ")))
                .singleElement()
                .asString()
                .contains("found times without every and for, expected all three");
        assertThat(problems(GOOD.replace("loss_model: {rail", "los_model: {rail")))
                .hasSize(2);
    }

    private static final String TORUS = """
        rails: {ib: {torus: 3x3, hosts: 1, engine: min-hop, sweep: 1s, loss: 1%}, eth: {}, ib2: {torus: 4x4x4}}
        nodes:
          a:
            count: 4
            devices: {ib0: ib, ib1: ib, eth0: eth}
            config:
              net:
                - net type: o2ib
                  local NI(s):
                    - interfaces: {0: ib0}
        load:
          - {from: a, to: a, for: 1s}
        faults:
          - {at: 1s, switch_down: {rail: ib, switches: 2}}
          - {at: 1s, cable_down: {rail: ib}}
          - {at: 1s, degrade: {node: a, device: ib1}}
          - {at: 1s, card_fails: {node: a, device: ib0}}
        """;

    @Test
    void aRailMayBeATorus() throws DocumentException {
        Scenario scenario = ScenarioReader.read("it.yaml", TORUS);
        assertThat(scenario.rails().getFirst().torus())
                .isEqualTo(new TorusSettings(List.of(3, 3, 1), 1, TorusSettings.Engine.MIN_HOP, 1_000_000_000L));
        assertThat(scenario.rails().get(1).torus()).isNull();
        TorusSettings closer = ScenarioReader.read(
                        "it.yaml", TORUS.replace("min-hop", "dor, fidelity: packet, buffers: 8KiB"))
                .rails()
                .getFirst()
                .torus();
        assertThat(closer)
                .isEqualTo(new TorusSettings(
                        List.of(3, 3, 1),
                        1,
                        TorusSettings.Engine.DOR,
                        1_000_000_000L,
                        TorusSettings.Fidelity.PACKET,
                        8192));
        assertThat(scenario.withFidelity(TorusSettings.Fidelity.PACKET).rails().stream()
                        .map(Scenario.Rail::torus))
                .allMatch(torus -> torus == null || torus.fidelity() == TorusSettings.Fidelity.PACKET);
        assertThat(scenario.faults().stream().map(Scenario.Fault::action))
                .containsExactly(
                        new FaultAction.SwitchDown("ib", 2),
                        new FaultAction.CableDown("ib", 1),
                        new FaultAction.Degrade(new Selector("a", 0, 0), "ib1"),
                        new FaultAction.CardFails(new Selector("a", 0, 0), "ib0"));
    }

    @Test
    void whatIsWrongWithATorusIsTold() {
        assertThat(problems(TORUS.replace("3x3,", "3y3,")))
                .anyMatch(line -> line.contains("it.yaml:1:") && line.contains("expected a shape such as 3x3x3"));
        assertThat(problems(TORUS.replace("eth: {}", "eth: {sweep: 1s}")))
                .anyMatch(line -> line.contains("found 'sweep' without 'torus'"));
        assertThat(problems(TORUS.replace("sweep: 1s", "latency: 1s")))
                .anyMatch(line -> line.contains("found 'latency' with 'torus'"));
        assertThat(problems(TORUS.replace("min-hop", "max-hop")))
                .anyMatch(line -> line.contains("'max-hop' for key 'engine': it.yaml:1:")
                        && line.endsWith("expected one of torus-2qos, min-hop, dor"));
        assertThat(problems(TORUS.replace("sweep: 1s", "fidelity: flits")))
                .anyMatch(line -> line.contains("'flits' for key 'fidelity': it.yaml:1:")
                        && line.endsWith("expected one of message, packet"));
        assertThat(problems(TORUS.replace("sweep: 1s", "buffers: 4KiB")))
                .anyMatch(line -> line.contains("4KiB") && line.contains("expected"));
        assertThat(problems(TORUS.replace("count: 4", "count: 5")))
                .anyMatch(line -> line.contains("found 10 cards on ib, expected at most 9, its places"));
        assertThat(problems(TORUS.replace("eth0: eth", "eth0: ib2")))
                .anyMatch(line -> line.contains("a with cards on ib and ib2, expected one fabric for each node"));
        assertThat(problems(TORUS.replace("{0: ib0}", "{0: eth0}")))
                .anyMatch(line -> line.contains("found o2ib on 'eth0', expected nets of type o2ib on cards"));
        assertThat(problems(TORUS.replace("net type: o2ib", "net type: tcp")))
                .anyMatch(line -> line.contains("found tcp on 'ib0', expected nets of type o2ib on cards"));
        assertThat(problems(TORUS.replace("cable_down: {rail: ib}", "cable_down: {rail: eth}")))
                .anyMatch(line -> line.contains("'eth' for key 'rail': it.yaml:15:")
                        && line.endsWith("expected a rail with 'torus'"));
        assertThat(problems(TORUS.replace("device: ib1", "device: eth0")))
                .anyMatch(line -> line.contains("'eth0' for key 'device': it.yaml:16:")
                        && line.endsWith("expected a device on a rail with 'torus'"));
        assertThat(problems(TORUS.replace("cable_down: {rail: ib}", "loss_model: {rail: ib, latency: 1ms}")))
                .anyMatch(line -> line.contains("found duplicate or latency on a torus, expected nothing but loss"));
    }

    @Test
    void allProblemsAreToldAtOnce() {
        assertThat(problems(GOOD.replace("1.5Gb/s", "fast")
                        .replace("rate: 10/s", "rate: often")
                        .replace("1h", "soon")))
                .hasSize(3);
    }

    @Test
    void whatIsNotYamlIsToldWithItsPlace() {
        assertThat(problems("rails: {blue: [}"))
                .singleElement()
                .asString()
                .startsWith("it.yaml:1:")
                .contains("found broken YAML");
        assertThat(problems("")).singleElement().asString().contains("found nothing");
        assertThat(problems("[1, 2]")).anyMatch(line -> line.contains("found a list, expected a mapping"));
    }

    @Test
    void aFileThatIsTooLargeIsNotParsed() {
        assertThatThrownBy(() -> ScenarioReader.read("it.yaml", "#".repeat(ScenarioReader.MAX_CHARACTERS + 1)))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("it.yaml: found 1048577 characters, expected at most");
    }

    @Test
    void theScenariosOfTheProgramAreRight() {
        assertThat(Library.names()).hasSizeGreaterThanOrEqualTo(8).allSatisfy(name -> {
            Scenario scenario = Library.scenario(name);
            assertThat(scenario.name()).isEqualTo(name);
            assertThat(scenario.about()).isNotEmpty();
            assertThat(scenario.loads()).isNotEmpty();
        });
    }
}
