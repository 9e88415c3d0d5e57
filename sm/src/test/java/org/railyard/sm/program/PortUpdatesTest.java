package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.route.PathSls;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.subnet.ManagedNode;

/** What ports are set to (spec 41 §4), and which links come up. */
class PortUpdatesTest {
    private static final int BLUE = 0x8010;

    private final Ring ring = new Ring(1);

    private PortUpdates updates() {
        return new PortUpdates(ring.desired());
    }

    private static PortInfo set(Iterator<Update> updates, String port) {
        return Ring.run(updates).stream()
                .filter(set -> name(set).equals(port))
                .map(set -> set.mad().data(PortInfo.TYPE))
                .findFirst()
                .orElseThrow();
    }

    private static String name(Update set) {
        return set.node().portName(Modifiers.portOf(set.mad().modifier()));
    }

    private PortInfo said(int node, int port) {
        return Objects.requireNonNull(ring.nodes.get(node).port(port));
    }

    private void has(int node, int port, BitField field, long value) {
        ring.nodes.get(node).port(port, said(node, port).set(field, value));
    }

    @Test
    void aHostGetsWhatEndPortsHaveAndTheParametersOfItsLink() {
        has(3, 1, PortInfo.OPERATIONAL_VLS, 1);
        has(3, 1, PortInfo.NEIGHBOR_MTU, 1);
        ring.state(3, 1, PortState.INIT);
        ring.sls = PathSls.constant(2);
        PortInfo set = set(updates().endPorts(), "H-0[1]");
        assertThat(set.get(PortInfo.GID_PREFIX)).isEqualTo(Ring.GID_PREFIX);
        assertThat(set.getInt(PortInfo.LID)).isEqualTo(2);
        assertThat(set.getInt(PortInfo.LMC)).isEqualTo(1);
        assertThat(set.getInt(PortInfo.MASTER_SM_LID)).isEqualTo(2);
        assertThat(set.getInt(PortInfo.MASTER_SM_SL)).isEqualTo(2);
        assertThat(set.getInt(PortInfo.SUBNET_TIMEOUT)).isEqualTo(Ring.SUBNET_TIMEOUT);
        assertThat(set.getInt(PortInfo.LOCAL_PHY_ERRORS)).isEqualTo(8);
        assertThat(set.getInt(PortInfo.OVERRUN_ERRORS)).isEqualTo(8);
        assertThat(set.getInt(PortInfo.NEIGHBOR_MTU)).isEqualTo(Ring.MTU);
        assertThat(set.getInt(PortInfo.OPERATIONAL_VLS)).isEqualTo(Ring.VLS);
    }

    /** A base port 0 has one LID, whatever the hosts have. */
    @Test
    void anEnhancedPort0HasAsManyLidsAsItShall() {
        int[] lid = new int[ring.fabric.portCount()];
        int[] lmc = new int[ring.fabric.portCount()];
        for (int port = 0; port < lid.length; port++) {
            lid[port] = 2 * ring.fabric.lid(port);
            lmc[port] = lid[port] == 0 ? 0 : 1;
        }
        ring.fabric = ring.fabric.withLids(lid, lmc);
        assertThat(set(updates().endPorts(), "S-0[0]").getInt(PortInfo.LMC)).isEqualTo(1);
        has(1, 0, PortInfo.LID, 0);
        assertThat(set(updates().endPorts(), "S-1[0]").getInt(PortInfo.LMC)).isZero();
    }

    /** They are taken in INIT only: see LinkRestarts. */
    @Test
    void aLinkThatIsUpKeepsItsVlsAndMtu() {
        has(3, 1, PortInfo.OPERATIONAL_VLS, 1);
        has(3, 1, PortInfo.NEIGHBOR_MTU, 1);
        PortInfo set = set(updates().endPorts(), "H-0[1]");
        assertThat(set.getInt(PortInfo.NEIGHBOR_MTU)).isEqualTo(1);
        assertThat(set.getInt(PortInfo.OPERATIONAL_VLS)).isEqualTo(1);
    }

    @Test
    void packetsWaitLongerForASwitchThanForAnEnd() {
        PortInfo towardsSwitch = set(updates().switchPorts(), "S-1[1]");
        assertThat(towardsSwitch.getInt(PortInfo.HOQ_LIFE)).isEqualTo(Ring.HOQ_SWITCH);
        assertThat(towardsSwitch.getInt(PortInfo.VL_STALL_COUNT)).isEqualTo(7);
        has(1, Ring.HOST, PortInfo.HOQ_LIFE, 0);
        assertThat(set(updates().switchPorts(), "S-1[3]").getInt(PortInfo.HOQ_LIFE))
                .isEqualTo(Ring.HOQ_END);
    }

