package org.railyard.softverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
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
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.time.SoftLoop;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.memory.MemoryModel;

/** What a manager knows of connections: how many there may be, what is forgotten, and what peers have forgotten. */
class SoftManagerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FIRST_ADDRESS = 0x0A00_0001;
    private static final int SERVICE = 987;

    /** Numbers of ends that nobody has. */
    private static final int NOBODY = 4711;

    private final VirtualTime time = new VirtualTime();
    private final Fabric model = FreshLids.assign(SampleTorus.torus(3, 1, 1, 1).fabric(), Fabric.NONE);
    private final List<Long> rejects = new ArrayList<>();
    private final SoftFabric fabric = new SoftFabric(
            time,
            new SplittableRandom(1),
            model,
            (Routing) new MinHopEngine().route(model, EngineOptions.DEFAULT),
            SoftSettings.DEFAULT,
            (_, what, _, _, to) -> {
                if (what.equals("cm CM_REJECT")) {
                    rejects.add(to);
                }
            });
    private final SoftManagers managers = new SoftManagers();

    /** A machine with one card, whose program says the same to all that it is asked for. */
    private final class Machine {
        private final SoftLoop loop = new SoftLoop(time, () -> false, "loop");
        private final List<CmEvent> events = new ArrayList<>();
        private final List<CmId> ends = new ArrayList<>();
        private final List<Qp> qps = new ArrayList<>();
        private final SoftManager manager;
        private final SoftInterface at;
        private boolean accepts = true;

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

        SoftCmId ask(Machine other) {
            CmId asking = create();
            ends.add(asking);
            loop.call(() -> asking.resolveAddress(other.address(SERVICE), SECOND));
            time.run(SECOND);
            return (SoftCmId) asking;
        }

        private void onEvent(CmId id, CmEvent event) {
            events.add(event);
            CmId request = event.request();
            if (request != null && accepts) {
                ends.add(request);
                makeQp(request);
                request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
            } else if (request != null) {
                request.reject(MemorySegment.NULL);
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
            qps.add(id.createQp(device.openPd(), cq, new QpCapabilities(1, 1, 1)));
        }

        /** Lets a request or reply leave that names a queue pair. */
        void say(TrafficKind kind, Machine to, int fromId, int toId, Qp named) {
            SoftCmMessage.Offer offer = new SoftCmMessage.Offer(
                    address(SERVICE),
                    to.address(SERVICE),
                    named.number(),
                    7,
                    0,
                    SoftSettings.DEFAULT.mtu(),
                    ConnectParameters.DEFAULT);
            manager.send(new SoftCmMessage(kind, false, at, to.at, fromId, toId, offer, 0, MemorySegment.NULL));
            time.run(SECOND);
        }

        List<CmEvent.Type> told() {
            return events.stream().map(CmEvent::type).toList();
        }
    }

    private final Machine one = new Machine(0, SoftManager.MAX_IDS);
    private final Machine other = new Machine(1, 3);

    /** Asks for a connection in such a way that the other machine does not hear of it. */
    private SoftCmId askInVain() {
        FabricFaultRule lost = FabricFaultRule.drop(EnumSet.of(TrafficKind.CM_REQUEST), one.at.port(), null);
        fabric.addFault(lost);
        SoftCmId asking = one.ask(other);
        fabric.removeFault(lost);
        assertThat(asking.isAsking()).isTrue();
        return asking;
    }

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

    /** Nothing of an end stays that is closed before it has a peer. */
    @Test
    void endsWithoutAPeerLeaveNothing() {
        for (int round = 0; round < 5; round++) {
            for (int stage = 0; stage < 4; stage++) {
                CmId end = other.create();
                int reached = stage;
                other.loop.call(() -> {
                    if (reached > 0) {
                        end.bind(other.address(SERVICE), false);
                    }
                    if (reached == 2) {
                        end.listen();
                    } else if (reached == 3) {
                        end.resolveAddress(one.address(SERVICE), SECOND);
                    }
                    end.close();
                });
                time.run(SECOND);
            }
        }
        assertThat(other.events).isEmpty();
    }

    /** The peer began anew and forgot the old connection. */
    @Test
    void aQueuePairThatIsKnownIsStale() {
        other.listen();
        one.ask(other);
        assertThat(other.told()).containsExactly(CmEvent.Type.CONNECT_REQUEST, CmEvent.Type.ESTABLISHED);
        SoftCmId asking = askInVain();
        one.say(TrafficKind.CM_REQUEST, other, asking.number(), 0, one.qps.getFirst());
        assertThat(one.events)
                .filteredOn(event -> event.type() == CmEvent.Type.REJECTED)
                .extracting(CmEvent::reason)
                .containsExactly(CmRejectReason.STALE_CONNECTION);
        assertThat(other.qps.getFirst().state()).isEqualTo(Qp.State.ERROR);
        assertThat(other.told()).contains(CmEvent.Type.DISCONNECTED).containsOnlyOnce(CmEvent.Type.CONNECT_REQUEST);
        one.say(TrafficKind.CM_REQUEST, other, NOBODY, 0, one.qps.getFirst());
        assertThat(other.qps).as("once that is over").hasSize(2);
    }

    /** It knows the queue pairs of those that it asked, too. */
    @Test
    void aReplyWithAQueuePairThatIsKnownIsStale() {
        other.listen();
        one.ask(other);
        SoftCmId asking = askInVain();
        other.say(TrafficKind.CM_REPLY, one, NOBODY, asking.number(), other.qps.getFirst());
        assertThat(rejects).containsExactly((long) NOBODY);
        assertThat(one.events)
                .filteredOn(event -> event.type() == CmEvent.Type.REJECTED)
                .extracting(CmEvent::reason)
                .containsExactly(CmRejectReason.STALE_CONNECTION);
        assertThat(one.qps).extracting(Qp::state).containsExactly(Qp.State.ERROR, Qp.State.ERROR);
        assertThat(other.told()).contains(CmEvent.Type.DISCONNECTED);
    }

    /** Its sender would ask in vain otherwise, until it gives up. */
    @Test
    void aReplyThatComesAgainIsTurnedDownAgain() {
        other.listen();
        one.ask(other);
        SoftCmId asking = askInVain();
        for (int time = 1; time <= 2; time++) {
            other.say(TrafficKind.CM_REPLY, one, NOBODY, asking.number(), other.qps.getFirst());
            assertThat(rejects).hasSize(time).containsOnly((long) NOBODY);
        }
    }

    /** The reject was lost, and the program did not close the end of the connection that it turned down. */
    @Test
    void aRequestThatComesAgainIsTurnedDownAgain() {
        other.accepts = false;
        other.listen();
        FabricFaultRule lost = FabricFaultRule.drop(EnumSet.of(TrafficKind.CM_REJECT), other.at.port(), null);
        fabric.addFault(lost);
        one.ask(other);
        fabric.removeFault(lost);
        assertThat(rejects).hasSize(1);
        assertThat(time.runUntil(() -> one.told().contains(CmEvent.Type.REJECTED), 5 * SECOND))
                .isTrue();
        assertThat(one.events.getLast().reason()).isEqualTo(CmRejectReason.CONSUMER_DEFINED);
        assertThat(other.told()).containsExactly(CmEvent.Type.CONNECT_REQUEST);
    }

    /** The fabric may bring a request later than the one that was sent after it. */
    @Test
    void aRequestThatComesLateIsNoSecondRequest() {
        other.listen();
        FabricFaultRule late = new FabricFaultRule(
                EnumSet.of(TrafficKind.CM_REQUEST), one.at.port(), null, 1, FabricFaultRule.Action.DELAY, 100 * SECOND);
        fabric.addFault(late);
        one.ask(other);
        fabric.removeFault(late);
        assertThat(time.runUntil(() -> other.told().contains(CmEvent.Type.ESTABLISHED), 50 * SECOND))
                .isTrue();
        one.loop.call(one.ends.getFirst()::close);
        time.run(SECOND);
        other.loop.call(other.ends.getFirst()::close);
        time.run(100 * SECOND);
        assertThat(other.told()).containsOnlyOnce(CmEvent.Type.CONNECT_REQUEST);
    }

    /** Its sender knows nothing of it and turns the reply down. */
    @Test
    void aRequestWhoseReplyWasTurnedDownIsNoSecondRequest() {
        other.listen();
        one.ask(other);
        Qp unknown = askedInVain();
        for (int time = 1; time <= 2; time++) {
            one.say(TrafficKind.CM_REQUEST, other, NOBODY, 0, unknown);
            assertThat(other.ends).as("time " + time).hasSize(2);
            other.loop.call(other.ends.getLast()::close);
        }
        assertThat(other.events.getLast().type()).isEqualTo(CmEvent.Type.REJECTED);
    }

    /** Returns the queue pair of an end that has asked in vain, and is closed. */
    private Qp askedInVain() {
        SoftCmId asking = askInVain();
        Qp named = one.qps.getLast();
        one.loop.call(asking::close);
        time.run(SECOND);
        return named;
    }

    @Test
    void aRequestWithAStaleQueuePairStaysTurnedDown() {
        other.listen();
        one.ask(other);
        for (int time = 1; time <= 2; time++) {
            one.say(TrafficKind.CM_REQUEST, other, NOBODY, 0, one.qps.getFirst());
            assertThat(rejects).hasSize(time).containsOnly((long) NOBODY);
        }
        assertThat(other.told()).contains(CmEvent.Type.DISCONNECTED).containsOnlyOnce(CmEvent.Type.CONNECT_REQUEST);
    }
}
