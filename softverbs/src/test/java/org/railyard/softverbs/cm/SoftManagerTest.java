package org.railyard.softverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.softverbs.SoftFabric;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftInterface;
import org.railyard.softverbs.card.SoftMachine;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.time.SoftLoop;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.memory.MemoryModel;

/** What a manager knows of connections: how many there may be. */
class SoftManagerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FIRST_ADDRESS = 0x0A00_0001;
    private static final int SERVICE = 987;

    private final VirtualTime time = new VirtualTime();
    private final Fabric model = FreshLids.assign(SampleTorus.torus(3, 1, 1, 1).fabric(), Fabric.NONE);
    private final SoftFabric fabric = new SoftFabric(
            time,
            new SplittableRandom(1),
            model,
            (Routing) new MinHopEngine().route(model, EngineOptions.DEFAULT),
            SoftSettings.DEFAULT,
            FabricTrace.NONE);
    private final SoftManagers managers = new SoftManagers();

    /** A machine with one card, whose program accepts all that it is asked for. */
    private final class Machine {
        private final SoftLoop loop = new SoftLoop(time, () -> false, "loop");
        private final List<CmEvent> events = new ArrayList<>();
        private final List<CmId> ends = new ArrayList<>();
        private final SoftManager manager;
        private final SoftInterface at;

        Machine(int number, int maxIds) {
            String name = "machine" + number;
            manager = new SoftManager(fabric, managers, name, maxIds, () -> false);
            SoftMachine machine = new SoftMachine(fabric, name, MemoryModel.SCATTERED, _ -> loop, _ -> {});
            SoftDevice card =
                    new SoftDevice(machine, "mlx4_0", model.switchCount() + number, DeviceAttributes.MLX4.withPorts(1));
            at = new SoftInterface("ib0", FIRST_ADDRESS + number, card.ports().getFirst());
            manager.add(at);
        }

        CmAddress address(int port) {
            return new CmAddress(at.ip(), port);
        }

        CmId create() {
            return manager.create(loop, this::onEvent);
        }

        void listen() {
            loop.call(() -> {
                CmId listener = create();
                listener.bind(address(SERVICE), false);
                listener.listen();
            });
        }

        void ask(Machine other) {
            CmId asking = create();
            ends.add(asking);
            loop.call(() -> asking.resolveAddress(other.address(SERVICE), SECOND));
            time.run(SECOND);
        }

        private void onEvent(CmId id, CmEvent event) {
            events.add(event);
            CmId request = event.request();
            if (request != null) {
                ends.add(request);
                makeQp(request);
                request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
            } else if (event.type() == CmEvent.Type.ADDRESS_RESOLVED) {
                id.resolveRoute(-1, SECOND);
            } else if (event.type() == CmEvent.Type.ROUTE_RESOLVED) {
                makeQp(id);
                id.connect(ConnectParameters.DEFAULT, MemorySegment.NULL);
            }
        }

        private void makeQp(CmId id) {
            VerbsDevice device = Objects.requireNonNull(id.device());
            Cq cq = device.createCq(2, loop, _ -> {});
            id.createQp(device.openPd(), cq, new QpCapabilities(1, 1, 1));
        }
    }

    private final Machine one = new Machine(0, SoftManager.MAX_IDS);
    private final Machine other = new Machine(1, 3);

    /** Whoever runs the time would get the exception otherwise, and all that was to happen then would not. */
    @Test
    void whenTheTableIsFullRequestsAreTurnedDown() {
        other.listen();
        one.ask(other);
        one.ask(other);
        assertThat(one.events).extracting(CmEvent::type).doesNotContain(CmEvent.Type.REJECTED);
        assertThatThrownBy(other::create)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM));
        one.ask(other);
        assertThat(one.events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
        assertThat(one.events.getLast().reason()).as("no resources").isEqualTo(3);
        other.loop.call(other.ends.getFirst()::close);
        time.run(SECOND);
        one.ask(other);
        assertThat(one.events.getLast().type()).isEqualTo(CmEvent.Type.ESTABLISHED);
    }
}