    @Test
    void whatIsSetIsNotSetAgain() {
        Ring.run(updates().endPorts());
        Ring.run(updates().switchPorts());
        assertThat(updates().endPorts()).isExhausted();
        assertThat(updates().switchPorts()).isExhausted();
    }

    @Test
    void ofAnEndPortTheLidThatItAcknowledgedIsKept() {
        Ring.run(updates().endPorts());
        assertThat(ring.nodes.get(3).lastLid(1)).isEqualTo(2);
        assertThat(ring.nodes.get(1).lastLid(0)).isEqualTo(71);
        Ring.run(updates().switchPorts());
        assertThat(ring.nodes.get(1).lastLid(Ring.HOST)).isZero();
    }

    private void partition() {
        ring.keys = (fabric, port) -> List.of(PKeyTable.DEFAULT_KEY, BLUE);
        ring.enforcement = PartitionEnforcement.BOTH;
    }

    private boolean enforces(int sw, int port) {
        return said(sw, port).isSet(PortInfo.ENFORCEMENT_IN) && said(sw, port).isSet(PortInfo.ENFORCEMENT_OUT);
    }

    /** Between switches packets of all partitions pass. */
    @Test
    void onlyPortsTowardsEndsEnforceAndOnlyWithTheirKeys() {
        partition();
        has(1, Ring.NEXT, PortInfo.ENFORCEMENT_IN, 1);
        has(1, Ring.NEXT, PortInfo.ENFORCEMENT_OUT, 1);
        Ring.run(updates().switchPorts());
        assertThat(enforces(1, Ring.NEXT)).isFalse();
        assertThat(enforces(1, Ring.HOST)).as("it has no keys").isFalse();
        Ring.run(new TableUpdates(ring.desired()).switchKeys());
        Ring.run(updates().switchPorts());
        assertThat(enforces(1, Ring.NEXT)).isFalse();
        assertThat(enforces(1, Ring.HOST)).isTrue();
    }

    @Test
    void aPortWithoutSpaceForTheKeysOfItsEndEnforcesNone() {
        partition();
        Ring.run(new TableUpdates(ring.desired()).switchKeys());
        Ring.run(updates().switchPorts());
        ring.keys = (fabric, port) ->
                IntStream.rangeClosed(1, Ring.KEYS + 1).boxed().toList();
        Ring.run(updates().switchPorts());
        assertThat(enforces(1, Ring.HOST)).isFalse();
    }

    @Test
    void asManyKeysAsThereIsSpaceForAreEnforced() {
        ring.keys =
                (fabric, port) -> IntStream.rangeClosed(1, Ring.KEYS).boxed().toList();
        int host = ring.fabric.portIndex(3, 1);
        assertThat(ring.desired().lacksKeySpace(host)).isFalse();
        assertThat(ring.desired().mayEnforce(ring.fabric.peer(host))).isTrue();
        assertThat(ring.desired().mayEnforce(ring.fabric.portIndex(0, 0))).isFalse();
    }

    private List<String> raised(PortState from, PortState to) {
        return Ring.run(updates().raise(from, to)).stream()
                .map(PortUpdatesTest::name)
                .toList();
    }

    @Test
    void linksWhoseEndsAreBothThereComeUp() {
        ring.state(0, Ring.NEXT, PortState.INIT);
        ring.state(1, Ring.BACK, PortState.INIT);
        ring.state(1, Ring.HOST, PortState.INIT);
        ring.state(4, 1, PortState.DOWN);
        ring.state(2, Ring.FREE, PortState.INIT);
        assertThat(raised(PortState.INIT, PortState.ARMED)).containsExactly("S-0[1]", "S-1[18]");
        assertThat(raised(PortState.ARMED, PortState.ACTIVE)).containsExactly("S-0[1]", "S-1[18]");
        assertThat(said(0, Ring.NEXT).state()).isEqualTo(PortState.ACTIVE);
    }

