package org.railyard.mad.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SlToVlTable;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/**
 * What every transport has to do, with the agents of a fabric at its other end. The fabric keeps what earlier tests
 * wrote into it.
 */
public abstract class MadTransportSuite {
    private static final RequestSettings QUICK = RequestSettings.DEFAULT.withTimeout(200_000_000L, 2);
    private static final int OWN_LID = 1;
    private static final int SWITCH_LID = 9;
    private static final int ATTEMPTS = 10_000;

    private MadFixture fixture;
    private Asker asker;

    /** For subclasses. */
    protected MadTransportSuite() {}

    /** Returns a subnet with a transport. */
    protected abstract MadFixture open();

    @BeforeEach
    void openFixture() {
        fixture = open();
        asker = new Asker(fixture, QUICK);
    }

    @AfterEach
    void closeFixture() {
        asker.close();
        fixture.close();
    }

    private Fabric fabric() {
        return fixture.fabric();
    }

    /** The node that the transport stands at. */
    private int own() {
        return fabric().switchCount();
    }

    private int ownPort() {
        return fabric().portIndex(own(), 1);
    }

    private int firstSwitch() {
        return fabric().nodeOf(fabric().cable(ownPort()));
    }

    @Test
    void theOwnNodeIsAtTheEndOfTheEmptyPath() {
        NodeInfo info = asker.get(NodeInfo.TYPE, 0, DirectedPath.OWN_NODE);
        assertThat(info.get(NodeInfo.NODE_GUID)).isEqualTo(fabric().guid(own()));
        assertThat(info.get(NodeInfo.PORT_GUID))
                .isEqualTo(fixture.transport().port().portGuid());
        assertThat(info.getInt(NodeInfo.NODE_TYPE)).isEqualTo(NodeInfo.CA);
        assertThat(info.getInt(NodeInfo.LOCAL_PORT)).isEqualTo(1);
    }

    @Test
    void allNodesAreFoundByDirectedRoutes() {
        Map<Long, DirectedPath> found = new TreeMap<>();
        Deque<DirectedPath> toAsk = new ArrayDeque<>(List.of(DirectedPath.OWN_NODE));
        while (!toAsk.isEmpty()) {
            DirectedPath path = toAsk.removeFirst();
            NodeInfo info = asker.get(NodeInfo.TYPE, 0, path);
            if (found.putIfAbsent(info.get(NodeInfo.NODE_GUID), path) != null) {
                continue;
            }
            int node = fabric().nodeOfGuid(info.get(NodeInfo.NODE_GUID));
            assertThat(info.isSwitch()).isEqualTo(fabric().isSwitch(node));
            assertThat(asker.get(NodeDescription.TYPE, 0, path).text()).isEqualTo(fabric().description(node));
            int ports = path.hops() == 0 || info.isSwitch() ? info.getInt(NodeInfo.NUM_PORTS) : 0;
            for (int port = 1; port <= ports; port++) {
                PortInfo portInfo = asker.get(PortInfo.TYPE, Modifiers.port(port), path);
                if (portInfo.getInt(PortInfo.PHYSICAL_STATE) == PortInfo.PHYSICAL_LINK_UP) {
                    toAsk.addLast(path.then(port));
                }
            }
        }
        assertThat(found).hasSize(fabric().nodeCount());
    }

