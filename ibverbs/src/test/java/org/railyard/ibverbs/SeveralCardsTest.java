package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** A machine with two cards: what belongs together is of one of them, as librdmacm has opened it. */
final class SeveralCardsTest {
    private static final int FIRST = StandInWorld.FIRST_IP;
    private static final int SECOND = FIRST + 1;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final QpCapabilities USUAL = new QpCapabilities(8, 8, 1);

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", FIRST);
    private final IbvProvider provider = provider();
    private final EventLoop loop = provider.createEventLoop("test");

    private IbvProvider provider() {
        machine.addCard("mlx5_1", SECOND);
        return new IbvProvider(new RealHost(), new NativeCards(new NativeVerbs(machine.functions())), List.of());
    }

    @AfterEach
    void close() {
        provider.close();
        assertThat(machine.leftovers()).isEmpty();
        network.close();
    }

    /** Returns an end that knows its card, because it has an address there and has found another one. */
    private CmId found(int ip) throws Exception {
        CompletableFuture<CmId> result = new CompletableFuture<>();
        loop.call(() -> {
            CmId id = provider.createId(loop, (end, event) -> {
                if (event.type() == CmEvent.Type.ADDRESS_RESOLVED) {
                    result.complete(end);
                }
            });
            id.bind(new CmAddress(ip, 0), false);
            id.resolveAddress(new CmAddress(FIRST, 987), SECOND_NANOS);
        });
        return result.get(30, TimeUnit.SECONDS);
    }

    @Test
    @Requirement("ibv-020")
    void aQueuePairWithADomainOfEachCardAndNoneWithThatOfAnother() throws Exception {
        List<VerbsDevice> devices = provider.devices();
        assertThat(devices).extracting(VerbsDevice::name).containsExactly("mlx5_0", "mlx5_1");
        int[] ips = {FIRST, SECOND};
        for (int i = 0; i < devices.size(); i++) {
            VerbsDevice device = devices.get(i);
            CmId id = found(ips[i]);
            List<Qp> made = new ArrayList<>();
            loop.call(() -> {
                assertThat(id.device()).isSameAs(device);
                Pd pd = device.openPd();
                Cq cq = device.createCq(32, loop, _ -> {});
                made.add(id.createQp(pd, cq, USUAL));
            });
            assertThat(made).hasSize(1);
            CmId other = found(ips[1 - i]);
            loop.call(() -> {
                Pd pd = device.openPd();
                Cq cq = device.createCq(32, loop, _ -> {});
                assertThatThrownBy(() -> other.createQp(pd, cq, USUAL)).isInstanceOf(VerbsException.class);
            });
        }
        assertThat(machine.functions().find("ibv_open_device"))
                .as("there is no way but librdmacm's")
                .isEmpty();
    }
}
