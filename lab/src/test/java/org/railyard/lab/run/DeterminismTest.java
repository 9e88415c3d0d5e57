package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.lab.payload.PayloadPattern;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;

/** The same seed gives the same run, byte for byte: in one process, in another one, and beside others. */
class DeterminismTest {
    private static final List<String> SCENARIOS = List.of("nic-failure-storm", "ib-storm");
    private static final long SEED = 4;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    static Stream<String> scenarios() {
        return SCENARIOS.stream();
    }

    private static String journal(String scenario, long seed) {
        StringBuilder text = new StringBuilder();
        LabRun.run(
                Library.scenario(scenario),
                seed,
                Interposer.NONE,
                line -> text.append(line.text()).append('\n'));
        return text.toString();
    }

    /** What the other process does: writes the journals to files. */
    static final class OtherProcess {
        private OtherProcess() {}

        public static void main(String[] args) throws IOException {
            StackLog.silence();
            for (String scenario : SCENARIOS) {
                Files.writeString(Path.of(args[0], scenario), journal(scenario, SEED));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    @Requirement("sv-020")
    void equalSeedsGiveEqualJournalsAndOthersGiveOthers(String scenario) {
        String first = journal(scenario, SEED);
        assertThat(first.lines().count()).isGreaterThan(10_000);
        assertThat(journal(scenario, SEED)).isEqualTo(first);
        assertThat(journal(scenario, SEED + 1)).isNotEqualTo(first);
    }

    @Test
    void anotherProcessWritesTheSameJournals() throws IOException {
        Program.main(OtherProcess.class, List.of(), directory.toString()).run();
        for (String scenario : SCENARIOS) {
            assertThat(Files.readString(directory.resolve(scenario), StandardCharsets.UTF_8))
                    .isEqualTo(journal(scenario, SEED));
        }
    }

    /** Whether bytes of payloads are copied, or references stand for them, is no difference to anybody. */
    @ParameterizedTest
    @ValueSource(strings = {"rail-down", "two-routers", "udsp-failover", "ib-storm"})
    void bytesAndReferencesGiveEqualRuns(String scenario) {
        ReferenceCount references = new ReferenceCount(false);
        RunResult byReference = LabRun.run(Library.scenario(scenario), SEED, references, null);
        assertThat(byReference.violations()).isEmpty();
        assertThat(references.seen).isPositive();
        ReferenceCount none = new ReferenceCount(true);
        RunResult withBytes = LabRun.run(Library.scenario(scenario), SEED, none, null);
        assertThat(withBytes.violations()).isEmpty();
        assertThat(none.seen).isZero();
        assertThat(withBytes.fingerprint()).isEqualTo(byReference.fingerprint());
    }

    /** Counts messages that are received with a reference at their beginning. */
    private static final class ReferenceCount implements Interposer {
        private final boolean needsBytes;
        private int seen;

        ReferenceCount(boolean needsBytes) {
            this.needsBytes = needsBytes;
        }

        @Override
        public boolean needsBytes() {
            return needsBytes;
        }

        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    // What fails may leave what another run left in its memory.
                    if (status == 0 && message.fragmentCount() > 0 && hasReference(message)) {
                        seen++;
                    }
                    stack.complete(message, status, health);
                }
            };
        }

        private static boolean hasReference(LndMessage message) {
            ByteBuffer first = message.fragments()[0];
            int bytes = message.header().payloadLength();
            // Messages may stand one behind the other in their memory.
            int start = Math.max(0, first.limit() - bytes);
            return !first.isReadOnly()
                    && Math.min(bytes, first.limit()) >= PayloadPattern.MIN_REFERRED
                    && PayloadPattern.find(first, start, PayloadPattern.MIN_REFERRED) != PayloadPattern.NONE;
        }
    }

    @Test
    void whatRunsBesideDoesNotMatter() throws InterruptedException {
        Scenario scenario =
                Small.scenario("put, get, bare-put", "{at: 1s, for: 1s, unplug: {node: server, device: eth1}}");
        List<Long> alone = fingerprints(scenario, 1);
        assertThat(fingerprints(scenario, 4)).isEqualTo(alone).doesNotHaveDuplicates();
    }

    private static List<Long> fingerprints(Scenario scenario, int jobs) throws InterruptedException {
        List<RunResult> results = new ArrayList<>();
        new Campaign(scenario, jobs).run(1, 12, 12, results::add);
        results.sort((a, b) -> Long.compare(a.seed(), b.seed()));
        return results.stream().map(RunResult::fingerprint).toList();
    }
}
