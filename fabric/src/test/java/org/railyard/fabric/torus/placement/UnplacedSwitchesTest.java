package org.railyard.fabric.torus.placement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.TestTorus;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** What is said of switches without place: those that may be part of the torus, and those that can not (spec 30 §3). */
class UnplacedSwitchesTest {
    private static final TorusShape SHAPE = TorusShape.torus(5, 5, 1);
    private static final int SEED = SHAPE.position(2, 2, 0);
    private static final String LOOK = "; look at the radices, the seed links and the cables of these switches";

    /** A torus in the making, to which switches are added that have no place in it. */
    private static final class Cabling {
        private static final int PORTS = 20;

        private final FabricBuilder builder = new FabricBuilder();
        private final TorusShape shape;
        private final List<NodeBuilder> switches = new ArrayList<>();
        private final int[] free = new int[100];

        Cabling(TorusShape shape, IntPredicate isThere) {
            this.shape = shape;
            Arrays.fill(free, 1);
            TestTorus guids = new TestTorus(shape);
            for (int at = 0; at < shape.positions(); at++) {
                switches.add(builder.node(NodeType.SWITCH, guids.guid(at), PORTS, "S" + shape.name(at)));
            }
            for (int at = 0; at < shape.positions(); at++) {
                for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                    int next = shape.step(at, TorusGroup.plus(d));
                    if (next >= 0 && isThere.test(at) && isThere.test(next)) {
                        join(at, next);
                    }
                }
            }
        }

        /** Adds a switch that is joined to others, and returns its number. */
        int add(int... others) {
            int number = switches.size();
            int name = number - shape.positions();
            switches.add(builder.node(NodeType.SWITCH, 0xE0 + name, PORTS, "E" + name));
            for (int other : others) {
                join(number, other);
            }
            return number;
        }

