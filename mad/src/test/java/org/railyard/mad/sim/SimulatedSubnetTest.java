package org.railyard.mad.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.text.MadText;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.DirectedRoute;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/** Agents, ways, traps and faults of a simulated subnet. */
final class SimulatedSubnetTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int KEY = 0x1234;

    private final Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
    private final SimulatedSubnet subnet =
            new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
    private final int host = fabric.switchCount();
    private final SimulatedPort port = subnet.attach(fabric.portIndex(host, 1));
    private final List<Mad> unsolicited = new ArrayList<>();
    private final MadRequests requests =
            new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> unsolicited.add(mad));
    private final DirectedPath toSwitch = DirectedPath.of(1);

    private RequestOutcome ask(Mad mad, MadAddress to) {
        List<RequestOutcome> outcomes = new ArrayList<>();
        requests.submit(mad, to, outcomes::add);
        assertThat(subnet.loop().runUntil(() -> !outcomes.isEmpty(), 60 * SECOND))
                .isTrue();
        return outcomes.getFirst();
    }

    private Mad answer(Mad mad) {
        return ((RequestOutcome.Answered) ask(mad, MadAddress.DIRECTED)).mad();
    }

    private <T extends BitStruct<T>> T get(AttributeType<T> type, int modifier, DirectedPath path) {
        Mad answer = answer(Mad.directed(MadMethod.GET, type, modifier, path));
        assertThat(answer.status()).isZero();
        return answer.data(type);
    }

    private <T extends BitStruct<T>> int set(T value, AttributeType<T> type, int modifier, DirectedPath path) {
        return answer(Mad.directed(MadMethod.SET, type, modifier, path).setData(type, value))
                .status();
    }

    /** Gives our port LID 1, the first switch LID 2, and a way between them. */
    private void makeLids() {
        PortInfo own = get(PortInfo.TYPE, 1, DirectedPath.OWN_NODE).toSet();
        set(own.set(PortInfo.LID, 1).set(PortInfo.MASTER_SM_LID, 1), PortInfo.TYPE, 1, DirectedPath.OWN_NODE);
        PortInfo port0 = get(PortInfo.TYPE, 0, toSwitch).toSet();
        set(port0.set(PortInfo.LID, 2).set(PortInfo.MASTER_SM_LID, 1), PortInfo.TYPE, 0, toSwitch);
        int up = fabric.portNumber(fabric.cable(fabric.portIndex(host, 1)));
        LinearForwardingTable lft = LinearForwardingTable.TYPE.create();
        lft.set(LinearForwardingTable.PORTS, 1, up);
        set(lft, LinearForwardingTable.TYPE, 0, toSwitch);
        SwitchInfo info = get(SwitchInfo.TYPE, 0, toSwitch);
        set(info.set(SwitchInfo.LINEAR_TOP, 2).set(SwitchInfo.STATE_CHANGE, 1), SwitchInfo.TYPE, 0, toSwitch);
    }

    private int firstSwitch() {
        return fabric.nodeOf(fabric.cable(fabric.portIndex(host, 1)));
    }

    private List<Integer> traps() {
        return unsolicited.stream()
                .filter(mad -> mad.is(MadMethod.TRAP, false))
                .map(mad -> mad.data(Notice.TYPE).getInt(Notice.TRAP_NUMBER))
                .toList();
    }

    @Test
    void theSameCallsGiveTheSameRun() {
        assertThat(noisyRun(7)).isEqualTo(noisyRun(7)).isNotEqualTo(noisyRun(8));
    }

    private static List<String> noisyRun(long seed) {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        SimulatedSubnet subnet = new SimulatedSubnet(
                fabric, new SimulationSettings(500, 5_000, 10_000, 64, SECOND), new SplittableRandom(seed));
        subnet.loss(0.3);
        subnet.duplication(0.2);
        List<String> log = new ArrayList<>();
        SimulatedPort port = subnet.attach(fabric.portIndex(fabric.switchCount(), 1));
        MadRequests requests = new MadRequests(port, RequestSettings.DEFAULT, (mad, from) -> {});
        for (int i = 0; i < 50; i++) {
            Mad mad = Mad.directed(MadMethod.GET, NodeDescription.TYPE, 0, DirectedPath.of(1, i % 4 + 1));
            requests.submit(
                    mad,
                    MadAddress.DIRECTED,
                    outcome -> log.add(subnet.loop().nanoTime() + " "
                            + (outcome instanceof RequestOutcome.Answered answered
                                    ? answered.attempts() + MadText.line(answered.mad())
                                    : outcome.toString())));
        }
        assertThat(subnet.loop().runUntil(() -> log.size() == 50, 100 * SECOND)).isTrue();
        return log;
    }

    @Test
    void aTrapComesAgainUntilItIsRepressed() {
        makeLids();
        subnet.unlink(fabric.portIndex(firstSwitch(), 2));
        subnet.loop().runFor(3 * SECOND + SECOND / 2);
        assertThat(traps()).containsExactly(128, 128, 128, 128);
        Mad trap = unsolicited.getLast();
        assertThat(trap.data(Notice.TYPE).details().getInt(TrapDetails.SWITCH_LID))
                .isEqualTo(2);
        requests.answer(trap.trapRepress(), MadAddress.smp(2));
        subnet.loop().runFor(5 * SECOND);
        assertThat(traps()).hasSize(4);
    }

    @Test
    void anSmAndANameAreToldByTrap144() {
        makeLids();
        port.markSm(true);
        subnet.loop().runFor(SECOND / 2);
        assertThat(traps()).containsExactly(144);
        assertThat(unsolicited.getFirst().data(Notice.TYPE).details().getInt(TrapDetails.CAPABILITY_MASK)
                        & PortInfo.CAP_IS_SM)
                .isNotZero();
        subnet.rename(firstSwitch(), "new name");
        subnet.loop().runFor(SECOND / 2);
        assertThat(unsolicited.getLast().data(Notice.TYPE).details().getInt(TrapDetails.CHANGE_FLAGS))
                .isEqualTo(TrapDetails.CHANGED_DESCRIPTION);
        assertThat(get(NodeDescription.TYPE, 0, toSwitch).text()).isEqualTo("new name");
    }

    @Test
    void whoeverBabblesCanNotBeRepressedAndStopsWhenTold() {
        makeLids();
        subnet.babble(firstSwitch(), Notice.LINK_INTEGRITY, SECOND / 100);
        for (int i = 0; i < 20; i++) {
            subnet.loop().runFor(SECOND / 100);
            unsolicited.forEach(trap -> requests.answer(trap.trapRepress(), MadAddress.smp(2)));
        }
        assertThat(traps().size()).isGreaterThanOrEqualTo(20);
        subnet.babble(firstSwitch(), Notice.LINK_INTEGRITY, 0);
        subnet.loop().runFor(SECOND / 2);
        int before = traps().size();
        unsolicited.forEach(trap -> requests.answer(trap.trapRepress(), MadAddress.smp(2)));
        subnet.loop().runFor(10 * SECOND);
        assertThat(traps().size()).isEqualTo(before);
    }

    @Test
    void aWrongKeyGetsSilenceAndATrapAndTheLeaseEnds() {
        makeLids();
        PortInfo guarded = get(PortInfo.TYPE, 0, toSwitch).toSet();
        guarded.set(PortInfo.M_KEY, KEY).set(PortInfo.M_KEY_PROTECT, 1).set(PortInfo.M_KEY_LEASE, 30);
        assertThat(set(guarded, PortInfo.TYPE, 0, toSwitch)).isZero();
        assertThat(get(PortInfo.TYPE, 0, toSwitch).get(PortInfo.M_KEY))
                .as("hidden")
                .isZero();
        Mad set = Mad.directed(MadMethod.SET, PortInfo.TYPE, 0, toSwitch).setData(PortInfo.TYPE, guarded);
        assertThat(ask(set.copy(), MadAddress.DIRECTED)).isInstanceOf(RequestOutcome.Unanswered.class);
        assertThat(traps()).contains(256);
        Mad withKey = set.copy();
        withKey.directedRoute().set(DirectedRoute.M_KEY, KEY);
        assertThat(answer(withKey).status()).isZero();
        subnet.loop().runFor(31 * SECOND);
        assertThat(ask(set.copy(), MadAddress.DIRECTED))
                .as("who has the key was there")
                .isInstanceOf(RequestOutcome.Unanswered.class);
        subnet.loop().runFor(31 * SECOND);
        assertThat(answer(set.copy()).status()).as("the lease is over").isZero();
    }

    @Test
    void aPowerCycleLeavesNothingOfWhatWasWritten() {
        makeLids();
        int node = firstSwitch();
        assertThat(subnet.node(node).forward(1)).isNotEqualTo(LinearForwardingTable.NO_PATH);
        subnet.powerOff(node);
        assertThat(ask(Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, toSwitch), MadAddress.DIRECTED))
                .isInstanceOf(RequestOutcome.Unanswered.class);
        subnet.powerOn(node);
        assertThat(get(PortInfo.TYPE, 0, toSwitch).getInt(PortInfo.LID)).isZero();
        assertThat(subnet.node(node).forward(1)).isEqualTo(LinearForwardingTable.NO_PATH);
        assertThat(get(PortInfo.TYPE, 1, DirectedPath.OWN_NODE).state()).isEqualTo(PortState.INIT);
    }

    @Test
    void valuesThatNobodyMayWriteAreRefusedAndChangeNothing() {
        makeLids();
        PortInfo before = PortInfo.TYPE.copy(get(PortInfo.TYPE, 2, toSwitch));
        PortInfo vls = before.toSet().set(PortInfo.OPERATIONAL_VLS, 5);
        assertThat(set(vls, PortInfo.TYPE, 2, toSwitch)).isEqualTo(MadStatus.BAD_VALUE);
        PortInfo mtu = before.toSet().set(PortInfo.NEIGHBOR_MTU, 9);
        assertThat(set(mtu, PortInfo.TYPE, 2, toSwitch)).isEqualTo(MadStatus.BAD_VALUE);
        PortInfo lid = get(PortInfo.TYPE, 0, toSwitch).toSet().set(PortInfo.LID, 0xC001);
        assertThat(set(lid, PortInfo.TYPE, 0, toSwitch)).isEqualTo(MadStatus.BAD_VALUE);
        assertThat(answer(Mad.directed(MadMethod.GET, PortInfo.TYPE, 200, toSwitch))
                        .status())
                .isEqualTo(MadStatus.BAD_VALUE);
        assertThat(answer(Mad.directed(MadMethod.GET, SwitchInfo.TYPE, 0, DirectedPath.OWN_NODE))
                        .status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(answer(Mad.directed(MadMethod.GET, SaPathRecord.TYPE, 0, toSwitch))
                        .status())
                .isEqualTo(MadStatus.BAD_ATTRIBUTE);
        assertThat(get(PortInfo.TYPE, 2, toSwitch).differences(before)).isEmpty();
    }

    @Test
    void extendedSpeedsAreSetByThoseWhoTellThatTheyKnowThem() {
        FabricBuilder builder = new FabricBuilder();
        FabricBuilder.NodeBuilder one = builder.node(NodeType.CA, 0x10, 1, "one");
        FabricBuilder.NodeBuilder two = builder.node(NodeType.CA, 0x20, 1, "two");
        builder.connect(one, 1, two, 1);
        one.port(1).link(4, LinkSpeed.EDR);
        two.port(1).link(4, LinkSpeed.EDR);
        Fabric ends = builder.build();
        SimulatedSubnet cable = new SimulatedSubnet(ends, SimulationSettings.DEFAULT, new SplittableRandom(1));
        SimulatedPort from = cable.attach(ends.portIndex(0, 1));
        MadRequests asker = new MadRequests(from, RequestSettings.DEFAULT, (mad, sender) -> {});
        PortInfo fdrOnly = cable.node(1).portInfo(1).toSet().set(PortInfo.SPEED_EXT_ENABLED, 1);
        assertThat(cable.node(1).portInfo(1).getInt(PortInfo.SPEED_EXT_ENABLED)).isEqualTo(3);
        for (int modifier : new int[] {1, 1 | Modifiers.EXTENDED_SPEEDS}) {
            List<RequestOutcome> outcomes = new ArrayList<>();
            Mad set = Mad.directed(MadMethod.SET, PortInfo.TYPE, modifier, DirectedPath.of(1));
            asker.submit(set.setData(PortInfo.TYPE, fdrOnly), MadAddress.DIRECTED, outcomes::add);
            assertThat(cable.loop().runUntil(() -> !outcomes.isEmpty(), 60 * SECOND))
                    .isTrue();
            assertThat(cable.node(1).portInfo(1).getInt(PortInfo.SPEED_EXT_ENABLED))
                    .isEqualTo(modifier == 1 ? 3 : 1);
        }
    }

    @Test
    void anSmAtAnotherPortIsAskedForItsInfoAndNobodyElseHasOne() {
        int other = fabric.portIndex(host + 1, 1);
        DirectedPath path = pathTo(host + 1);
        Mad get = Mad.directed(MadMethod.GET, SmInfo.TYPE, 0, path);
        assertThat(answer(get.copy()).status()).isEqualTo(MadStatus.BAD_ATTRIBUTE);
        SimulatedPort second = subnet.attach(other);
        MadRequests[] sm = new MadRequests[1];
        sm[0] = new MadRequests(second, RequestSettings.DEFAULT, (mad, from) -> {
            Mad answer = mad.answer(MadStatus.OK, 0);
            answer.data(SmInfo.TYPE)
                    .set(SmInfo.PRIORITY, 9)
                    .set(SmInfo.GUID, second.port().portGuid());
            sm[0].answer(answer, from.forAnswer(mad.mgmtClass()));
        });
        SmInfo info = get(SmInfo.TYPE, 0, path);
        assertThat(info.getInt(SmInfo.PRIORITY)).isEqualTo(9);
        assertThat(info.get(SmInfo.GUID)).isEqualTo(fabric.portGuid(other));
        assertThatThrownBy(() -> subnet.attach(other)).isInstanceOf(ErrnoException.class);
    }

    private DirectedPath pathTo(int node) {
        int from = firstSwitch();
        int to = fabric.nodeOf(fabric.cable(fabric.portIndex(node, 1)));
        for (int out = 1; out <= fabric.ports(from); out++) {
            int cable = fabric.cable(fabric.portIndex(from, out));
            if (cable != Fabric.NONE && fabric.nodeOf(cable) == to) {
                return DirectedPath.of(1, out, fabric.portNumber(fabric.cable(fabric.portIndex(node, 1))));
            }
        }
        throw new AssertionError("no neighbours");
    }

    @Test
    void anAgentThatIsAskedTooMuchDropsAndThatIsCounted() {
        for (int i = 0; i < 200; i++) {
            port.send(Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, toSwitch), MadAddress.DIRECTED, 0);
        }
        subnet.loop().runFor(SECOND);
        assertThat(subnet.overrun()).isEqualTo(200 - SimulationSettings.DEFAULT.agentQueue());
    }

    @Test
    void answersCanBeTamperedWith() {
        subnet.tamper(firstSwitch(), mad -> {
            mad.data(NodeInfo.TYPE).set(NodeInfo.NUM_PORTS, 255);
            return mad;
        });
        assertThat(get(NodeInfo.TYPE, 0, toSwitch).getInt(NodeInfo.NUM_PORTS)).isEqualTo(255);
        subnet.tamper(firstSwitch(), null);
        assertThat(get(NodeInfo.TYPE, 0, toSwitch).getInt(NodeInfo.NUM_PORTS)).isEqualTo(fabric.ports(firstSwitch()));
    }

    @Test
    void aPortThatIsSwitchedOffStaysDownUntilItIsSwitchedOn() {
        PortInfo off = get(PortInfo.TYPE, 2, toSwitch).toSet();
        set(off.set(PortInfo.PHYSICAL_STATE, PortInfo.PHYSICAL_DISABLED), PortInfo.TYPE, 2, toSwitch);
        PortInfo now = get(PortInfo.TYPE, 2, toSwitch);
        assertThat(now.state()).isEqualTo(PortState.DOWN);
        assertThat(now.getInt(PortInfo.PHYSICAL_STATE)).isEqualTo(PortInfo.PHYSICAL_DISABLED);
        int index = fabric.portIndex(firstSwitch(), 2);
        assertThat(subnet.isUp(index) || subnet.isUp(fabric.cable(index))).isFalse();
        PortInfo on = now.toSet().set(PortInfo.PHYSICAL_STATE, PortInfo.PHYSICAL_POLLING);
        set(on, PortInfo.TYPE, 2, toSwitch);
        assertThat(get(PortInfo.TYPE, 2, toSwitch).state()).isEqualTo(PortState.INIT);
    }
}
