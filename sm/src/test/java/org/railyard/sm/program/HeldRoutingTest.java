package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortState;

/** What is taken for the tables of switches before a change, of which not all is known. */
class HeldRoutingTest {
    private static final long TO_VL_1 = 0x1111111111111111L;
    private static final int BLOCK_OF_SWITCHES = 1;

    private final Ring ring = new Ring();

    private Routing held() {
        return HeldRouting.of(ring.desired());
    }

    /** It forwards nothing yet: all its tables are written before its links come up. */
    @Test
    void aSwitchOfWhichNothingIsKnownCountsAsDone() {
        ring.know(0);
        Ring.round(ring.wanted, Ring.lid(1), 1);
        ForwardingTables entries = held().forwarding();
        assertThat(entries.lastLid()).isEqualTo(ring.fabric.maxLid());
        for (int lid = 0; lid <= entries.lastLid(); lid++) {
            assertThat(entries.port(2, lid)).isEqualTo(ring.wanted[2][lid] & 0xFF);
        }
    }

    @Test
    void ofASwitchThatForwardsABlockThatIsNotKnownCountsAsEmpty() {
        ring.known();
        ring.nodes.get(1).held().forgetLinear(BLOCK_OF_SWITCHES);
        Ring.round(ring.wanted, Ring.lid(0), 0);
        ForwardingTables entries = held().forwarding();
        assertThat(entries.port(1, Ring.lid(0))).as("what it has").isEqualTo(Ring.BACK);
        for (int lid = 64; lid <= entries.lastLid(); lid++) {
            assertThat(entries.port(1, lid)).isEqualTo(Ring.NO_PATH);
        }
    }

    @Test
    void entriesAboveAllLidsInUseAreLookedAtAsFarAsTheyAreKnown() {
        ring.known();
        assertThat(HeldRouting.lastLid(ring.desired())).isEqualTo(ring.fabric.maxLid());
        ring.know(2, 4);
        assertThat(HeldRouting.lastLid(ring.desired())).isEqualTo(5 * 64 - 1);
        assertThat(held().forwarding().lastLid()).isEqualTo(5 * 64 - 1);
        ring.know(2, Lids.MAX_UNICAST / 64);
        assertThat(HeldRouting.lastLid(ring.desired())).isEqualTo(Lids.MAX_UNICAST);
    }

    private long turnsBack() {
        return held().slToVl().table(0, Ring.NEXT, Ring.NEXT);
    }

    /** Whether packets that turn back are dropped is not guessed, but where none can pass yet. */
    @Test
    void vlsThatNobodyKnowsAreThoseOfTheEngineWherePacketsPass() {
        ring.known();
        ring.slToVl = new NoTurningBack(ring.fabric, SlToVl.uniform(TO_VL_1));
        assertThat(turnsBack()).isEqualTo(TO_VL_1);
        assertThat(held().slToVl().table(0, 0, Ring.HOST)).isEqualTo(TO_VL_1);
        ring.state(0, Ring.NEXT, PortState.ARMED);
        assertThat(turnsBack()).isEqualTo(ring.slToVl.table(0, Ring.NEXT, Ring.NEXT));
    }

    /** Tables of a fabric in which both cables of a switch lead to the same one. */
    private static NoTurningBack doubled() {
        FabricBuilder builder = new FabricBuilder();
        List<FabricBuilder.NodeBuilder> switches = new ArrayList<>();
        for (int sw = 0; sw < Ring.SWITCHES; sw++) {
            switches.add(builder.node(NodeType.SWITCH, 0x10 + sw, Ring.PORTS, "S-" + sw));
        }
        builder.connect(switches.get(0), Ring.NEXT, switches.get(1), Ring.NEXT);
        builder.connect(switches.get(0), Ring.BACK, switches.get(1), Ring.BACK);
        return new NoTurningBack(builder.build(), SlToVl.uniform(TO_VL_1));
    }

    /** Tables of both directions between a link that is up and one that is not are written before that comes up. */
    @Test
    void noPacketPassesIfOneOfTwoLinksIsNotActive() {
        ring.known();
        ring.slToVl = doubled();
        assertThat(held().slToVl().table(0, Ring.NEXT, Ring.BACK)).isEqualTo(TO_VL_1);
        ring.state(0, Ring.NEXT, PortState.INIT);
        long dropped = ring.slToVl.table(0, Ring.NEXT, Ring.BACK);
        assertThat(held().slToVl().table(0, Ring.NEXT, Ring.BACK)).isEqualTo(dropped);
        assertThat(held().slToVl().table(0, Ring.BACK, Ring.NEXT)).isEqualTo(dropped);
    }

