package org.railyard.softverbs.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.AsyncEvent;

/** The packet simulator beside the time line that drives it. */
class PacketTransmitterTest {
    private static final long SECOND = 1_000_000_000L;

    private final Fabric model = FreshLids.assign(SampleTorus.torus(3, 1, 1, 1).fabric(), Fabric.NONE);
    private final VirtualTime time = new VirtualTime();
    private final PacketTransmitter packets = new PacketTransmitter(
            time,
            model,
            (Routing) new MinHopEngine().route(model, EngineOptions.DEFAULT),
            SoftSettings.DEFAULT.withFidelity(Fidelity.PACKET),
            _ -> {});
    private int arrived;

    private FabricPort port(int card) {
        int port = model.portIndex(model.switchCount() + card, 1);
        return new FabricPort(1, port, model.lid(port)) {
            @Override
            protected boolean isBroken() {
                return false;
            }

            @Override
            protected void raise(AsyncEvent.Type type) {
                throw new AssertionError(type);
            }
        };
    }

    /** Sends a packet from the first card to the second; returns how many events of the simulator that takes. */
    private long eventsOfAPacket() {
        long before = packets.sim().events();
        packets.send(new Transmission(
                TrafficKind.DATA,
                new PortPair(port(0), port(1), 0),
                1000,
                time.now(),
                0,
                FaultVerdict.NOTHING,
                new Transmission.Sender() {
                    @Override
                    public void arrives() {
                        arrived++;
                    }

                    @Override
                    public void isLost() {
                        throw new AssertionError("nothing is in its way");
                    }
                }));
        time.run(SECOND);
        return packets.sim().events() - before;
    }

    /** Otherwise it looks for deadlocks as often as it would have in the meantime: the longer the pause, the longer. */
    @Test
    void aLongPauseBeforeAPacketCostsNoMoreThanAShortOne() {
        eventsOfAPacket();
        long afterOneSecond = eventsOfAPacket();
        assertThat(afterOneSecond).isPositive();
        time.run(4 * SECOND);
        assertThat(eventsOfAPacket()).isEqualTo(afterOneSecond);
        assertThat(arrived).isEqualTo(3);
    }
}
