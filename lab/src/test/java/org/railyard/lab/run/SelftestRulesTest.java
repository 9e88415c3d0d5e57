package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.check.Violation;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.run.Defects.SwappedBytes;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.Service;

/** Selftest in virtual time does what it should, and its checker sees it when it does not. */
class SelftestRulesTest {
    private static final long SEED = 3;

    /** The call to which something happens. */
    private static final int ONE = 40;

    private static final String YAML = """
        name: tests
        rails:
          blue: {latency: 2ms, jitter: 500us}
          green: {latency: 2ms, jitter: 500us}
        nodes:
          client:
            count: 2
            devices: {eth0: blue, eth1: green}
            config: &config
              net:
                - net type: tcp
                  local NI(s):
                    - interfaces: {0: eth0}
                    - interfaces: {0: eth1}
              global: {transaction_timeout: 5}
              java: {health_recovery_increment: 100}
          server: {devices: {eth0: blue, eth1: green}, config: *config}
        selftest:
          console: any client
          rpc_timeout: 8s
          tests:
            - {from: client, to: server, do: [ping, read, write], size: [8, 4KiB], check: full, start: 1s, for: 1s}
        faults: [FAULTS]
        settle: 60s
        """;

    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    private static Scenario scenario(String faults) {
        try {
            return ScenarioReader.read("tests", YAML.replace("FAULTS", faults));
        } catch (DocumentException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertSeen(Interposer interposer, String text) {
        RunResult result = LabRun.run(scenario(""), SEED, interposer, null);
        assertThat(result.violations()).extracting(Violation::checker).contains("selftest");
        assertThat(result.violations()).extracting(Violation::text).anyMatch(each -> each.contains(text));
    }

    private static Interposer interposer(Function<RpcWatch, RpcWatch> around) {
        return new Interposer() {
            @Override
            public RpcWatch selftest(RpcWatch watch) {
                return around.apply(watch);
            }
        };
    }

    @Test
    void aSessionGoesFromItsBeginningToItsEndWhileAServerIsUnplugged() {
        List<String> console = new ArrayList<>();
        RunResult result = LabRun.run(
                scenario("{at: 1300ms, for: 1s, unplug: {node: server, device: eth1}}"),
                SEED,
                Interposer.NONE,
                line -> {
                    if (line.text().contains(" selftest ")) {
                        console.add(line.text());
                    }
                });
        assertThat(result.violations()).isEmpty();
        assertThat(result.outcomes().get(Outcome.OK)).isGreaterThan(500);
        assertThat(console)
                .anyMatch(line -> line.contains("add_group to1: 10.1.0.3@tcp ACTIVE 0"))
                .anyMatch(line -> line.contains("add_test 5: "))
                .anyMatch(line -> line.contains("run batch1: "))
                .anyMatch(line -> line.contains("stat: "))
                .last()
                .asString()
                .contains("end_session: ")
                .contains("UNKNOWN 0")
                .doesNotContain("ACTIVE");
    }

    /**
     * Calls that end together because their time is over end in an order that does not depend on where they are in
     * memory.
     */
    @Test
    void equalSeedsGiveEqualRuns() {
        Scenario scenario = scenario("{at: 1500ms, for: 12s, crash: {node: server}}");
        RunResult first = LabRun.run(scenario, SEED, Interposer.NONE, null);
        assertThat(first.violations()).isEmpty();
        assertThat(LabRun.run(scenario, SEED, Interposer.NONE, null).fingerprint())
                .isEqualTo(first.fingerprint());
        assertThat(LabRun.run(scenario, SEED + 1, Interposer.NONE, null).fingerprint())
                .isNotEqualTo(first.fingerprint());
    }

    @Test
    void aConsoleThatDiesEndsIt() {
        RunResult result =
                LabRun.run(scenario("{at: 1500ms, for: 1s, crash: {node: client}}"), SEED, Interposer.NONE, null);
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void bulkDataThatIsWrong() {
        assertSeen(new SwappedBytes(), " has brought 0xeeb0eeb1eeb2eeb4 at byte 0 of 4096");
    }

    @Test
    void aCallThatEndsTwice() {
        assertSeen(
                interposer(watch -> new Passing(watch) {
                    @Override
                    public void ended(long replyId, int status, @Nullable Reply reply) {
                        super.ended(replyId, status, reply);
                        if (isTime()) {
                            super.ended(replyId, status, reply);
                        }
                    }
                }),
                " ends, and did so before");
    }

    @Test
    void aCallThatDoesNotEnd() {
        assertSeen(
                interposer(watch -> new Passing(watch) {
                    @Override
                    public void ended(long replyId, int status, @Nullable Reply reply) {
                        if (!isTime()) {
                            super.ended(replyId, status, reply);
                        }
                    }
                }),
                " calls have not ended");
    }

    @Test
    void aRequestThatIsServedTwiceOrNotCounted() {
        assertSeen(
                interposer(watch -> new Passing(watch) {
                    @Override
                    public void asked(ProcessId from, Service service, Request request) {
                        super.asked(from, service, request);
                        if (isTime()) {
                            super.asked(from, service, request);
                        }
                    }
                }),
                " a second time");
        assertSeen(
                interposer(watch -> new Passing(watch) {
                    @Override
                    public void asked(ProcessId from, Service service, Request request) {
                        if (!isTime()) {
                            super.asked(from, service, request);
                        }
                    }
                }),
                " received, and there were ");
    }

    /** Passes everything on. */
    private static class Passing implements RpcWatch {
        private final RpcWatch to;
        private int count;

        Passing(RpcWatch to) {
            this.to = to;
        }

        final boolean isTime() {
            return ++count == ONE;
        }

        @Override
        public void called(
                ProcessId target, Service service, Request request, @Nullable MemorySegment bulk, long limitNanos) {
            to.called(target, service, request, bulk, limitNanos);
        }

        @Override
        public void ended(long replyId, int status, @Nullable Reply reply) {
            to.ended(replyId, status, reply);
        }

        @Override
        public void asked(ProcessId from, Service service, Request request) {
            to.asked(from, service, request);
        }

        @Override
        public void answered(ProcessId peer, Request request, Reply reply) {
            to.answered(peer, request, reply);
        }

        @Override
        public void fetching(ProcessId from, Request request, MemorySegment memory) {
            to.fetching(from, request, memory);
        }

        @Override
        public void moved(ProcessId peer, Request request, boolean fetched, MemorySegment memory, int status) {
            to.moved(peer, request, fetched, memory, status);
        }
    }
}