    @Test
    void aSwitchThatForwardsNothingHasTheVlsThatItShallHave() {
        ring.know(1);
        ring.slToVl = new NoTurningBack(ring.fabric, SlToVl.uniform(TO_VL_1));
        assertThat(turnsBack()).isEqualTo(ring.slToVl.table(0, Ring.NEXT, Ring.NEXT));
    }

    @Test
    void vlsThatAreKnownCount() {
        ring.known();
        ring.slToVl = SlToVl.uniform(TO_VL_1);
        ring.nodes.get(0).held().noteSlToVl(Ring.NEXT, Ring.BACK, 5);
        assertThat(held().slToVl().table(0, Ring.NEXT, Ring.BACK)).isEqualTo(5);
        int host = ring.fabric.portIndex(Ring.SWITCHES, 1);
        assertThat(held().slToVl().endTable(host)).isEqualTo(TO_VL_1);
        ring.nodes.get(Ring.SWITCHES).held().noteSlToVl(0, 1, 7);
        assertThat(held().slToVl().endTable(host)).isEqualTo(7);
    }

    @Test
    void pathsHaveTheSlsThatSendersWereTold() {
        ring.known();
        ring.sls = PathSls.constant(3);
        assertThat(held().sls()).isSameAs(ring.sls);
        ring.before = new Routing(
                "before",
                ring.routing().forwarding(),
                PathSls.constant(2),
                ring.slToVl,
                MulticastTables.NONE,
                List.of());
        assertThat(held().sls().sl(1, 2, 0)).isEqualTo(2);
    }

    private void noteMask(int sw, int position, int block, int entry, int bits) {
        ring.nodes
                .get(sw)
                .held()
                .multicast(
                        position,
                        block,
                        MulticastForwardingTable.TYPE.create().set(MulticastForwardingTable.MASKS, entry, bits));
    }

    private static MulticastTables group(int mlid, int sl) {
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        PortMask[] none = {PortMask.EMPTY, PortMask.EMPTY, PortMask.EMPTY};
        trees.put(mlid, new MulticastTables.Tree(sl, none));
        return new MulticastTables(trees);
    }

    private MulticastTables.Tree tree(int mlid) {
        return Objects.requireNonNull(held().multicast().tree(mlid));
    }

    /** The last MLID of the first block, and one of the second; ports of both columns of masks. */
    @Test
    void groupsAreThoseOfWhichASwitchHasPorts() {
        ring.known();
        int last = Lids.MIN_MULTICAST + MulticastForwardingTable.BLOCK - 1;
        noteMask(1, 0, 0, MulticastForwardingTable.BLOCK - 1, 1 << Ring.HOST | 1 << Ring.NEXT);
        noteMask(2, 1, 1, 5, 1 << 2);
        assertThat(held().multicast().mlids()).containsExactly(last, last + 1 + 5);
        assertThat(tree(last).ports(0)).isEqualTo(PortMask.EMPTY);
        assertThat(tree(last).ports(1)).isEqualTo(PortMask.of(Ring.NEXT, Ring.HOST));
        assertThat(tree(last + 1 + 5).ports(2)).isEqualTo(PortMask.of(18));
    }

    @Test
    void packetsOfAGroupHaveTheSlThatItHadBeforeAsFarAsThatIsKnown() {
        ring.known();
        int mlid = Lids.MIN_MULTICAST;
        noteMask(1, 0, 0, 0, 1 << Ring.HOST);
        assertThat(tree(mlid).sl()).isEqualTo(0);
        ring.multicast = group(mlid, 4);
        assertThat(tree(mlid).sl()).isEqualTo(4);
        ring.before = new Routing(
                "before", ring.routing().forwarding(), ring.sls, ring.slToVl, MulticastTables.NONE, List.of());
        assertThat(tree(mlid).sl()).isEqualTo(4);
        ring.before =
                new Routing("before", ring.routing().forwarding(), ring.sls, ring.slToVl, group(mlid, 6), List.of());
        assertThat(tree(mlid).sl()).isEqualTo(6);
    }
}
