package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Tunables of an NI of its own, when it starts and while it runs (spec 12 §2.2 set). */
class NiTuningTest {
    private final IbWorld world = new IbWorld(7200 * IbWorld.SECOND);
    private final RecordingStack stack = new RecordingStack();
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private TestNi start(int rail, Map<String, Integer> tunables) {
        TestNi plain = IbWorld.ni(0, rail);
        TestNi ni = new TestNi(plain.nid(), plain.net(), plain.interfaceName(), plain.tunables(), tunables);
        lnd.startup(ni);
        return ni;
    }

    /** Sends to a peer that can not hear it, and returns after how many seconds that was given up. */
    private long secondsUntilGivenUp(TestNi ni) {
        Side.ordinary(world, 1);
        FabricFaultRule silence =
                FabricFaultRule.drop(EnumSet.of(TrafficKind.DATA), world.port(0, 0), world.port(1, 0));
        world.fabric().addFault(silence);
        long start = world.time().now();
        assertThat(lnd.send(ni, TestMessage.put(ni.nid(), IbWorld.nid(1, 0), 10)))
                .isZero();
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), 200 * IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isNotEqualTo(HealthStatus.OK);
        return (world.time().now() - start) / IbWorld.SECOND;
    }

    @Test
    void whatIsChangedIsShownAndTheRestStays() {
        TestNi ni = start(0, Map.of("conns_per_peer", 2));
        Map<String, Integer> before = new HashMap<>(lnd.tunables(ni));
        lnd.tune(ni, Map.of("conns_per_peer", 4, "timeout", 20));
        assertThat(lnd.tunables(ni)).containsEntry("conns_per_peer", 4).containsEntry("timeout", 20);
        assertThat(lnd.timeoutSeconds()).isEqualTo(20);
        lnd.tune(ni, before);
        assertThat(lnd.tunables(ni)).as("and back").isEqualTo(before);
    }

    @Test
    void aLimitThatIsLeftToTheStackIsAskedForAsThat() {
        TestNi ni = start(0, Map.of("timeout", 0));
        assertThat(lnd.tunables(ni)).containsEntry("timeout", 50);
        Map<String, Integer> wanted = lnd.wantedTunables(ni);
        assertThat(wanted).containsEntry("timeout", 0);
        lnd.tune(ni, Map.of("timeout", 20));
        lnd.tune(ni, wanted);
        assertThat(lnd.wantedTunables(ni)).isEqualTo(wanted);
        assertThat(lnd.timeoutSeconds()).isZero();
    }

    @Test
    void connectionsThatAreMadeLaterFollow() {
        Side one = Side.ordinary(world, 1);
        Side other = Side.ordinary(world, 2);
        one.tune(Map.of("conns_per_peer", 3));
        one.sendWell(other, 9, 100);
        assertThat(one.routes(other)).extracting(RouteView::connections).containsExactly(3);
    }

    @Test
    @Requirement("mod-032")
    void whatIsObsoleteIsNotedOnce() {
        try (LogTap log = new LogTap(O2ibLnd.class.getName())) {
            for (int value : new int[] {32, 0}) {
                TestNi ni = start(0, Map.of("map_on_demand", value));
                assertThat(lnd.tunables(ni)).containsEntry("map_on_demand", 1);
                lnd.shutdown(ni);
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("map_on_demand"))
                    .singleElement()
                    .asString()
                    .startsWith("INFO")
                    .contains("obsolete, ignored: given 32");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ntx, 1024, EOPNOTSUPP, ntx of an NI on InfiniBand is fixed when it starts",
        "conns_per_peer, 128, none, ''",
        "timeout, -1, EINVAL, timeout: given -1",
        "speed, 1, EINVAL, o2iblnd has no tunable 'speed'"
    })
    void whatCanNotBeChangedChangesNothing(String name, int value, String errno, String text) {
        TestNi ni = start(0, Map.of());
        Map<String, Integer> before = new HashMap<>(lnd.tunables(ni));
        if (errno.equals("none")) {
            lnd.tune(ni, Map.of(name, value));
            assertThat(lnd.tunables(ni)).as("at most").containsEntry(name, 127);
            return;
        }
        assertThatThrownBy(() -> lnd.tune(ni, Map.of(name, value, "tos", 7)))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.valueOf(errno)))
                .hasMessageContaining(text);
        assertThat(lnd.tunables(ni)).isEqualTo(before);
    }

    @Test
    @Requirement("ibl-100")
    void anNiKeepsToALimitOfItsOwn() {
        TestNi ni = start(0, Map.of("timeout", 10));
        start(1, Map.of());
        assertThat(lnd.timeoutSeconds()).as("the longest of all").isEqualTo(50);
        assertThat(secondsUntilGivenUp(ni)).isBetween(10L, 13L);
    }

    @Test
    @Requirement("ibl-100")
    void aLimitThatIsChangedCountsForWhatIsSentThen() {
        TestNi ni = start(0, Map.of());
        lnd.tune(ni, Map.of("timeout", 20));
        assertThat(secondsUntilGivenUp(ni)).isBetween(20L, 23L);
    }
}
