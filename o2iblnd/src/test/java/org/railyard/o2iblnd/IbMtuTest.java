package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.card.memory.MemoryModel;

/** The tunable {@code ib_mtu} limits the packets of connections that the NI makes (spec 20 §2). */
class IbMtuTest {
    private static final int PAYLOAD = 64 << 10;
    private static final int HEADERS = 30;

    /** Returns how many bytes reach the peer for one PUT. */
    private static long bytesSent(int mtu) {
        IbWorld world = new IbWorld(
                SoftSettings.DEFAULT.withFidelity(Fidelity.PACKET), 1, DeviceAttributes.MLX5, MemoryModel.SCATTERED);
        RecordingStack stack = new RecordingStack();
        O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT.with(O2ibTunable.IB_MTU, mtu));
        TestNi ni = IbWorld.ni(0, 0);
        lnd.startup(ni);
        Side to = Side.ordinary(world, 1);
        to.stack().store();
        assertThat(lnd.send(ni, TestMessage.put(ni.nid(), to.nid(), PAYLOAD))).isZero();
        assertThat(world.time().runUntil(() -> !stack.outcomes().isEmpty(), IbWorld.SECOND))
                .isTrue();
        assertThat(stack.outcomes().getFirst().health()).isEqualTo(HealthStatus.OK);
        int lastHop = world.fabric().present().cable(world.port(1, 0).fabricPort());
        return world.fabric().figures().orElseThrow().bytes(lastHop);
    }

    @Test
    void eachPacketHasHeaders() {
        long usual = bytesSent(0);
        assertThat(usual).isGreaterThan(PAYLOAD);
        assertThat(bytesSent(4096)).isEqualTo(usual);
        assertThat(bytesSent(512) - usual).isEqualTo((PAYLOAD / 512 - PAYLOAD / 4096) * HEADERS);
    }
}
