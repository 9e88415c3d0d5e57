package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.Requirement;

/** What becomes of cards and links, and what the stack hears of it (spec 20 §16). */
class DeviceTest {
    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final RecordingStack far = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private void send(int length) {
        assertThat(lnd.send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), length)))
                .isZero();
    }

    @Test
    @Requirement("ibl-110")
    void aLinkThatIsSlowerIsReportedAndUsed() {
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        int port = world.port(0, 0).fabricPort();
        world.fabric().setRate(port, 1, LinkSpeed.SDR);
        world.time().run(IbWorld.SECOND);
        assertThat(stack.deviceNews()).containsExactly(DeviceEvent.DEGRADED);
        send(100_000);
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.OK);
        world.fabric().setRate(port, 4, LinkSpeed.SDR);
        world.time().run(IbWorld.SECOND);
        assertThat(stack.deviceNews()).containsExactly(DeviceEvent.DEGRADED, DeviceEvent.CLEAR);
    }

    @Test
    @Requirement("ibl-110")
    void aLinkThatIsDownAtTheStartIsReported() {
        int port = world.port(0, 0).fabricPort();
        world.fabric().setLink(port, false);
        lnd.startup(ni);
        assertThat(stack.deviceNews()).containsExactly(DeviceEvent.FATAL);
        send(10);
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), 30 * IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.LOCAL_DROPPED);
        assertThat(stack.peerNews()).as("the peer is not to blame").isEmpty();
        world.fabric().setLink(port, true);
        world.time().run(IbWorld.SECOND);
        assertThat(stack.deviceNews()).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
    }

    @Test
    @Requirement("ibl-110")
    void aCardThatBreaksAndIsRepairedIsUsedAgain() {
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        send(10);
        world.time().run(IbWorld.SECOND);
        world.device(0, 0).fail();
        world.time().run(IbWorld.SECOND);
        world.device(0, 0).repair();
        world.time().run(IbWorld.SECOND);
        assertThat(stack.deviceNews()).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
        send(100_000);
        world.time().run(IbWorld.SECOND);
        assertThat(stack.outcomes())
                .extracting(RecordingStack.Outcome::health)
                .containsExactly(HealthStatus.OK, HealthStatus.OK);
        assertThat(far.arrived()).isEqualTo(2);
    }

    @Test
    @Requirement("ibl-060")
    void withoutMemoryForQueuesTheyBecomeSmaller() {
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        world.device(0, 0).failNextQps(3);
        send(10);
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.OK);
        world.device(1, 0).failNextQps(1000);
        assertThat(far.arrived()).isEqualTo(1);
    }

    @Test
    @Requirement("ibl-120")
    void tunablesOutOfRangeKeepAnNiFromStarting() {
        for (Map.Entry<String, Integer> bad :
                List.of(Map.entry("ntx", 4096), Map.entry("tos", 256), Map.entry("nonsense", 1))) {
            NiRequest request =
                    NiRequest.ofNid(IbWorld.nid(0, 0)).withLndTunables(Map.of(bad.getKey(), bad.getValue()));
            assertThatThrownBy(() -> lnd.resolve(request))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
        assertThat(lnd.resolve(NiRequest.ofNid(IbWorld.nid(0, 1))).interfaceName())
                .isEqualTo("ib1");
    }
}
