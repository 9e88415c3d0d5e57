package org.railyard.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.RandomStreams;
import org.railyard.lab.engine.SimHost;
import org.railyard.lab.net.TestStack.Completion;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** When a connection breaks, each message on it ends once, with a status that tells where it was (spec 10 §22). */
class BreakingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Net FABRIC = Net.of(NetType.O2IB, 0);

    private final EventQueue queue = new EventQueue();
    private final List<String> wire = new ArrayList<>();
    private final SimNetwork network =
            new SimNetwork(queue, new RandomStreams(3).of("network", 0), new WireLog(wire), new ArrayList<>());
    private final Rail rail = network.addRail("blue", new RailSettings(10_000, 0, 8_000_000_000L, 0, 0), false);
    private final Rail island = network.addRail("island", RailSettings.DEFAULT, true);
    private final SimMachine one = network.addMachine("one");
    private final SimMachine two = network.addMachine("two");
    private final SimDevice oneDevice = network.addDevice(one, "eth0", rail, 0x0a010001);
    private final SimDevice twoDevice = network.addDevice(two, "eth0", rail, 0x0a010002);
    private final TestStack oneStack = new TestStack();
    private final TestStack twoStack = new TestStack();
    private final Lnd lnd = start(one, oneStack, FABRIC);
    private final Lnd other = start(two, twoStack, FABRIC);
    private final Nid target = Nid.of(FABRIC, twoDevice.address());

    private Lnd start(SimMachine machine, TestStack stack, Net net) {
        network.power(machine);
        Lnd made = SimLnd.provider(network, machine, net.type().orElseThrow())
                .create(stack, new SimHost(queue, new RandomStreams(1).of("host", 0), 0, 0));
        stack.use(made, Nid.of(net, machine.devices().getFirst().address()));
        return made;
    }

    @AfterEach
    void everyMessageEndedOnce() {
        lnd.close();
        other.close();
        assertThat(oneStack.open()).isZero();
        assertThat(twoStack.open()).isZero();
    }

    private void pass(long nanos) {
        long until = queue.now() + nanos;
        boolean more = true;
        while (more) {
            more = queue.runNext(until);
        }
    }

    @Test
    void aMessageTakesLatencyAndTheTimeOfItsBytes() {
        oneStack.send(target, 1_000_000 - 72, SECOND);
        pass(2 * 10_000 + 2 * 60);
        long sent = queue.now();
        pass(1_000_000 + 10_000 - 1);
        assertThat(twoStack.arrived()).isZero();
        pass(1);
        assertThat(twoStack.arrived()).isEqualTo(1);
        assertThat(queue.now() - sent).isEqualTo(1_010_000);
    }

    @Test
    void aMessageThatNeverLeftIsALocalTimeout() {
        twoDevice.plug(false);
        oneStack.send(target, 100, 5 * SECOND);
        pass(6 * SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ETIMEDOUT.status(), HealthStatus.LOCAL_TIMEOUT));
        assertThat(oneStack.dead()).containsExactly(target);
    }

    @Test
    void aMessageThatLeftAndNeverArrivedIsANetworkTimeout() {
        connect();
        twoDevice.plug(false);
        oneStack.send(target, 100, 5 * SECOND);
        pass(6 * SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT));
    }

    @Test
    void aMessageThatArrivedAndWasNotTakenIsARemoteTimeout() {
        connect();
        twoStack.answerLate();
        oneStack.send(target, 100, 5 * SECOND);
        pass(6 * SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ETIMEDOUT.status(), HealthStatus.REMOTE_TIMEOUT));
    }

    @Test
    @Requirement("rsl-058")
    void everyMessageOfABrokenConnectionEndsByWhereItWas() {
        connect();
        twoDevice.plug(false);
        // The window takes the first five; the rest waits.
        for (int i = 0; i < 8; i++) {
            oneStack.send(target, 1 << 20, (5 + i) * SECOND);
        }
        pass(6 * SECOND);
        assertThat(oneStack.completions()).hasSize(8);
        assertThat(oneStack.completions().subList(0, 4))
                .allMatch(each -> each.health() == HealthStatus.NETWORK_TIMEOUT);
        assertThat(oneStack.completions().subList(4, 8)).allMatch(each -> each.health() == HealthStatus.LOCAL_TIMEOUT);
    }

    @Test
    void aRefusalSaysThatNothingArrived() {
        network.kill(two, true);
        oneStack.send(target, 100, 5 * SECOND);
        pass(SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ECONNREFUSED.status(), HealthStatus.REMOTE_DROPPED));
    }

    @Test
    void aResetLeavesOpenWhatHappenedToWhatWasSent() {
        connect();
        twoStack.answerLate();
        oneStack.send(target, 100, 50 * SECOND);
        pass(SECOND / 10);
        network.kill(two, true);
        pass(SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ECONNRESET.status(), HealthStatus.REMOTE_ERROR));
    }

    @Test
    void anAddressThatNobodyHasIsUnreachable() {
        oneStack.send(Nid.of(FABRIC, 0x0a01ffff), 100, 50 * SECOND);
        pass(4 * SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED));
    }

    @Test
    void anIsolatedRailHasNoRoute() {
        SimDevice far = network.addDevice(network.addMachine("far"), "eth0", island, 0x0a020001);
        oneStack.send(Nid.of(FABRIC, far.address()), 100, 50 * SECOND);
        pass(SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ENETUNREACH.status(), HealthStatus.LOCAL_NO_ROUTE));
    }

    @Test
    void aLinkThatGoesDownIsReportedAndBreaksConnections() {
        connect();
        twoStack.answerLate();
        oneStack.send(target, 100, 50 * SECOND);
        pass(SECOND / 10);
        oneDevice.link(false);
        oneStack.send(target, 100, 50 * SECOND);
        pass(SECOND);
        assertThat(oneStack.devices()).containsExactly(DeviceEvent.FATAL);
        // The first one may have arrived: it must not be sent again.
        assertThat(oneStack.completions())
                .containsExactly(
                        new Completion(Errno.ENETDOWN.status(), HealthStatus.LOCAL_ERROR),
                        new Completion(Errno.ENETUNREACH.status(), HealthStatus.LOCAL_NO_ROUTE));
        oneDevice.link(true);
        assertThat(oneStack.devices()).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
    }

    @Test
    void aMachineWithoutPowerSaysNothing() {
        network.kill(two, false);
        oneStack.send(target, 100, 5 * SECOND);
        pass(4 * SECOND);
        assertThat(oneStack.completions()).isEmpty();
        pass(2 * SECOND);
        assertThat(oneStack.completions())
                .containsExactly(new Completion(Errno.ETIMEDOUT.status(), HealthStatus.LOCAL_TIMEOUT));
    }

    @Test
    void aSilentCableIsForgivenWhenItIsBackInTime() {
        connect();
        twoDevice.plug(false);
        for (int i = 0; i < 20; i++) {
            oneStack.send(target, 100 + i, 50 * SECOND);
        }
        pass(3 * SECOND);
        twoDevice.plug(true);
        pass(5 * SECOND);
        assertThat(oneStack.completions()).hasSize(20).allMatch(each -> each.status() == 0);
        assertThat(twoStack.sizes()).hasSize(20).isSorted();
    }

    @Test
    void lossRepetitionAndOvertakingAreHidden() {
        rail.change(new RailSettings(10_000, 3_000_000, 0, 0.1, 0.2));
        for (int i = 0; i < 500; i++) {
            oneStack.send(target, i, 50 * SECOND);
            pass(100_000);
        }
        pass(40 * SECOND);
        assertThat(oneStack.completions()).hasSize(500).allMatch(each -> each.status() == 0);
        assertThat(twoStack.sizes()).hasSize(500).isSorted();
        assertThat(wire).contains("lost", "duplicate");
    }

    @Test
    void aOneWayWallLetsTheOtherDirectionPass() {
        connect();
        twoStack.send(Nid.of(FABRIC, oneDevice.address()), 8, SECOND);
        pass(SECOND);
        network.block((from, to) -> from == oneDevice);
        oneStack.send(target, 100, 5 * SECOND);
        twoStack.send(Nid.of(FABRIC, oneDevice.address()), 100, 5 * SECOND);
        pass(SECOND);
        assertThat(oneStack.sizes()).containsExactly(8, 100);
        assertThat(twoStack.arrived()).isZero();
        assertThat(oneStack.completions()).isEmpty();
        pass(5 * SECOND);
        assertThat(oneStack.completions().getFirst().health()).isEqualTo(HealthStatus.NETWORK_TIMEOUT);
    }

    @Test
    void aSocketIsDoneWithASmallMessageAtOnceAndWithALargeOneWhenItIsAcknowledged() {
        TestStack third = new TestStack();
        SimMachine machine = network.addMachine("three");
        network.addDevice(machine, "eth0", rail, 0x0a010003);
        Lnd socket = start(machine, third, Net.TCP);
        TestStack fourth = new TestStack();
        SimMachine far = network.addMachine("four");
        SimDevice farDevice = network.addDevice(far, "eth0", rail, 0x0a010004);
        Lnd farSocket = start(far, fourth, Net.TCP);
        Nid farNid = Nid.of(Net.TCP, farDevice.address());
        third.send(farNid, 10, 50 * SECOND);
        pass(SECOND);
        third.clear();
        fourth.answerLate();
        third.send(farNid, 10, 50 * SECOND);
        third.send(farNid, 20_000, 50 * SECOND);
        assertThat(third.completions()).hasSize(1);
        pass(SECOND);
        assertThat(third.completions()).hasSize(1);
        fourth.answerAll();
        pass(SECOND);
        assertThat(third.completions()).hasSize(2);
        socket.close();
        farSocket.close();
    }

    /** Sends one message through, so that there is a connection. */
    private void connect() {
        oneStack.send(target, 8, SECOND);
        pass(SECOND);
        assertThat(oneStack.completions()).hasSize(1);
        oneStack.clear();
        twoStack.clear();
    }
}
