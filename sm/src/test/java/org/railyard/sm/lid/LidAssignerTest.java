package org.railyard.sm.lid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.Guid2Lid.Range;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.sm.lid.LidAssigner.Assignment;
import org.railyard.sm.lid.LidAssigner.Rules;

/** Who gets which LIDs (spec 41 §3). The switch of the small subnets here has the largest GUID, so it comes last. */
class LidAssignerTest {
    private static final long SWITCH = 0xFF;
    private static final int PORTS = 8;

    /** Hosts A, B, C … at one switch, with these port GUIDs. */
    private static final class Subnet {
        private final Fabric fabric;
        private final int[] now;
        private final int[] ports;
        private LidTable table = new LidTable();
        private int smPort = Fabric.NONE;
        private @Nullable Fabric before;

        private Subnet(long... guids) {
            FabricBuilder builder = new FabricBuilder();
            NodeBuilder sw = builder.node(NodeType.SWITCH, SWITCH, PORTS, "S");
            for (int host = 0; host < guids.length; host++) {
                NodeBuilder node = builder.node(NodeType.CA, 0x100 + host, 1, String.valueOf((char) ('A' + host)));
                node.port(1).guid(guids[host]);
                builder.connect(node, 1, sw, host + 1);
            }
            fabric = builder.build();
            now = new int[fabric.portCount()];
            ports = IntStream.range(1, fabric.nodeCount())
                    .map(node -> fabric.portIndex(node, 1))
                    .toArray();
        }

        private Subnet table(String text) {
            table = LidTable.parse(text, 0);
            return this;
        }

        private Subnet now(int... lids) {
            for (int host = 0; host < lids.length; host++) {
                now[ports[host]] = lids[host];
            }
            return this;
        }

        private Assignment assign(int lmc, int maxLid) {
            return LidAssigner.assign(fabric, now, table, new Rules(LidOrder.GUID, lmc, maxLid), smPort, before);
        }

        private List<Integer> lids(Assignment given) {
            List<Integer> lids = new ArrayList<>();
            for (int port : ports) {
                lids.add(given.fabric().lid(port));
            }
            return lids;
        }

        private List<Integer> lids(int lmc, int maxLid) {
            return lids(assign(lmc, maxLid));
        }
    }

    private static String entry(long guid, int min, int max) {
        return "0x%016x 0x%04x 0x%04x\n".formatted(guid, min, max);
    }

    @Test
    void tooFewLidsLeaveTheTableAsItWas() {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        LidTable table = new LidTable();
        int[] none = new int[fabric.portCount()];
        LidAssigner.assign(fabric, none, table, new Rules(LidOrder.GUID, 0, 18), Fabric.NONE, null);
        String before = table.text();
        assertThat(before.lines().filter(line -> !line.isEmpty())).hasSize(18);
        assertThatThrownBy(() ->
                        LidAssigner.assign(fabric, none, table, new Rules(LidOrder.GUID, 0, 10), Fabric.NONE, null))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("no LID is left");
        assertThat(table.text()).isEqualTo(before);
    }

    @Test
    void whatWasGivenBeforeLidsRanOutIsTakenBack() {
        Subnet subnet = new Subnet(1, 2, 3).table(entry(0xEE, 2, 2));
        assertThatThrownBy(() -> subnet.assign(0, 3)).hasMessageContaining("no LID is left");
        assertThat(subnet.table.text().strip())
                .as("the absent port has its entry again")
                .isEqualTo(entry(0xEE, 2, 2).strip());
    }

    @ParameterizedTest
    @CsvSource({
        // Of two with one LID the lower GUID keeps it, unless the table says who has it.
        "'', 7 7, 7 1",
        "2 7, 7 7, 1 7",
        // Ports keep what they have, but the table counts more.
        "'', 9 4, 9 4",
        "1 5, 9 4, 5 4",
        // What the table gave to somebody else, here or absent, is not to be had.
        "2 9, 9 4, 1 9",
        "238 9, 9 4, 1 4"
    })
    void theTableThenWhatAPortHasThenWhatIsFree(String table, String now, String lids) {
        Subnet subnet = new Subnet(1, 2);
        if (!table.isEmpty()) {
            String[] parts = table.split(" ");
            int lid = Integer.parseInt(parts[1]);
            subnet.table(entry(Long.parseLong(parts[0]), lid, lid));
        }
        subnet.now(Stream.of(now.split(" ")).mapToInt(Integer::parseInt).toArray());
        assertThat(subnet.lids(0, Lids.MAX_UNICAST))
                .containsExactly(
                        Stream.of(lids.split(" ")).map(Integer::valueOf).toArray(Integer[]::new));
    }

