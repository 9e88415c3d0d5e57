package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;

/** What is known of the ways through the switches of a torus, each of which has a host and a cable to six others. */
final class WaysTest {
    /** Drops SL 3 and 15; another table where input and output are of the same direction. */
    private static final SlToVl VLS = new SlToVl() {
        @Override
        public long table(int switchIndex, int in, int out) {
            return in % 2 == out % 2 ? 0xF000_0000_0000_F000L : 0;
        }

        @Override
        public long endTable(int endPort) {
            return 0;
        }
    };

    private static final int SOME = 0b1010;

    private final Fabric fabric = FreshLids.assign(
            new SampleTorus(List.of(4, 4, 4), Set.of(), 1, 1, Set.of(), Set.of()).fabric(), Fabric.NONE);
    private final int[] farSwitch = new int[fabric.portCount()];
    private final boolean[] isCable = new boolean[fabric.portCount()];

    WaysTest() {
        for (int port = 0; port < farSwitch.length; port++) {
            int peer = fabric.peer(port);
            farSwitch[port] =
                    peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer)) ? Fabric.NONE : fabric.nodeOf(peer);
            isCable[port] = farSwitch[port] >= 0 && fabric.isSwitch(fabric.nodeOf(port));
        }
    }

    private Ways ways(int most) {
        return new Ways(fabric, VLS, farSwitch, isCable, isCable, most);
    }

    /** Returns the ports of a switch that lead to others. */
    private int[] cables(int sw) {
        return IntStream.rangeClosed(0, fabric.ports(sw))
                .map(port -> fabric.portIndex(sw, port))
                .filter(port -> isCable[port])
                .toArray();
    }

    private static int place(Ways ways, int in, int out) {
        return ways.place(ways.base(in), ways.rank(out));
    }

    @Test
    void outputsHaveRanks() {
        Ways ways = ways(Ways.MOST);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            assertThat(Arrays.stream(cables(sw)).map(ways::rank)).containsExactly(0, 1, 2, 3, 4, 5);
            assertThat(ways.rank(fabric.portIndex(sw, 0))).isNegative();
        }
        assertThat(fabric.hosts()).isNotEmpty().allMatch(host -> ways.rank(host) < 0);
    }

    @Test
    void nothingIsKeptOfPortsThatAreNoChannels() {
        Ways ways = ways(Ways.MOST);
        int management = fabric.portIndex(0, 0);
        int cable = cables(0)[0];
        assertThat(place(ways, Fabric.NONE, cable)).isEqualTo(Ways.NOT_KEPT);
        assertThat(place(ways, management, cable)).isEqualTo(Ways.NOT_KEPT);
        assertThat(place(ways, cable, management)).isEqualTo(Ways.NOT_KEPT);
        assertThat(fabric.hosts()).allMatch(host -> place(ways, host, cable) == Ways.NOT_KEPT);
    }

    /** Inputs whose tables to an output are the same are one way, and each remembers it. */
    @Test
    void inputsOfOneTableAreOneWay() {
        Ways ways = ways(Ways.MOST);
        List<Integer> places = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int out : cables(sw)) {
                int[] found = new int[2];
                for (int in : cables(sw)) {
                    assertThat(place(ways, in, out)).isEqualTo(Ways.NOT_FOUND);
                    int at = ways.find(in, out);
                    boolean drops = (fabric.portNumber(in) - fabric.portNumber(out)) % 2 == 0;
                    assertThat(ways.passing(at)).isEqualTo(drops ? 0x7FF7 : 0xFFFF);
                    assertThat(found[drops ? 0 : 1]).isIn(0, at);
                    found[drops ? 0 : 1] = at;
                    assertThat(place(ways, in, out)).isEqualTo(at);
                }
                places.add(found[0]);
                places.add(found[1]);
            }
        }
        assertThat(places).doesNotHaveDuplicates().allMatch(place -> place > 0);
    }

    /** Whatever is noted stays by itself: of each way to each output behind, however many there are. */
    @Test
    void whatIsNotedOfAWayConcernsNoOther() {
        Ways ways = ways(Ways.MOST);
        SplittableRandom random = new SplittableRandom(1);
        List<int[]> noted = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int out : cables(sw)) {
                for (int in : new int[] {cables(sw)[0], cables(sw)[1]}) {
                    int at = ways.find(in, out);
                    for (int rank = 0; rank < 6; rank++) {
                        int sls = random.nextInt(1 << 16);
                        assertThat(ways.known(at, rank)).isZero();
                        ways.setKnown(at, rank, sls & SOME);
                        ways.setKnown(at, rank, sls);
                        noted.add(new int[] {at, rank, sls, in, out});
                    }
                }
            }
        }
        for (int[] each : noted) {
            assertThat(ways.known(each[0], each[1])).isEqualTo(each[2]);
            assertThat(place(ways, each[3], each[4])).isEqualTo(each[0]);
            boolean drops = (fabric.portNumber(each[3]) - fabric.portNumber(each[4])) % 2 == 0;
            assertThat(ways.passing(each[0])).isEqualTo(drops ? 0x7FF7 : 0xFFFF);
        }
    }

    @Test
    void anEdgeIsNewOnce() {
        Ways ways = ways(Ways.MOST);
        for (int turn = 0; turn < 2; turn++) {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int out : cables(sw)) {
                    for (int held = 0; held < 3; held++) {
                        int from = Channel.number(out, held);
                        for (int rank = 0; rank < 6; rank++) {
                            for (int vl : new int[] {0, 1, 14}) {
                                assertThat(ways.isNew(from, rank, vl)).isEqualTo(turn == 0);
                            }
                        }
                        assertThat(ways.isKept(from)).isTrue();
                    }
                }
            }
        }
    }

    /** Of the first switch there are six cables with six outputs each. */
    @Test
    void pairsForWhichThereIsNoRoomAreNotKept() {
        int[] cables = cables(0);
        assertThat(Arrays.stream(cables).map(ways(36)::base)).containsExactly(0, 6, 12, 18, 24, 30);
        Ways ways = ways(35);
        assertThat(Arrays.stream(cables).map(ways::base)).containsExactly(0, 6, 12, 18, 24, Ways.NOT_KEPT);
        assertThat(place(ways, cables[5], cables[0])).isEqualTo(Ways.NOT_KEPT);
        assertThat(ways.find(cables[0], cables[1])).isEqualTo(Ways.NOT_KEPT);
        assertThat(place(ways, cables[0], cables[1])).isEqualTo(Ways.NOT_KEPT);
    }

    /** All pairs fit; then there is room for one way with seven sets, or for what is behind one channel. */
    @Test
    void setsForWhichThereIsNoRoomAreNotKept() {
        int pairs = 36 * fabric.switchCount();
        int[] cables = cables(0);
        Ways ways = ways(pairs + 7);
        assertThat(ways.find(cables[0], cables[1])).isPositive();
        assertThat(ways.find(cables[0], cables[2])).isEqualTo(Ways.NOT_KEPT);
        assertThat(ways(pairs + 6).find(cables[0], cables[1])).isEqualTo(Ways.NOT_KEPT);
        int first = Channel.number(cables[0], 0);
        int second = Channel.number(cables[1], 0);
        ways = ways(pairs + 11);
        for (boolean again : new boolean[] {false, true}) {
            assertThat(ways.isNew(first, 0, 0)).isNotEqualTo(again);
            assertThat(ways.isKept(first)).isTrue();
            assertThat(ways.isNew(second, 0, 0)).isTrue();
            assertThat(ways.isKept(second)).isFalse();
        }
    }

    /** With less room the check takes longer, and finds the same. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20, 60, 150})
    void theCheckFindsTheSameWithLittleRoom(int most) {
        SplittableRandom random = new SplittableRandom(most);
        for (int round = 0; round < 10; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(5), 2 + random.nextInt(6));
            Routing routing =
                    SmallNetwork.routing(network.rows(round % 3), network.sls(false), network.vls(3, round % 2 == 0));
            CheckOptions options = CheckOptions.DEFAULT.withMulticast(false).withHostChannels(round % 5 == 0);
            FaultLog faults = new FaultLog();
            FaultLog expected = new FaultLog();
            assertThat(edges(network.fabric(), routing, options, faults, most))
                    .isEqualTo(edges(network.fabric(), routing, options, expected, Ways.MOST));
            assertThat(faults.count()).isEqualTo(expected.count());
            assertThat(faults.kept()).isEqualTo(expected.kept());
        }
    }

    private static long[] edges(Fabric fabric, Routing routing, CheckOptions options, FaultLog faults, int most) {
        SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
        DependencyGraph graph = new DependencyGraph();
        new UnicastWalk(fabric, routing, sources, options, graph, faults, SlClaims.NOBODY, most)
                .addAll(new DestinationClasses(fabric, routing, options).all());
        return graph.sortedEdges();
    }
}
