package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** What the verifier says of routes that do not arrive, and of multicast trees: on a ring of three switches. */
final class VerifierWordsTest {
    private static final int GROUP = 0xC000;
    private static final int UNUSED = 2;
    private static final int NEXT = 3;
    /** Also the last port of the switch. */
    private static final int BEFORE = 4;

    private static final String RING = """
        Switch 4 "S-a"
        [1] "H-a"[1]
        [3] "S-b"[4]
        [4] "S-c"[3]

        Switch 4 "S-b"
        [1] "H-b"[1]
        [3] "S-c"[4]
        [4] "S-a"[3]

        Switch 4 "S-c"
        [1] "H-c"[1]
        [3] "S-a"[4]
        [4] "S-b"[3]

        Ca 1 "H-a"
        [1] "S-a"[1]

        Ca 1 "H-b"
        [1] "S-b"[1]

        Ca 1 "H-c"
        [1] "S-c"[1]
        """;

    private final Fabric fabric = FreshLids.assign(NetFile.parse(RING).fabric(), Fabric.NONE);
    private final byte[][] rows = new byte[3][fabric.maxLid() + 1];
    private PathSls sls = PathSls.constant(0);
    private SlToVl slToVl = SlToVl.uniform(0);
    private MulticastTables multicast = MulticastTables.NONE;
    private Certificate certificate = new Certificate(new int[0], new int[0]);

    VerifierWordsTest() {
        for (int at = 0; at < 3; at++) {
            for (int to = 0; to < 3; to++) {
                rows[at][host(to)] = (byte) (to == at ? 1 : to == (at + 1) % 3 ? NEXT : BEFORE);
            }
        }
    }

    /** Returns the LID of the host of a switch. */
    private int host(int sw) {
        return fabric.lid(fabric.peer(fabric.portIndex(sw, 1)));
    }

    private Routing routing() {
        return new Routing("by hand", new ForwardingTables(rows), sls, slToVl, multicast, List.of());
    }

    private Optional<String> violation() {
        return Verification.firstViolation(fabric, routing(), CheckOptions.DEFAULT, certificate);
    }

