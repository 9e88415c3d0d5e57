package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.DirectLnd;
import org.railyard.lnet.sim.TestHost;
import org.railyard.testkit.Allocations;

/** Steady traffic allocates nothing in the stack. */
class AllocationTest {
    private static final int PORTAL = 33;
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 50_000;
    private static final int ATTEMPTS = 5;

    private final TestHost hostA = new TestHost(1_700_000_000_000_000_000L);
    private final TestHost hostB = new TestHost(1_700_000_001_000_000_000L);
    private final ProcessId toB = ProcessId.of(Nid.parse("10.0.0.2@tcp"));
    private final ProcessId loopback = ProcessId.of(Nid.LOOPBACK);
    private final DirectLnd.Wire wire = new DirectLnd.Wire();
    private LNet a;
    private LNet b;
    private int events;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    AllocationTest() {}

    @BeforeEach
    void start() {
        a = wire.node(hostA, "10.0.0.1@tcp", "10.0.1.1@tcp");
        b = wire.node(hostB, "10.0.0.2@tcp", "10.0.1.2@tcp");
        for (LNet node : new LNet[] {a, b}) {
            node.attach(
                    MeConfig.of(PORTAL, 7),
                    MdConfig.of(Arena.ofAuto().allocate(2000), Arena.ofAuto().allocate(6000))
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .withHandler(event -> events++));
        }
        var found = a.discover(toB.nid(), false);
        TestHost.settle(hostA, hostB);
        assertThat(found).isCompleted();
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private Md source() {
        return a.bind(MdConfig.of(Arena.ofAuto().allocate(4096)).withHandler(event -> events++));
    }

    @Test
    void putsWithAck() {
        Md md = source();
        allocatesNothing(4, () -> a.put(md, true, Nid.ANY, toB, PORTAL, 7, 0, 5));
    }

    @Test
    void putsAndGetsThroughARouter() {
        TestHost hostC = new TestHost(1_700_000_002_000_000_000L);
        TestHost hostR = new TestHost(1_700_000_003_000_000_000L);
        Nid far = Nid.parse("10.1.0.3@tcp1");
        ProcessId target = ProcessId.of(far);
        try (LNet router = wire.node(
                        hostR,
                        Settings.of(CompatProfile.DOCUMENTS).with(Tunable.FORWARDING, 1),
                        "10.0.0.9@tcp",
                        "10.1.0.9@tcp1");
                LNet c = wire.node(hostC, far.toString())) {
            c.attach(
                    MeConfig.of(PORTAL, 7),
                    MdConfig.of(Arena.ofAuto().allocate(8000))
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                            .withHandler(event -> events++));
            a.routes().add(far.net(), Nid.parse("10.0.0.9@tcp"), Routes.UNDEFINED_HOPS, 0);
            c.routes().add(Net.TCP, Nid.parse("10.1.0.9@tcp1"), Routes.UNDEFINED_HOPS, 0);
            TestHost.settle(hostA, hostB, hostC, hostR);
            var found = a.discover(far, false);
            TestHost.settle(hostA, hostB, hostC, hostR);
            assertThat(found).isCompleted();
            Md md = source();
            allocatesNothing(7, () -> {
                a.put(md, true, Nid.ANY, target, PORTAL, 7, 0, 5);
                a.get(md, Nid.ANY, target, PORTAL, 7, 100);
            });
            assertThat(router.statistics().get(Statistic.ROUTE_COUNT)).isGreaterThan(4L * MEASURED);
            assertThat(router.statistics().get(Statistic.DROP_COUNT)).isZero();
        }
    }

    @Test
    void puts() {
        Md md = source();
        allocatesNothing(2, () -> a.put(md, false, Nid.ANY, toB, PORTAL, 7, 0, 5));
    }

    @Test
    void gets() {
        Md md = source();
        allocatesNothing(3, () -> a.get(md, Nid.ANY, toB, PORTAL, 7, 100));
    }

    @Test
    void overLoopback() {
        Md md = source();
        allocatesNothing(3, () -> a.get(md, Nid.ANY, loopback, PORTAL, 7, 0));
    }

    @Test
    void putsThatAreSentAgain() {
        Md md = source();
        // The peer's NIs have no health left soon, and as long as no time passes nobody pings them.
        wire.failEveryOther(HealthStatus.REMOTE_DROPPED);
        allocatesNothing(2, () -> {
            a.put(md, false, Nid.ANY, toB, PORTAL, 7, 0, 5);
            hostA.runWorkers();
        });
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isGreaterThan(MEASURED);
    }

    /**
     * One of a few attempts has to do: the JIT compiler and the test's own frame may allocate now and then, the stack
     * would always.
     */
    private void allocatesNothing(int eventsEach, Runnable action) {
        Allocations allocations = new Allocations();
        for (int i = 0; i < WARM_UP; i++) {
            action.run();
        }
        long least = Long.MAX_VALUE;
        int done = WARM_UP;
        for (int attempt = 0; attempt < ATTEMPTS && least >= MEASURED; attempt++, done += MEASURED) {
            long before = allocations.bytes();
            for (int i = 0; i < MEASURED; i++) {
                action.run();
            }
            least = Math.min(least, allocations.bytes() - before);
        }
        assertThat(events).isGreaterThanOrEqualTo((eventsEach - 1) * done);
        assertThat(least)
                .as("bytes for %d messages; one object each would be %d", MEASURED, MEASURED * 16L)
                .isLessThan(MEASURED);
    }
}