    @Test
    void whoLosesALidIsNamedOnceWithTheReason() {
        Subnet taken = new Subnet(1, 2).now(7, 7);
        taken.smPort = taken.ports[1];
        assertThat(taken.assign(0, 9).findings())
                .containsExactly(
                        "B/1 gets LID 1, had 7: its connections break; " + "guid2lid has it so, or another port has 7");
        assertThat(new Subnet(1, 2).now(4, 3).assign(1, 9).findings())
                .containsExactly(
                        "B/1 gets LID 2, had 3: its connections break; 3 is no multiple of 2, which LMC 1 takes");
        assertThat(new Subnet(1, 2).now(8, 4).assign(1, 8).findings())
                .containsExactly(
                        "A/1 gets LID 2, had 8: its connections break; the largest LID that all switches look up is 8");
        assertThat(new Subnet(1, 2).now(8, 8).assign(1, 9).findings())
                .containsExactly(
                        "B/1 gets LID 2, had 8: its connections break; " + "guid2lid has it so, or another port has 8");
        assertThat(new Subnet(1, 2).now(8, 4).assign(1, 9).findings()).isEmpty();
    }

    @Test
    void theOwnPortComesFirstEvenWithoutACable() {
        Subnet subnet = new Subnet(1, 2, 3);
        Fabric cut = subnet.fabric.withLinksDown(bits(subnet.ports[1], subnet.ports[2]));
        Fabric given = LidAssigner.assign(
                        cut, subnet.now, subnet.table, new Rules(LidOrder.GUID, 0, 9), subnet.ports[2], null)
                .fabric();
        assertThat(subnet.lids(new Assignment(given, List.of())))
                .as("B has no cable, and waits for its LID")
                .containsExactly(2, 0, 1);
    }

    private static BitSet bits(int... bits) {
        return IntStream.of(bits).collect(BitSet::new, BitSet::set, BitSet::or);
    }

    // Several ports with one GUID.

    @Test
    void ofTwoWithOneGuidTheFirstFoundHasIt() {
        Subnet subnet = new Subnet(1, 1);
        Assignment given = subnet.assign(0, 9);
        assertThat(subnet.lids(given)).containsExactly(1, 0);
        assertThat(given.findings())
                .containsExactly("port GUID 0x0000000000000001 is that of A/1 and of B/1: the second gets no LID");
    }

    @Test
    void ofTwoWithOneGuidTheOneWithTheLidOfTheTableHasIt() {
        Subnet subnet = new Subnet(1, 1).table(entry(1, 5, 5)).now(4, 5);
        Assignment given = subnet.assign(0, 9);
        assertThat(subnet.lids(given)).containsExactly(0, 5);
        assertThat(given.findings())
                .containsExactly("port GUID 0x0000000000000001 is that of B/1 and of A/1: the second gets no LID");
        assertThat(new Subnet(1, 1).now(0, 5).lids(0, 9))
                .as("a LID that no table has says nothing")
                .containsExactly(1, 0);
    }

    @Test
    void ofTwoWithOneGuidTheOneThatHadItBeforeHasIt() {
        Subnet subnet = new Subnet(1, 1).table(entry(1, 5, 5)).now(5, 0);
        subnet.before = before(0x101, 1, 5);
        assertThat(subnet.lids(0, 9)).containsExactly(0, 5);
    }

    @ParameterizedTest
    @CsvSource({"0x102, 1, 5", "0x101, 2, 5", "0x101, 1, 0"})
    void whoHadAnotherGuidOrNoLidOrWasNotThereHasNoClaim(String node, long guid, int lid) {
        Subnet subnet = new Subnet(1, 1).table(entry(1, 5, 5)).now(5, 0);
        subnet.before = before(Long.decode(node), guid, lid);
        assertThat(subnet.lids(0, 9)).containsExactly(5, 0);
    }

    /** A subnet of a node with one port. */
    private static Fabric before(long node, long guid, int lid) {
        FabricBuilder builder = new FabricBuilder();
        builder.node(NodeType.CA, node, 1, "B").port(1).guid(guid).lid(lid, 0);
        return builder.build();
    }

    @Test
    void aPortThatItsNodeDidNotHaveHasNoClaim() {
        FabricBuilder builder = new FabricBuilder();
        NodeBuilder sw = builder.node(NodeType.SWITCH, SWITCH, PORTS, "S");
        NodeBuilder one = builder.node(NodeType.CA, 0x100, 1, "A");
        NodeBuilder two = builder.node(NodeType.CA, 0x101, 2, "B");
        one.port(1).guid(1);
        two.port(2).guid(1);
        builder.connect(one, 1, sw, 1);
        builder.connect(two, 2, sw, 2);
        Fabric fabric = builder.build();
        Fabric given = LidAssigner.assign(
                        fabric,
                        new int[fabric.portCount()],
                        new LidTable(),
                        new Rules(LidOrder.GUID, 0, 9),
                        Fabric.NONE,
                        before(0x101, 1, 5))
                .fabric();
        assertThat(given.lid(given.portIndex(1, 1))).isEqualTo(1);
        assertThat(given.lid(given.portIndex(2, 2))).isZero();
    }