        void join(int one, int other) {
            builder.connect(switches.get(one), free[one]++, switches.get(other), free[other]++);
        }
    }

    private static Cabling whole() {
        return new Cabling(SHAPE, _ -> true);
    }

    private static Cabling without(int hole) {
        return new Cabling(SHAPE, at -> at != hole);
    }

    /** What is said of a fabric. */
    private static final class Said {
        private final Fabric fabric;
        private final SwitchGraph graph;
        private final TorusConf conf;
        private final Placement placement;

        Said(Cabling cabling, TorusConf conf) {
            fabric = cabling.builder.build();
            graph = SwitchGraph.of(fabric);
            this.conf = conf;
            placement = requireNonNull(new Placer(fabric, graph, conf).place(false, new ArrayList<>()));
        }

        Said(Cabling cabling) {
            this(cabling, new TestTorus(SHAPE).conf(SEED));
        }

        List<String> problems(int maxNamed, boolean extras) {
            return UnplacedSwitches.problems(fabric, graph, conf, placement, maxNamed, extras).stream()
                    .map(Refusal.Reason::text)
                    .toList();
        }

        Optional<String> warning(int maxNamed) {
            return UnplacedSwitches.warning(fabric, graph, placement, maxNamed);
        }

        boolean isRouted() {
            return problems(9, true).isEmpty();
        }
    }

    @Test
    void nothingIsSaidOfATorus() {
        Said said = new Said(whole());
        assertThat(said.problems(9, true)).isEmpty();
        assertThat(said.problems(9, false)).isEmpty();
        assertThat(said.warning(9)).isEmpty();
    }

    @Test
    void oneSwitchIsNamed() {
        Cabling cabling = whole();
        cabling.add(7);
        Said said = new Said(cabling);
        assertThat(said.problems(1, true)).isEmpty();
        assertThat(said.problems(1, false))
                .containsExactly("1 of 26 switches have no place in the 5 x 5 x 1 torus: E0 (0xe0)" + LOOK);
        assertThat(said.warning(1))
                .hasValue("warning: 1 switch is not part of the torus and routed around;"
                        + " no way leads to it or to hosts on it: E0");
    }

    /** A switch counts as well that is joined to the torus over others only. */
    @Test
    void someAreNamedOfMany() {
        Cabling cabling = whole();
        cabling.add(cabling.add(cabling.add(7)));
        Said said = new Said(cabling);
        assertThat(said.problems(9, true)).isEmpty();
        assertThat(said.problems(3, false))
                .containsExactly("3 of 28 switches have no place in the 5 x 5 x 1 torus: "
                        + "E0 (0xe0), E1 (0xe1), E2 (0xe2)" + LOOK);
        assertThat(said.problems(2, false))
                .containsExactly(
                        "3 of 28 switches have no place in the 5 x 5 x 1 torus: " + "E0 (0xe0), E1 (0xe1) …" + LOOK);
        String words = "warning: 3 switches are not part of the torus and routed around;"
                + " no way leads to them or to hosts on them: ";
        assertThat(said.warning(3)).hasValue(words + "E0, E1, E2");
        assertThat(said.warning(2)).hasValue(words + "E0, E1 …");
    }

    @Test
    void anotherSubnetIsNoProblem() {
        Cabling cabling = whole();
        cabling.join(cabling.add(), cabling.add());
        Said said = new Said(cabling);
        assertThat(said.problems(9, false)).isEmpty();
        assertThat(said.warning(9)).isEmpty();
    }

    /** Who is joined to the neighbour of an empty place, itself or over others, may belong there. */
    @Test
    void whoMayBelongToAnEmptyPlaceIsNoExtra() {
        for (int hole : new int[] {0, 4, 6, 24}) {
            for (int at = 0; at < SHAPE.positions(); at++) {
                if (at != hole) {
                    Cabling one = without(hole);
                    one.add(at);
                    boolean isBeside = SHAPE.groupBetween(hole, at) != TorusGroup.NONE;
                    assertThat(new Said(one).isRouted())
                            .as("%d, joined to %d", hole, at)
                            .isNotEqualTo(isBeside);
                    Cabling two = without(hole);
                    two.add(two.add(at));
                    assertThat(new Said(two).isRouted())
                            .as("%d, over one to %d", hole, at)
                            .isNotEqualTo(isBeside);
                }
            }
        }
    }

    /** A dimension with one more switch in each ring than it is configured with. */
    @Test
    void whatClosesEveryRingIsNoExtra() {
        TorusShape open = TorusShape.of(new int[] {5, 5, 1}, new boolean[] {true, false, false});
        for (int rings = 1; rings <= 5; rings++) {
            Cabling cabling = new Cabling(open, _ -> true);
            for (int y = 0; y < rings; y++) {
                cabling.add(SHAPE.position(4, y, 0), SHAPE.position(0, y, 0));
            }
            assertThat(new Said(cabling).isRouted()).as("%d rings of 5", rings).isEqualTo(rings < 5);
        }
        Cabling closed = whole();
        for (int y = 0; y < 5; y++) {
            closed.add(SHAPE.position(4, y, 0), SHAPE.position(0, y, 0));
        }
        assertThat(new Said(closed).isRouted()).as("beside cables").isTrue();
    }

    /** Wherever the empty place is by the seed. */
    @Test
    void aRadixThatIsTooBigIsToldOfEachDimension() {
        TorusShape small = TorusShape.torus(5, 6, 1);
        TorusShape wide = TorusShape.torus(6, 6, 1);
        TorusSeed seed = new TestTorus(small).seed(0);
        for (int dateline = 0; dateline < 6; dateline++) {
            TorusSeed moved = new TorusSeed(seed.links(), dateline, 0, 0);
            Said said =
                    new Said(new Cabling(small, _ -> true), new TorusConf(wide, List.of(moved), 255, List.of(), 32));
            assertThat(said.problems(9, true))
                    .as("%d", dateline)
                    .containsExactly("in every x ring a cable leads over a place without switch: the radix of x"
                            + " is 6 in the configuration, but less in the fabric");
        }
    }

    /** Broken are cables then, and not the configuration. */
    @Test
    void aPlaceWithoutSwitchIsNoMistakeByItself() {
        Cabling cabling = without(0);
        int[] beside = IntStream.range(0, TorusGroup.COUNT)
                .map(group -> SHAPE.step(0, group))
                .filter(at -> at >= 0)
                .toArray();
        assertThat(new Said(cabling).isRouted()).isTrue();
        cabling = without(0);
        cabling.join(beside[0], beside[1]);
        assertThat(new Said(cabling).isRouted()).as("one ring leads over it").isTrue();
    }
}