    private void assertLost(String words) {
        assertThat(violation()).hasValueSatisfying(text -> assertThat(text).isEqualTo(words));
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing(), CheckOptions.DEFAULT, certificate))
                .as("as far as they go")
                .isEmpty();
    }

    @Test
    void routesThatArriveNeedNoNumbersWhereNothingWaits() {
        assertThat(violation()).isEmpty();
    }

    @Test
    void aSwitchWithoutAnEntry() {
        rows[0][host(1)] = (byte) ForwardingTables.NO_PATH;
        assertLost("no route at S-a to LID " + host(1));
    }

    @Test
    void anEntryForAPortThatIsNotThere() {
        rows[0][host(1)] = 5;
        assertLost("no route at S-a to LID " + host(1));
    }

    @Test
    void anEntryForAPortWithoutCable() {
        rows[0][host(1)] = UNUSED;
        assertLost("wrong end at S-a to LID " + host(1));
    }

    @Test
    void anEntryForAnotherHost() {
        rows[1][host(2)] = 1;
        assertLost("wrong end at S-b to LID " + host(2));
    }

    @Test
    void theLastSwitchSendsElsewhere() {
        rows[2][host(2)] = (byte) ForwardingTables.NO_PATH;
        assertLost("no route at S-c to LID " + host(2));
    }

    @Test
    void aTableThatDropsAnSl() {
        slToVl = tables((sw, out) -> sw == 0 && out == NEXT ? SlToVl.DROP : 0);
        assertLost("SL 0 is dropped at " + fabric.portName(fabric.portIndex(0, NEXT)));
    }

    @Test
    void eachPairNeedsAnSl() {
        for (int from = 0; from < 3; from++) {
            for (int to = 0; to < 3; to++) {
                int source = host(from);
                int destination = host(to);
                sls = RuledSls.without(fabric, source, destination);
                if (from != to) {
                    assertLost("no SL from LID " + source + " to LID " + destination);
                } else {
                    assertThat(violation()).as("from a port to itself").isEmpty();
                }
            }
        }
    }

    private interface Vl {
        int of(int sw, int out);
    }

    private static SlToVl tables(Vl vl) {
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                long all = 0;
                for (int sl = 0; sl < 16; sl++) {
                    all |= (long) vl.of(switchIndex, out) << 4 * sl;
                }
                return all;
            }

            @Override
            public long endTable(int endPort) {
                return 0;
            }
        };
    }

    /** A tree of the ports of the three switches. */
    private void tree(List<Integer> a, List<Integer> b, List<Integer> c) {
        PortMask[] ports = {mask(a), mask(b), mask(c)};
        multicast = new MulticastTables(new TreeMap<>(Map.of(GROUP, new MulticastTables.Tree(0, ports))));
    }

    private static PortMask mask(List<Integer> ports) {
        return PortMask.of(ports.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Numbers for channels on VL 0: switch and port, in pairs. */
    private void numbers(int... switchesAndPorts) {
        TreeMap<Integer, Integer> numbers = new TreeMap<>();
        for (int i = 0; i < switchesAndPorts.length; i += 2) {
            numbers.put(fabric.portIndex(switchesAndPorts[i], switchesAndPorts[i + 1]) << 4, i / 2);
        }
        certificate = new Certificate(
                numbers.keySet().stream().mapToInt(Integer::intValue).toArray(),
                numbers.values().stream().mapToInt(Integer::intValue).toArray());
    }

    @Test
    void aTreeNeedsNumbersThatRise() {
        tree(List.of(1, NEXT), List.of(1, NEXT, BEFORE), List.of(1, BEFORE));
        numbers(0, NEXT, 1, NEXT, 2, BEFORE, 1, BEFORE);
        assertThat(violation()).isEmpty();
        numbers(0, NEXT, 1, NEXT, 1, BEFORE, 2, BEFORE);
        assertThat(violation())
                .hasValue("multicast: number 3 is followed by 2 at " + fabric.portName(fabric.portIndex(1, BEFORE)));
        numbers(1, NEXT, 0, NEXT, 2, BEFORE, 1, BEFORE);
        assertThat(violation())
                .hasValue("multicast: number 1 is followed by 0 at " + fabric.portName(fabric.portIndex(1, NEXT)));
        numbers();
        assertThat(violation()).as("none at all").isPresent();
        int[] channels = {fabric.portIndex(0, NEXT) << 4, fabric.portIndex(1, NEXT) << 4};
        certificate = new Certificate(channels, new int[] {5, 5});
        assertThat(violation())
                .as("the same is not larger")
                .hasValue("multicast: number 5 is followed by 5 at " + fabric.portName(fabric.portIndex(1, NEXT)));
    }

    /** Only what goes on has to have a number, and ports without cable and hosts lead nowhere. */
    @Test
    void aTreeOfTwoSwitchesNeedsNone() {
        tree(List.of(1, UNUSED, NEXT), List.of(1, BEFORE), List.of(1));
        assertThat(violation()).isEmpty();
    }

    @Test
    void aTreeThatClosesARing() {
        tree(List.of(1, NEXT, BEFORE), List.of(1, NEXT, BEFORE), List.of(1, NEXT, BEFORE));
        numbers(0, NEXT, 1, NEXT, 2, NEXT);
        assertThat(violation()).isPresent();
        tree(List.of(1, NEXT), List.of(1, NEXT), List.of(1, NEXT));
        assertThat(violation())
                .as("one way round")
                .hasValue("a multicast packet comes twice to " + fabric.portName(fabric.portIndex(0, NEXT)));
        tree(List.of(1, BEFORE), List.of(1, BEFORE), List.of(1, BEFORE));
        numbers(0, BEFORE, 2, BEFORE, 1, BEFORE);
        assertThat(violation())
                .as("the other way round")
                .hasValue("a multicast packet comes twice to " + fabric.portName(fabric.portIndex(0, BEFORE)));
    }

    private static final String FORK = """
        Switch 3 "S-b"
        [1] "H-b"[1]
        [2] "S-a"[2]
        [3] "S-c"[1]

        Switch 3 "S-a"
        [1] "H-a"[1]
        [2] "S-b"[2]
        [3] "S-c"[2]

        Switch 3 "S-c"
        [1] "S-b"[3]
        [2] "S-a"[3]
        [3] "S-d"[3]

        Switch 3 "S-d"
        [1] "H-d"[1]
        [3] "S-c"[3]

        Ca 1 "H-a"
        [1] "S-a"[1]

        Ca 1 "H-b"
        [1] "S-b"[1]

        Ca 1 "H-d"
        [1] "S-d"[1]
        """;

    /** What b sends is followed before, and all numbers rise; but a sends to c over b and over a cable of its own. */
    @Test
    void twoCopiesThatMeetUseACableTwice() {
        Fabric fork = FreshLids.assign(NetFile.parse(FORK).fabric(), Fabric.NONE);
        PortMask[] ports = {mask(List.of(3)), mask(List.of(2, 3)), mask(List.of(3)), mask(List.of(1))};
        Routing groups = new Routing(
                "by hand",
                new ForwardingTables(new byte[4][0]),
                sls,
                slToVl,
                new MulticastTables(new TreeMap<>(Map.of(GROUP, new MulticastTables.Tree(0, ports)))),
                List.of());
        int[] channels = {
            fork.portIndex(0, 3) << 4, fork.portIndex(1, 2) << 4, fork.portIndex(1, 3) << 4, fork.portIndex(2, 3) << 4
        };
        Certificate rising = new Certificate(channels, new int[] {1, 0, 2, 3});
        assertThat(Verification.firstViolationOfWhatIsRouted(fork, groups, CheckOptions.DEFAULT, rising))
                .hasValue("a multicast packet comes twice to " + fork.portName(fork.portIndex(2, 3)));
    }

    /** Two copies come to a switch, by two cables. */
    @Test
    void aRingThatNoPacketGoesRound() {
        tree(List.of(1, NEXT, BEFORE), List.of(1, NEXT), List.of(1));
        numbers(0, NEXT, 1, NEXT);
        assertThat(violation()).isEmpty();
        numbers(1, NEXT, 0, NEXT);
        assertThat(violation()).isPresent();
    }

    /** The VLs of the group's SL are those that count. */
    @Test
    void eachVlHasItsNumber() {
        tree(List.of(1, NEXT), List.of(1, NEXT, BEFORE), List.of(1, BEFORE));
        slToVl = tables((sw, out) -> sw == 1 ? 1 : 0);
        numbers(0, NEXT, 1, NEXT, 2, BEFORE, 1, BEFORE);
        assertThat(violation()).as("of VL 0 where VL 1 is used").isPresent();
        int[] channels = {
            fabric.portIndex(0, NEXT) << 4,
            fabric.portIndex(1, NEXT) << 4 | 1,
            fabric.portIndex(1, BEFORE) << 4 | 1,
            fabric.portIndex(2, BEFORE) << 4
        };
        certificate = new Certificate(channels, new int[] {0, 2, 3, 1});
        assertThat(violation()).isEmpty();
        certificate = new Certificate(channels, new int[] {2, 0, 3, 1});
        assertThat(violation()).isPresent();
    }
}