    /** What was proved is not true of it. */
    @Test
    void aLinkWhoseEndsHaveNotTakenTheirVlsStaysDown() {
        ring.state(0, Ring.NEXT, PortState.INIT);
        ring.state(1, Ring.BACK, PortState.INIT);
        has(1, Ring.BACK, PortInfo.OPERATIONAL_VLS, 1);
        assertThat(raised(PortState.INIT, PortState.ARMED)).isEmpty();
        // One that is armed already was so with these VLs.
        ring.state(0, Ring.NEXT, PortState.ARMED);
        ring.state(1, Ring.BACK, PortState.ARMED);
        assertThat(raised(PortState.ARMED, PortState.ACTIVE)).containsExactly("S-0[1]", "S-1[18]");
    }

    /** A port that is asked twice, as its first answer was lost, refuses the second time. */
    @Test
    void aRefusedStepIsDoneIfThePortIsThereOrFurther() {
        ring.state(0, Ring.NEXT, PortState.INIT);
        Update arm = updates().raise(PortState.INIT, PortState.ARMED).next();
        assertThat(arm.reached().test(answer(arm, PortState.INIT))).isFalse();
        assertThat(arm.reached().test(answer(arm, PortState.ARMED))).isTrue();
        assertThat(arm.reached().test(answer(arm, PortState.ACTIVE))).isTrue();
    }

    private static Mad answer(Update update, PortState state) {
        return update.mad().copy().setData(PortInfo.TYPE, PortInfo.TYPE.create().set(PortInfo.STATE, state.code()));
    }

    /** Of its links one goes down and comes up: the subnet manager did it, and the node was not switched off. */
    @Test
    void aLinkThatIsBroughtUpSaysNothingOfTheNode() {
        ManagedNode node = ring.nodes.get(3);
        ring.state(3, 1, PortState.INIT);
        raised(PortState.INIT, PortState.ARMED);
        node.beginSweep();
        assertThat(node.earlierState(1)).isEqualTo(PortState.ARMED);
        assertThat(node.mayBeReset()).isFalse();
    }

    /** What is set of a link that is up does not bring it up: if it falls, the node may have been switched off. */
    @Test
    void aLinkThatWasUpSaysSomethingOfTheNode() {
        Ring.run(updates().endPorts());
        ManagedNode node = ring.nodes.get(3);
        node.beginSweep();
        assertThat(node.mayBeReset()).isTrue();
    }

    /** With the SL of a path that changes, who knows it has to ask again. */
    @Test
    void clientsRegisterAgainIfSlsChange() {
        ring.known();
        has(3, 1, PortInfo.CAPABILITY_MASK, PortInfo.CAP_CLIENT_REREGISTRATION);
        Ring.run(updates().endPorts());
        has(3, 1, PortInfo.CAPABILITY_MASK, PortInfo.CAP_CLIENT_REREGISTRATION);
        ring.before = ring.routing();
        assertThat(Ring.run(ring.plan().prepare(), "PortInfo of end ports")).isEmpty();
        ring.sls = PathSls.constant(1);
        List<Update> sets = Ring.run(ring.plan().prepare(), "PortInfo of end ports");
        assertThat(sets)
                .filteredOn(set -> set.mad().data(PortInfo.TYPE).isSet(PortInfo.CLIENT_REREGISTER))
                .extracting(PortUpdatesTest::name)
                .containsExactly("H-0[1]");
    }

    /** A host whose agent hangs goes on to use its paths: it has to hear of it when it answers again. */
    @Test
    void whoWasSilentWhenSlsChangedRegistersAgainLater() {
        ring.known();
        has(3, 1, PortInfo.CAPABILITY_MASK, PortInfo.CAP_CLIENT_REREGISTRATION);
        Ring.run(updates().endPorts());
        has(3, 1, PortInfo.CAPABILITY_MASK, PortInfo.CAP_CLIENT_REREGISTRATION);
        ring.before = ring.routing();
        ring.sls = PathSls.constant(1);
        ManagedNode host = ring.nodes.get(3);
        host.silentFor(1, 0);
        assertThat(Ring.run(ring.plan().prepare(), "PortInfo of end ports"))
                .extracting(Update::node)
                .doesNotContain(host);
        host.answers(1);
        ring.before = ring.routing();
        List<Update> sets = Ring.run(ring.plan().prepare(), "PortInfo of end ports");
        assertThat(sets)
                .filteredOn(set -> set.mad().data(PortInfo.TYPE).isSet(PortInfo.CLIENT_REREGISTER))
                .extracting(PortUpdatesTest::name)
                .containsExactly("H-0[1]");
    }
}
