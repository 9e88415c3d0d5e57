package org.railyard.itest.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.itest.recorded.Steps.A0;
import static org.railyard.itest.recorded.Steps.B0;
import static org.railyard.itest.recorded.Steps.kernel;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.host.RealHost;
import org.railyard.itest.kit.Await;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.Console;
import org.railyard.selftest.Selftest;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.TestParameters;

/**
 * Our node in recorded sessions of selftest between two kernel nodes: as the one that is tested, and as the one that
 * tests and has the console.
 */
final class RecordedSelftestTest {
    private static final int KEY = 100;
    private static final int LIMIT = 30;
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    @TestFactory
    Stream<DynamicTest> isTestedAsTheKernelWas() {
        return Stream.of(
                        "d_lst_ping",
                        "e_lst_brw_read_4k_simple",
                        "e_lst_brw_read_4k_full",
                        "e_lst_brw_read_1M_full",
                        "e_lst_brw_write_4k_simple",
                        "e_lst_brw_write_4k_full",
                        "e_lst_brw_write_1M_simple")
                .map(capture -> DynamicTest.dynamicTest(capture, () -> beTested(capture)));
    }

    private static void beTested(String capture) throws IOException {
        Place place = Place.onLoopback();
        try (ScriptedPeer a = kernel(capture, place, A0);
                LNet b = place.node(settings -> settings, place.transport().zeroCopyRequests(true), B0);
                Selftest selftest = Selftest.start(b, new RealHost(), SelftestSettings.DEFAULT)) {
            a.askForCountsWhen(() -> b.messagesInUse() == 0);
            a.playToEnd();
            assertThat(selftest.console().session()).isNull();
        }
    }

    /**
     * A recorded test.
     *
     * @param seconds what the numbers of its calls begin with
     * @param stamp that of its session
     * @param end a time between the last question and the end of the session, s
     */
    private record Recorded(
            String capture, long seconds, long stamp, int loop, TestParameters.@Nullable Bulk bulk, double end) {
        TestSpec spec() {
            return bulk == null ? TestSpec.ping("c", "s", loop, 1, 1, 1) : TestSpec.bulk("c", "s", loop, 1, 1, 1, bulk);
        }
    }

    @TestFactory
    Stream<DynamicTest> testsAsTheKernelDid() {
        return Stream.of(
                        new Recorded("d_lst_ping", 0x881, 210_826, 4, null, 5.05),
                        new Recorded("e_lst_brw_write_4k_full", 0x8e2, 303_245, 2, bulk(BrwRequest.WRITE), 5.4))
                .map(recorded -> DynamicTest.dynamicTest(recorded.capture, () -> test(recorded)));
    }

    private static TestParameters.Bulk bulk(int operation) {
        return new TestParameters.Bulk(operation, Pattern.FULL.number(), 4096, 0);
    }

    private static void good(CompletionStage<List<NodeResult>> answers) {
        assertThat(Await.value(answers)).isNotEmpty().allMatch(each -> each.status() == 0);
    }

    private static void test(Recorded recorded) throws IOException {
        Place place = Place.onLoopback();
        DatedHost host = new DatedHost(recorded.seconds * SECOND);
        ProcessId self = ProcessId.of(place.nid(A0));
        ProcessId other = ProcessId.of(place.nid(B0));
        try (ScriptedPeer b = kernel(recorded.capture, place, B0);
                LNet a = place.node(A0);
                Selftest selftest = Selftest.start(a, host, SelftestSettings.DEFAULT)) {
            Console console = selftest.console();
            host.wall.set(recorded.stamp * MILLI);
            console.newSession("cap", KEY, 60, false, 1);
            good(console.addToGroup(KEY, "c", List.of(self)));
            CompletionStage<List<NodeResult>> joined = console.addToGroup(KEY, "s", List.of(other));
            b.playUntil(0.15);
            good(joined);
            console.addBatch(KEY, "b1");
            CompletionStage<List<NodeResult>> added = console.addTest(KEY, "b1", recorded.spec());
            b.playUntil(0.35);
            good(added);
            good(console.run(KEY, "b1", LIMIT));
            b.playUntil(4);
            good(console.query(KEY, "b1", 0, LIMIT));
            good(console.statistics(KEY, new Who.OfGroup("c"), LIMIT));
            CompletionStage<List<NodeResult>> counted = console.statistics(KEY, new Who.OfGroup("s"), LIMIT);
            b.playUntil(recorded.end);
            good(counted);
            good(console.stop(KEY, "b1", false, LIMIT));
            // The tool of kernel nodes looks whether it has stopped.
            assertThat(Await.value(console.query(KEY, "b1", 0, LIMIT)))
                    .allMatch(each -> each.reply() instanceof BatchReply reply && reply.active() == 0);
            CompletionStage<List<NodeResult>> left = console.endSession(KEY);
            b.playToEnd();
            good(left);
        }
    }

    /** A machine whose date is set. */
    private static final class DatedHost implements Host {
        private final Host real = new RealHost();
        private final AtomicLong wall;

        DatedHost(long wallNanos) {
            this.wall = new AtomicLong(wallNanos);
        }

        @Override
        public NodeClock clock() {
            NodeClock clock = real.clock();
            return new NodeClock() {
                @Override
                public long nanoTime() {
                    return clock.nanoTime();
                }

                @Override
                public long wallNanos() {
                    return wall.get();
                }
            };
        }

        @Override
        public RandomGenerator random() {
            return real.random();
        }

        @Override
        public Worker startWorker(String name, Duty duty) {
            return real.startWorker(name, duty);
        }
    }
}