    @Test
    void theOwnPortHasItsGuidWhoeverHadItBefore() {
        Subnet subnet = new Subnet(1, 1);
        subnet.smPort = subnet.ports[0];
        subnet.before = before(0x101, 1, 5);
        assertThat(subnet.lids(0, 9)).containsExactly(1, 0);
    }

    // Ranges.

    @ParameterizedTest
    @CsvSource({
        // LMC 1 takes two LIDs from an even one on, up to 9. Wider entries serve as well.
        "4, 5, 4",
        "4, 7, 4",
        "8, 9, 8",
        "4, 4, 2",
        "5, 6, 2",
        "10, 11, 2",
        "8, 11, 2"
    })
    void entriesThatDoNotFitCountNoMore(int min, int max, int lid) {
        Subnet subnet = new Subnet(1).table(entry(1, min, max));
        assertThat(subnet.lids(1, 9)).containsExactly(lid);
        assertThat(subnet.table.get(1, new Range(0, 0)).min()).isEqualTo(lid);
    }

    @ParameterizedTest
    @CsvSource({
        // What is in part another one's is not kept, at either end; what lies beside it is.
        "6, 6, 2",
        "7, 7, 2",
        "5, 5, 6",
        "8, 8, 6"
    })
    void aRangeIsKeptIfAllOfItIsFree(int min, int max, int lid) {
        Subnet subnet = new Subnet(1).table(entry(0xEE, min, max)).now(6);
        assertThat(subnet.lids(1, 9)).containsExactly(lid);
    }

    @Test
    void newRangesAreAlignedAndGoAroundWhatIsTaken() {
        Subnet subnet = new Subnet(1, 2, 3).table(entry(0xEE, 11, 11));
        Assignment given = subnet.assign(2, 19);
        assertThat(subnet.lids(given))
                .as("8 to 11 are in part another one's, 16 to 19 are the last ones")
                .containsExactly(4, 12, 16);
        assertThat(given.fabric().lmc(subnet.ports[0])).isEqualTo(2);
        assertThat(given.fabric().lmc(0)).isZero();
    }

    @Test
    void newRangesFollowEachOtherAndWhatAlignmentLeavesOverStaysUnused() {
        Subnet subnet = new Subnet(1, 2, 3);
        Assignment given = subnet.assign(2, Lids.MAX_UNICAST);
        assertThat(subnet.lids(given)).containsExactly(4, 8, 12);
        assertThat(given.fabric().lid(0)).as("the switch").isEqualTo(16);
        assertThat(new Subnet(1).assign(2, Lids.MAX_UNICAST).fabric().lid(0)).isEqualTo(8);
    }

    // Running out.

    @Test
    void lidsOfAbsentPortsAreReusedTheOldestFirst() {
        Subnet subnet = new Subnet(1, 2);
        subnet.table(entry(0xE1, 3, 3) + entry(1, 1, 1) + entry(0xE2, 2, 2) + entry(SWITCH, 4, 4));
        assertThat(subnet.lids(0, 4)).containsExactly(1, 3);
        assertThat(subnet.table.has(0xE1)).isFalse();
        assertThat(subnet.table.has(0xE2)).as("one was enough").isTrue();
    }

    @Test
    void asManyOfThemAsAreNeeded() {
        Subnet subnet = new Subnet(1, 2, 3);
        subnet.table(entry(0xE1, 4, 4) + entry(0xE2, 6, 6) + entry(0xE3, 7, 7) + entry(1, 2, 3));
        assertThat(subnet.lids(1, 7))
                .as("4 and 5 are free after one, 6 and 7 only after two more")
                .containsExactly(2, 4, 6);
        assertThat(subnet.table.text().lines().filter(line -> !line.isEmpty())).hasSize(4);
    }

    @Test
    void whatAlignmentLeftOverIsUsedBeforeEntriesAreGivenUp() {
        Subnet subnet = new Subnet(1).table(entry(0xEE, 4, 5));
        Assignment given = subnet.assign(1, 5);
        assertThat(subnet.lids(given)).containsExactly(2);
        assertThat(given.fabric().lid(0)).as("the switch").isEqualTo(1);
        assertThat(subnet.table.has(0xEE)).isTrue();
    }
}