    @Test
    void tablesAreReadAsTheyWereWritten() {
        DirectedPath path = DirectedPath.of(1);
        LinearForwardingTable lft = LinearForwardingTable.TYPE.create();
        SlToVlTable slToVl = SlToVlTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            lft.set(LinearForwardingTable.PORTS, i, i % 5 + 1);
            slToVl.set(SlToVlTable.VLS, i % 16, i % 7);
        }
        assertThat(asker.set(LinearForwardingTable.TYPE, Modifiers.block(1), path, lft))
                .isZero();
        assertThat(asker.get(LinearForwardingTable.TYPE, Modifiers.block(1), path)
                        .differences(lft))
                .isEmpty();
        assertThat(asker.set(SlToVlTable.TYPE, Modifiers.slToVl(1, 2), path, slToVl))
                .isZero();
        assertThat(asker.get(SlToVlTable.TYPE, Modifiers.slToVl(1, 2), path).differences(slToVl))
                .isEmpty();
        VlArbitrationTable arbitration = VlArbitrationTable.TYPE
                .create()
                .set(VlArbitrationTable.VLS, 0, 1)
                .set(VlArbitrationTable.WEIGHTS, 0, 4);
        int low = Modifiers.vlArbitration(Modifiers.LOW_FIRST, 1);
        assertThat(asker.set(VlArbitrationTable.TYPE, low, path, arbitration)).isZero();
        assertThat(asker.get(VlArbitrationTable.TYPE, low, path).differences(arbitration))
                .isEmpty();
        PKeyTable keys = PKeyTable.TYPE
                .create()
                .set(PKeyTable.KEYS, 0, PKeyTable.DEFAULT_KEY)
                .set(PKeyTable.KEYS, 1, 0x8010);
        int ownKeys = Modifiers.pKeys(0, 0);
        assertThat(asker.set(PKeyTable.TYPE, ownKeys, DirectedPath.OWN_NODE, keys))
                .isZero();
        assertThat(asker.get(PKeyTable.TYPE, ownKeys, DirectedPath.OWN_NODE).differences(keys))
                .isEmpty();
        MulticastForwardingTable mft =
                MulticastForwardingTable.TYPE.create().set(MulticastForwardingTable.MASKS, 3, 0b110);
        int multicast = Modifiers.multicast(0, 0);
        assertThat(asker.set(MulticastForwardingTable.TYPE, multicast, path, mft))
                .isZero();
        assertThat(asker.get(MulticastForwardingTable.TYPE, multicast, path).differences(mft))
                .isEmpty();
    }

    @Test
    void aLinkComesUpStepByStep() {
        DirectedPath path = DirectedPath.of(1);
        int neighbour = neighbourPort();
        bringDown(path, neighbour);
        assertThat(state(path, neighbour)).isEqualTo(PortState.INIT);
        assertThat(setState(path, neighbour, PortState.ACTIVE)).isEqualTo(MadStatus.BAD_VALUE);
        assertThat(state(path, neighbour)).isEqualTo(PortState.INIT);
        DirectedPath far = path.then(neighbour);
        int farPort = asker.get(NodeInfo.TYPE, 0, far).getInt(NodeInfo.LOCAL_PORT);
        assertThat(setState(path, neighbour, PortState.ARMED)).isZero();
        assertThat(setState(far, farPort, PortState.ARMED)).isZero();
        assertThat(setState(path, neighbour, PortState.ACTIVE)).isZero();
        assertThat(setState(far, farPort, PortState.ACTIVE)).isZero();
        assertThat(state(path, neighbour)).isEqualTo(PortState.ACTIVE);
        assertThat(state(far, farPort)).isEqualTo(PortState.ACTIVE);
    }

    /** A port of the first switch that leads to another switch. */
    private int neighbourPort() {
        int node = firstSwitch();
        for (int port = 1; port <= fabric().ports(node); port++) {
            int cable = fabric().cable(fabric().portIndex(node, port));
            if (cable != Fabric.NONE && fabric().isSwitch(fabric().nodeOf(cable))) {
                return port;
            }
        }
        throw new AssertionError("no neighbour");
    }

    private PortState state(DirectedPath path, int port) {
        return asker.get(PortInfo.TYPE, Modifiers.port(port), path).state();
    }

    private int setState(DirectedPath path, int port, PortState state) {
        PortInfo info = asker.get(PortInfo.TYPE, Modifiers.port(port), path).toSet();
        info.set(PortInfo.STATE, state.code());
        return asker.set(PortInfo.TYPE, Modifiers.port(port), path, info);
    }

    private void bringDown(DirectedPath path, int port) {
        if (state(path, port) != PortState.INIT) {
            assertThat(setState(path, port, PortState.DOWN)).isZero();
        }
    }

    /** Arms both ends before either becomes active. */
    private void bringUp(DirectedPath path, int port, DirectedPath far, int farPort) {
        step(path, port, PortState.INIT, PortState.ARMED);
        step(far, farPort, PortState.INIT, PortState.ARMED);
        step(path, port, PortState.ARMED, PortState.ACTIVE);
        step(far, farPort, PortState.ARMED, PortState.ACTIVE);
    }

    private void step(DirectedPath path, int port, PortState from, PortState to) {
        if (state(path, port) == from) {
            assertThat(setState(path, port, to)).isZero();
        }
    }

    /** A command to a fabric may take effect after what was asked behind it. */
    private static void eventually(String what, BooleanSupplier condition) {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("never: " + what);
    }

    /** Gives our port and the first switch LIDs, and makes a way between them. */
    private void makeLids() {
        DirectedPath path = DirectedPath.of(1);
        PortInfo own = asker.get(PortInfo.TYPE, Modifiers.port(1), DirectedPath.OWN_NODE)
                .toSet();
        own.set(PortInfo.LID, OWN_LID).set(PortInfo.MASTER_SM_LID, OWN_LID);
        assertThat(asker.set(PortInfo.TYPE, Modifiers.port(1), DirectedPath.OWN_NODE, own))
                .isZero();
        PortInfo port0 = asker.get(PortInfo.TYPE, Modifiers.port(0), path).toSet();
        port0.set(PortInfo.LID, SWITCH_LID).set(PortInfo.MASTER_SM_LID, OWN_LID);
        assertThat(asker.set(PortInfo.TYPE, Modifiers.port(0), path, port0)).isZero();
        int host = fabric().portNumber(fabric().cable(ownPort()));
        LinearForwardingTable lft = LinearForwardingTable.TYPE.create();
        for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
            lft.set(LinearForwardingTable.PORTS, i, LinearForwardingTable.NO_PATH);
        }
        lft.set(LinearForwardingTable.PORTS, OWN_LID, host).set(LinearForwardingTable.PORTS, SWITCH_LID, 0);
        assertThat(asker.set(LinearForwardingTable.TYPE, 0, path, lft)).isZero();
        SwitchInfo info = asker.get(SwitchInfo.TYPE, 0, path);
        info.set(SwitchInfo.LINEAR_TOP, SWITCH_LID).set(SwitchInfo.STATE_CHANGE, 1);
        assertThat(asker.set(SwitchInfo.TYPE, 0, path, info)).isZero();
        bringUp(DirectedPath.OWN_NODE, 1, path, host);
    }

    @Test
    void whatHasALidAnswersByLid() {
        makeLids();
        Mad answer = asker.answer(Mad.lidRouted(MadMethod.GET, NodeInfo.TYPE, 0), MadAddress.smp(SWITCH_LID));
        assertThat(answer.status()).isZero();
        assertThat(answer.data(NodeInfo.TYPE).get(NodeInfo.NODE_GUID)).isEqualTo(fabric().guid(firstSwitch()));
    }

    @Test
    void aPulledCableIsToldByATrap() {
        makeLids();
        asker.markSm(true);
        DirectedPath path = DirectedPath.of(1);
        assertThat(asker.get(SwitchInfo.TYPE, 0, path).isSet(SwitchInfo.STATE_CHANGE))
                .isFalse();
        int neighbour = fabric().portIndex(firstSwitch(), neighbourPort());
        fixture.unlink(neighbour);
        try {
            Mad trap = asker.awaitUnsolicited(mad -> mad.is(MadMethod.TRAP, false)
                    && mad.data(Notice.TYPE).getInt(Notice.TRAP_NUMBER) == Notice.LINK_STATE);
            assertThat(trap.data(Notice.TYPE).details().getInt(TrapDetails.SWITCH_LID))
                    .isEqualTo(SWITCH_LID);
            assertThat(asker.sources()).contains(MadAddress.smp(SWITCH_LID));
            asker.send(trap.trapRepress(), MadAddress.smp(SWITCH_LID));
            assertThat(state(path, fabric().portNumber(neighbour))).isEqualTo(PortState.DOWN);
            SwitchInfo info = asker.get(SwitchInfo.TYPE, 0, path);
            assertThat(info.isSet(SwitchInfo.STATE_CHANGE)).isTrue();
            assertThat(asker.set(SwitchInfo.TYPE, 0, path, info)).isZero();
            assertThat(asker.get(SwitchInfo.TYPE, 0, path).isSet(SwitchInfo.STATE_CHANGE))
                    .isFalse();
        } finally {
            fixture.relink(neighbour);
            asker.markSm(false);
        }
        eventually("the link is back", () -> state(path, fabric().portNumber(neighbour)) == PortState.INIT);
    }

    @Test
    void theSilenceOfOneHurtsNobodyElse() {
        int node = firstSwitch();
        int far = fabric().nodeOf(fabric().cable(fabric().portIndex(node, neighbourPort())));
        DirectedPath silent = DirectedPath.of(1, neighbourPort());
        Mad probe = Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, silent);
        fixture.silence(far, true);
        try {
            eventually(
                    "silence",
                    () -> asker.ask(probe.copy(), MadAddress.DIRECTED).attempts() > 1);
            List<Mad> mads = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                mads.add(Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, i % 2 == 0 ? DirectedPath.of(1) : silent));
            }
            List<RequestOutcome> outcomes = asker.askAll(mads, MadAddress.DIRECTED);
            for (int i = 0; i < outcomes.size(); i++) {
                if (i % 2 == 0) {
                    assertThat(outcomes.get(i)).isInstanceOf(RequestOutcome.Answered.class);
                } else {
                    assertThat(outcomes.get(i)).isEqualTo(new RequestOutcome.Unanswered(QUICK.retries() + 1));
                }
            }
        } finally {
            fixture.silence(far, false);
        }
        eventually(
                "an answer", () -> asker.ask(probe.copy(), MadAddress.DIRECTED).attempts() == 1);
        assertThat(asker.get(NodeInfo.TYPE, 0, silent).get(NodeInfo.NODE_GUID)).isEqualTo(fabric().guid(far));
    }

    @Test
    void aPathToNowhereEndsAfterAllAttempts() {
        // Nobody forwards behind a channel adapter.
        int host = fabric().portNumber(fabric().cable(ownPort()));
        Mad mad = Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, DirectedPath.of(1, host, 1, host));
        assertThat(asker.ask(mad, MadAddress.DIRECTED)).isEqualTo(new RequestOutcome.Unanswered(QUICK.retries() + 1));
    }

    @Test
    void thousandsOfRequestsKeepToTheWindow() {
        List<Mad> mads = new ArrayList<>();
        List<DirectedPath> paths =
                List.of(DirectedPath.OWN_NODE, DirectedPath.of(1), DirectedPath.of(1, neighbourPort()));
        for (int i = 0; i < 3000; i++) {
            mads.add(Mad.directed(MadMethod.GET, NodeInfo.TYPE, 0, paths.get(i % paths.size())));
        }
        List<RequestOutcome> outcomes = asker.askAll(mads, MadAddress.DIRECTED);
        for (int i = 0; i < outcomes.size(); i++) {
            Mad mad = ((RequestOutcome.Answered) outcomes.get(i)).mad();
            assertThat(mad.directedRoute().path()).isEqualTo(paths.get(i % paths.size()));
            assertThat(mad.is(MadMethod.GET, true)).isTrue();
        }
        assertThat(asker.mostOutstanding()).isLessThanOrEqualTo(QUICK.maxPerTarget() * paths.size());
        RequestCounters counters = asker.counters();
        assertThat(counters.answered()).isEqualTo(3000);
        assertThat(counters.unanswered()).isZero();
        assertThat(counters.stale() + counters.mismatched()).isZero();
    }
}
