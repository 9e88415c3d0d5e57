package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.memory.MemoryModel;

/** Every fault of spec 23 §3.3 and the event that shows it. */
class SoftFaultsTest {
    private static final long SECOND = 1_000_000_000L;

    private final SmallWorld world = SmallWorld.ofThree(7);
    private final VirtualTime time = world.time();

    private Link link() {
        Link link = new Link(world.node(0), world.node(1), SmallWorld.address(1, 987));
        link.open();
        return link;
    }

    private Link established() {
        Link link = link();
        assertThat(time.runUntil(link::isUp, SECOND)).isTrue();
        return link;
    }

    private List<AsyncEvent> listen(int node) {
        List<AsyncEvent> events = new ArrayList<>();
        world.device(node).listen(world.node(node).createEventLoop("ports"), (_, event) -> events.add(event));
        return events;
    }

    @Test
    void aLinkThatIsDownForAMomentDelaysAndLongerBreaks() {
        Link link = established();
        int port = world.port(1).fabricPort();
        List<AsyncEvent> events = listen(1);
        world.fabric().setLink(port, false);
        link.want(5);
        time.run(50_000_000);
        assertThat(link.received()).isZero();
        world.fabric().setLink(port, true);
        assertThat(time.runUntil(() -> link.sent() == 5, SECOND)).as("%s", link).isTrue();
        assertThat(events)
                .containsExactly(
                        AsyncEvent.ofPort(AsyncEvent.Type.PORT_ERROR, 1),
                        AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, 1));
        world.fabric().setLink(port, false);
        link.want(2);
        assertThat(time.runUntil(() -> link.failures().size() == 2, 10 * SECOND))
                .isTrue();
        assertThat(link.failures()).containsExactly(WorkStatus.RETRY_EXCEEDED, WorkStatus.FLUSHED);
        assertThat(link.wrong()).isZero();
    }

    @Test
    void aSlowerLinkIsToldAndTakesLonger() {
        List<AsyncEvent> events = listen(0);
        int port = world.port(0).fabricPort();
        world.fabric().setRate(port, 1, LinkSpeed.SDR);
        time.run(1_000_000);
        assertThat(events).containsExactly(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, 1));
        PortAttributes attributes = world.device(0).port(1);
        assertThat(attributes.lanes()).isEqualTo(1);
        assertThat(attributes.linkRate()).isEqualTo(25_000);
        Link link = established();
        long start = time.now();
        link.want(20);
        assertThat(time.runUntil(() -> link.sent() == 20, SECOND)).isTrue();
        assertThat(time.now() - start)
                .as("20 messages of 256 bytes at 2 Gb/s, ns")
                .isGreaterThan(20 * 256 * 8 / 2);
        assertThat(Objects.requireNonNull(link.senderId().path()).linkRate()).isEqualTo(25_000);
    }

    @Test
    void anAddressIsAskedForAgainEachSecond() {
        int port = world.port(1).fabricPort();
        world.fabric().setLink(port, false);
        Link link = new Link(world.node(0), world.node(1), SmallWorld.address(1, 987), 4 * SECOND);
        link.open();
        time.run(SECOND + SECOND / 5);
        assertThat(link.senderEvents()).isEmpty();
        world.fabric().setLink(port, true);
        assertThat(time.runUntil(link::isUp, SECOND))
                .as("it is asked for after 2 s, not when the 4 s are over")
                .isTrue();
        world.fabric().setLink(world.port(2).fabricPort(), false);
        Link hopeless = new Link(world.node(0), world.node(2), SmallWorld.address(2, 987), 4 * SECOND);
        hopeless.open();
        long start = time.now();
        assertThat(time.runUntil(() -> !hopeless.senderEvents().isEmpty(), 5 * SECOND))
                .isTrue();
        assertThat(hopeless.senderEvents()).containsExactly(CmEvent.Type.ADDRESS_ERROR);
        assertThat(time.now() - start).isEqualTo(4 * SECOND);
    }

    @Test
    void aLostDisconnectIsSentAgainAfterTheConnectionWasClosed() {
        Link link = established();
        FabricFaultRule loss = FabricFaultRule.drop(EnumSet.of(TrafficKind.CM_DISCONNECT), world.port(0), null);
        world.fabric().addFault(loss);
        link.senderLoop().call(link.senderId()::close);
        time.run(SECOND);
        assertThat(link.receiverEvents()).doesNotContain(CmEvent.Type.DISCONNECTED);
        world.fabric().removeFault(loss);
        assertThat(time.runUntil(() -> link.receiverEvents().contains(CmEvent.Type.DISCONNECTED), 10 * SECOND))
                .isTrue();
    }

    @Test
    void aSwitchThatFailsCutsOffWhatIsBehindIt() {
        Link link = established();
        List<AsyncEvent> events = listen(1);
        int sw = world.model().switchOf(world.port(1).fabricPort());
        world.fabric().setSwitch(sw, false);
        link.want(1);
        assertThat(time.runUntil(() -> !link.failures().isEmpty(), 10 * SECOND)).isTrue();
        assertThat(link.failures()).containsExactly(WorkStatus.RETRY_EXCEEDED);
        assertThat(events).containsExactly(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ERROR, 1));
        world.fabric().setSwitch(sw, true);
        time.run(1000);
        assertThat(world.device(1).port(1).isActive()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("sv-023")
    void trafficSurvivesNewTables(Fidelity fidelity) {
        SmallWorld changing = SmallWorld.ofThree(7, fidelity);
        Link link = new Link(changing.node(0), changing.node(1), SmallWorld.address(1, 987));
        link.open();
        assertThat(changing.time().runUntil(link::isUp, SECOND)).isTrue();
        link.want(2000);
        for (int round = 0; round < 10; round++) {
            changing.time().run(20_000);
            int cable = changing.model().portIndex(round % 3, 2);
            changing.fabric().setLink(cable, false);
            changing.time().run(10_000);
            changing.fabric().reroute(SmallWorld.minHop(changing.fabric().present()));
            changing.time().run(20_000);
            changing.fabric().setLink(cable, true);
        }
        assertThat(changing.time().runUntil(() -> link.sent() == 2000, 60 * SECOND))
                .as("%s", link)
                .isTrue();
        assertThat(link.received()).isEqualTo(2000);
        assertThat(link.wrong()).isZero();
    }

    @Test
    void portsAreToldOfOtherServiceLevelsOnly() {
        List<AsyncEvent> events = listen(0);
        Routing same = SmallWorld.minHop(world.fabric().present());
        world.fabric().reroute(same);
        time.run(SECOND);
        assertThat(events).isEmpty();
        world.fabric()
                .reroute(new Routing(
                        same.engine(),
                        same.forwarding(),
                        PathSls.constant(3),
                        same.slToVl(),
                        same.multicast(),
                        List.of()));
        time.run(SECOND);
        assertThat(events).containsExactly(AsyncEvent.ofPort(AsyncEvent.Type.PATHS_CHANGED, 1));
    }

    @Test
    void aCardThatBreaksFlushesEverything() {
        Link link = established();
        List<AsyncEvent> events = listen(0);
        link.want(3);
        world.device(0).fail();
        time.run(SECOND);
        assertThat(link.failures()).isNotEmpty().allMatch(status -> status == WorkStatus.FLUSHED);
        assertThat(events).containsExactly(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_FATAL));
        assertThatThrownBy(() -> world.device(0).openPd()).isInstanceOf(VerbsException.class);
        world.device(0).repair();
        time.run(SECOND);
        assertThat(events).last().isEqualTo(AsyncEvent.ofPort(AsyncEvent.Type.PORT_ACTIVE, 1));
        assertThat(world.device(0).openPd()).isNotNull();
    }

    @Test
    void aCardThatIsTakenAwayIsNotThere() {
        Link link = established();
        world.device(0).remove();
        time.run(SECOND);
        assertThat(world.node(0).devices()).isEmpty();
        assertThat(link.senderEvents()).contains(CmEvent.Type.DEVICE_REMOVED);
    }

    @Test
    void lostAnswersAreAskedForAgain() {
        Link link = established();
        FabricFaultRule rule = FabricFaultRule.drop(EnumSet.of(TrafficKind.ACK), world.port(1), world.port(0));
        world.fabric().addFault(rule);
        link.want(3);
        time.run(100_000);
        assertThat(link.received()).isEqualTo(3);
        assertThat(link.sent()).isZero();
        world.fabric().removeFault(rule);
        assertThat(time.runUntil(() -> link.sent() == 3, SECOND)).isTrue();
        assertThat(link.received()).as("repetitions are not delivered").isEqualTo(3);
    }

    @Test
    void aLongWaitForAnswersKeepsRequestsPosted() {
        SmallWorld patient = new SmallWorld(
                org.railyard.fabric.sample.SampleTorus.torus(3, 1, 1, 1),
                3,
                1,
                SoftSettings.DEFAULT.withAckTimeout(3600 * SECOND),
                FabricTrace.NONE,
                MemoryModel.SCATTERED);
        Link link = new Link(patient.node(0), patient.node(1), SmallWorld.address(1, 987));
        link.open();
        assertThat(patient.time().runUntil(link::isUp, SECOND)).isTrue();
        patient.fabric().addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.ACK), null, null));
        link.want(1);
        patient.time().run(1000 * SECOND);
        assertThat(link.received()).isEqualTo(1);
        assertThat(link.sent()).isZero();
        assertThat(link.failures()).isEmpty();
    }

    @Test
    void haltedSendsStayPosted() {
        Link link = established();
        world.device(0).haltSends(true);
        link.want(4);
        time.run(100 * SECOND);
        assertThat(link.received()).isZero();
        assertThat(link.failures()).isEmpty();
        world.device(0).haltSends(false);
        assertThat(time.runUntil(() -> link.sent() == 4, SECOND)).isTrue();
    }

    @Test
    void aFrozenPeerTakesMessagesAndSaysNothing() {
        Link link = established();
        world.node(1).freeze();
        link.want(10);
        time.run(SECOND);
        assertThat(link.sent()).as("its card goes on").isEqualTo(10);
        assertThat(link.received()).isZero();
        world.node(1).thaw();
        time.run(1_000_000);
        assertThat(link.received()).isEqualTo(10);
    }

    @Test
    void slowCompletionsComeLater() {
        Link link = established();
        world.device(0).delayCompletions(SECOND);
        link.want(1);
        time.run(SECOND / 2);
        assertThat(link.received()).isEqualTo(1);
        assertThat(link.sent()).isZero();
        time.run(SECOND);
        assertThat(link.sent()).isEqualTo(1);
    }

    @Test
    void lostRequestsAreRepeatedAndForcedRejectsAreTold() {
        FabricFaultRule rule = FabricFaultRule.drop(EnumSet.of(TrafficKind.CM_REQUEST), world.port(0), null);
        world.fabric().addFault(rule);
        Link link = link();
        time.run(6 * SECOND);
        assertThat(link.isUp()).isFalse();
        world.fabric().removeFault(rule);
        assertThat(time.runUntil(link::isUp, 10 * SECOND)).isTrue();
        world.fabric()
                .addFault(new FabricFaultRule(
                        EnumSet.of(TrafficKind.CM_REQUEST), null, null, 1, FabricFaultRule.Action.REJECT, 0));
        Link other = new Link(world.node(0), world.node(2), SmallWorld.address(2, 987));
        other.open();
        time.run(SECOND);
        assertThat(other.senderEvents()).last().isEqualTo(CmEvent.Type.REJECTED);
    }

    @Test
    void everyMessageOfTheManagerMayBeLostOrRepeated() {
        for (TrafficKind kind : EnumSet.of(
                TrafficKind.CM_REPLY, TrafficKind.CM_READY, TrafficKind.CM_REQUEST, TrafficKind.CM_DISCONNECT)) {
            SmallWorld fresh = SmallWorld.ofThree(3);
            FabricFaultRule twice =
                    new FabricFaultRule(EnumSet.of(kind), null, null, 1, FabricFaultRule.Action.DUPLICATE, 0);
            fresh.fabric().addFault(twice);
            FabricFaultRule lost = FabricFaultRule.drop(EnumSet.of(kind), null, null);
            fresh.fabric().addFault(lost);
            fresh.time().at(SECOND, () -> fresh.fabric().removeFault(lost));
            Link link = new Link(fresh.node(0), fresh.node(1), SmallWorld.address(1, 987));
            link.open();
            assertThat(fresh.time().runUntil(link::isUp, 20 * SECOND))
                    .as("with lost %s", kind)
                    .isTrue();
            link.want(10);
            assertThat(fresh.time().runUntil(() -> link.received() == 10, SECOND))
                    .isTrue();
            link.senderLoop().execute(() -> link.senderId().disconnect());
            assertThat(fresh.time()
                            .runUntil(() -> link.senderEvents().contains(CmEvent.Type.DISCONNECTED), 20 * SECOND))
                    .isTrue();
        }
    }

    @Test
    void makingThingsFailsAsOftenAsAsked() {
        EventLoop loop = world.node(0).createEventLoop("making");
        world.device(0).failNextCqs(1);
        world.device(0).failNextRegistrations(1);
        assertThatThrownBy(() -> world.device(0).createCq(10, loop, _ -> {}))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM));
        assertThat(world.device(0).createCq(10, loop, _ -> {}).entries()).isEqualTo(10);
        assertThatThrownBy(() -> world.device(0).openPd().allocateFastRegion(4, false))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM));
        world.device(0).failNextQps(1);
        Link link = link();
        assertThatThrownBy(() -> time.run(SECOND))
                .as("the link does not expect it")
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM));
        assertThat(link.isUp()).isFalse();
    }
}
