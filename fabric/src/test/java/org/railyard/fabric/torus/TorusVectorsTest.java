package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.DirectionRule;
import org.railyard.fabric.torus.grid.HopReason;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.qos.QosMode;
import org.railyard.fabric.torus.tables.TorusPath;
import org.railyard.testkit.Requirement;

/** The paths of spec 30 §6, hop by hop with their VLs and SLs. */
class TorusVectorsTest {
    private static final SlToVlRule EIGHT_VLS = new SlToVlRule(8, 8);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6 5 1 | | | 1,1 2,1 3,1 3,2 3,3 | 0 0 0 0 | 0",
                "6 5 1 | | 1,1-2,1 | 1,1 0,1 5,1 4,1 3,1 3,2 3,3 | 0 0 0 0 0 0 | 0",
                "6 5 1 | | 2,1-3,1 | 1,1 0,1 5,1 4,1 3,1 3,2 3,3 | 0 0 0 0 0 0 | 0",
                "6 5 1 | 3,1 | | 1,1 2,1 2,2 3,2 3,3 | 0 0 2 0 | 0",
                "6 6 1 | 3,1 3,2 | | 1,1 2,1 2,2 2,3 3,3 3,4 | 0 0 0 2 0 | 0",
                "6 6 1 | 3,1 4,1 | | 1,1 2,1 2,2 3,2 4,2 4,3 | 0 0 2 0 0 | 0",
                "5 5 5 | | | 4,0,3 0,0,3 1,0,3 1,4,3 1,4,4 1,4,0 | 1 1 1 1 1 | 7",
                "5 5 5 | 2,2,2 | | 0,2,2 1,2,2 1,2,3 2,2,3 2,2,4 | 0 0 2 0 | 0",
                "5 5 5 | 2,2,2 | | 2,0,2 2,1,2 2,1,3 2,2,3 2,2,4 | 0 0 2 0 | 0"
            })
    void pathsAreThoseOfTheSpecification(String dims, String missing, String broken, String path, String vls, int sl) {
        TorusGrid grid = GridText.grid(dims, missing, broken);
        List<Integer> expected = GridText.positions(grid.shape(), path);
        TorusPath found = TorusPath.walk(
                        new DimensionOrder(grid, DirectionRule.RING),
                        EIGHT_VLS,
                        QosMode.TWO_LEVELS,
                        expected.getFirst(),
                        expected.getLast(),
                        0)
                .orElseThrow();
        assertThat(positions(found)).isEqualTo(expected);
        assertThat(vls(found)).isEqualTo(vls);
        assertThat(found.sl()).isEqualTo(sl);
    }

    @Test
    @Requirement({"t2q-026", "t2q-027", "t2q-029"})
    void anIllegalTurnIsMarkedByItsVl() {
        TorusGrid whole = GridText.grid("7 6 1", "", "");
        assertThat(walk(whole, "2,1", "5,3")).isEqualTo("(2,1,0) (3,1,0) (4,1,0) (5,1,0) (5,2,0) (5,3,0) VL 0 0 0 0 0");

        TorusGrid failed = GridText.grid("7 6 1", "5,1", "");
        assertThat(walk(failed, "2,1", "5,3"))
                .isEqualTo("(2,1,0) (3,1,0) (4,1,0) (4,2,0) (5,2,0) (5,3,0) VL 0 0 0 2 0");
        int source = failed.shape().position(2, 1, 0);
        int target = failed.shape().position(5, 3, 0);
        assertThat(path(failed, source, target).hops())
                .extracting(TorusPath.Hop::reason)
                .containsExactly(
                        HopReason.TOWARDS_HOLE,
                        HopReason.TOWARDS_HOLE,
                        HopReason.EARLY_TURN,
                        HopReason.ILLEGAL_TURN,
                        HopReason.SHORT_WAY);
    }

    @Test
    @Requirement("t2q-016")
    void withoutFaultsDimensionsComeInOrder() {
        TorusGrid grid = GridText.grid("4 5 3", "", "");
        for (int from = 0; from < grid.shape().positions(); from++) {
            for (int to = 0; to < grid.shape().positions(); to++) {
                List<Integer> dimensions = path(grid, from, to).hops().stream()
                        .map(hop -> TorusGroup.dimension(hop.group()))
                        .toList();
                assertThat(dimensions).isSorted();
            }
        }
    }

    @Test
    @Requirement({"t2q-023", "t2q-024"})
    void aBrokenGroupAddsNoTurns() {
        TorusGrid whole = GridText.grid("5 5 1", "", "");
        TorusGrid broken = GridText.grid("5 5 1", "", "1,1-2,1 3,2-3,3 0,4-4,4");
        TorusShape shape = whole.shape();
        int longWays = 0;
        for (int from = 0; from < shape.positions(); from++) {
            for (int to = 0; to < shape.positions(); to++) {
                TorusPath before = path(whole, from, to);
                TorusPath after = path(broken, from, to);
                assertThat(turns(after)).isEqualTo(turns(before));
                assertThat(after.sl()).isEqualTo(before.sl());
                for (int dimension = 0; dimension < 2; dimension++) {
                    int d = dimension;
                    boolean cut = before.hops().stream()
                            .anyMatch(hop -> TorusGroup.dimension(hop.group()) == d && isBroken(broken, hop));
                    long direct = hops(before, d);
                    assertThat(hops(after, d)).isEqualTo(cut ? shape.radix(d) - direct : direct);
                    longWays += cut ? 1 : 0;
                }
                assertThat(after.hops()).noneMatch(hop -> isBroken(broken, hop));
            }
        }
        assertThat(longWays).isPositive();
    }

    private static long hops(TorusPath path, int dimension) {
        return path.hops().stream()
                .filter(hop -> TorusGroup.dimension(hop.group()) == dimension)
                .count();
    }

    private static boolean isBroken(TorusGrid grid, TorusPath.Hop hop) {
        return !grid.isCabled(hop.from(), hop.group());
    }

    @Test
    void directionAndWrapAreThoseOfTheTable() {
        assertThat(table(4)).containsExactly(". +0 +0 -1", "-0 . +0 +0", "-0 -0 . +0", "+1 -0 -0 .");
        assertThat(table(5))
                .containsExactly(". +0 +0 -1 -1", "-0 . +0 +0 -1", "-0 -0 . +0 +0", "+1 -0 -0 . +0", "+1 +1 -0 -0 .");
    }

    @Test
    void aRowIsWhatEachAnswerIs() {
        for (TorusGrid grid : List.of(
                GridText.grid("5 4 3", "1,1,1 2,3,0", "0,0,0-1,0,0 3,1,2-3,2,2 4,3,1-4,3,2"),
                GridText.grid("4 4 1", "1,1 2,1 3,3", ""),
                GridText.grid("1 5 6", "0,1,1 0,1,2", "0,0,0-0,4,0"),
                GridText.mesh("5 3 4", "2,1,1"))) {
            for (DirectionRule rule : DirectionRule.values()) {
                DimensionOrder order = new DimensionOrder(grid, rule);
                byte[] row = new byte[grid.shape().positions()];
                for (int at = 0; at < row.length; at++) {
                    order.row(at, row);
                    for (int target = 0; target < row.length; target++) {
                        assertThat((int) row[target]).isEqualTo(order.nextGroup(at, target));
                    }
                }
            }
        }
    }

    private static List<String> table(int radix) {
        TorusShape shape = TorusShape.torus(radix, 1, 1);
        List<String> rows = new ArrayList<>();
        for (int a = 0; a < radix; a++) {
            int from = a;
            rows.add(Stream.iterate(0, b -> b + 1)
                    .limit(radix)
                    .map(b -> b == from
                            ? "."
                            : (shape.direction(0, from, b) > 0 ? "+" : "-") + (shape.wraps(0, from, b) ? "1" : "0"))
                    .collect(Collectors.joining(" ")));
        }
        return rows;
    }

    private static int turns(TorusPath path) {
        int turns = 0;
        for (int i = 1; i < path.hops().size(); i++) {
            int before = path.hops().get(i - 1).group();
            turns += TorusGroup.dimension(before)
                            == TorusGroup.dimension(path.hops().get(i).group())
                    ? 0
                    : 1;
        }
        return turns;
    }

    private static TorusPath path(TorusGrid grid, int from, int to) {
        return TorusPath.walk(new DimensionOrder(grid, DirectionRule.RING), EIGHT_VLS, QosMode.TWO_LEVELS, from, to, 0)
                .orElseThrow();
    }

    private static String walk(TorusGrid grid, String from, String to) {
        TorusPath path = path(
                grid,
                GridText.positions(grid.shape(), from).getFirst(),
                GridText.positions(grid.shape(), to).getFirst());
        return positions(path).stream().map(grid.shape()::name).collect(Collectors.joining(" ")) + " VL " + vls(path);
    }

    private static List<Integer> positions(TorusPath path) {
        List<Integer> positions = new ArrayList<>(List.of(path.hops().getFirst().from()));
        path.hops().forEach(hop -> positions.add(hop.to()));
        return positions;
    }

    private static String vls(TorusPath path) {
        return path.hops().stream().map(hop -> Integer.toString(hop.vl())).collect(Collectors.joining(" "));
    }

    @Test
    @Requirement({"t2q-017", "t2q-018"})
    void anSlBitPerDimensionSaysThatTheShortWayCrossesTheDateline() {
        TorusShape shape = TorusShape.torus(5, 6, 7);
        for (int from = 0; from < shape.positions(); from++) {
            for (int to = 0; to < shape.positions(); to++) {
                int bits = 0;
                for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                    int at = from;
                    for (; shape.coordinate(at, d) != shape.coordinate(to, d); ) {
                        int direction = shape.direction(d, shape.coordinate(from, d), shape.coordinate(to, d));
                        int next = shape.step(at, TorusGroup.of(d, direction));
                        bits |= Math.abs(shape.coordinate(at, d) - shape.coordinate(next, d)) > 1 ? 1 << d : 0;
                        at = next;
                    }
                }
                assertThat(shape.datelineBits(from, to)).isEqualTo(bits).isEqualTo(shape.datelineBits(to, from));
            }
        }
    }

    @ParameterizedTest
    @Requirement({"t2q-008", "t2q-009", "t2q-019", "t2q-020", "t2q-021", "t2q-022"})
    @CsvSource({
        "8, 2, 0, 2 3 2 3 2 3 2 3 6 7 6 7 6 7 6 7",
        "8, 0, 2, 0 0 0 0 1 1 1 1 4 4 4 4 5 5 5 5",
        "8, 1, 3, 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1",
        "8, 3, 1, 0 0 1 1 0 0 1 1 4 4 5 5 4 4 5 5",
        "15, 2, 1, 2 2 3 3 2 2 3 3 6 6 7 7 6 6 7 7",
        "4, 2, 0, 2 3 2 3 2 3 2 3 2 3 2 3 2 3 2 3",
        "4, 0, 2, 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1",
        "2, 2, 0, 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1",
        "2, 0, 2, 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1"
    })
    void slToVlTablesAreThoseOfTheSpecification(int vls, int in, int out, String table) {
        SlToVlRule rule = new SlToVlRule(vls, vls);
        int[] expected =
                Arrays.stream(table.split(" ")).mapToInt(Integer::parseInt).toArray();
        for (int sl = 0; sl < SlToVlRule.SLS; sl++) {
            assertThat(rule.vl(in, out, sl)).isEqualTo(expected[sl]);
        }
    }

    @Test
    void theOutputPortLimitsTheVl() {
        assertThat(SlToVlRule.masked(7, 5)).isEqualTo(7);
        assertThat(SlToVlRule.masked(7, 4)).isEqualTo(7);
        assertThat(SlToVlRule.masked(7, 3)).isEqualTo(3);
        assertThat(SlToVlRule.masked(7, 2)).isEqualTo(1);
        assertThat(SlToVlRule.masked(7, 1)).isZero();
    }
}
