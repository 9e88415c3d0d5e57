package org.railyard.fabric.torus.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The arithmetic of coordinates, against what the words of spec 30 §3.4 and §4 say. */
class TorusShapeTest {
    private static final List<TorusShape> SHAPES = List.of(
            TorusShape.torus(5, 4, 3),
            TorusShape.torus(2, 3, 1),
            TorusShape.of(new int[] {3, 4, 5}, new boolean[] {true, false, true}));

    @Test
    void positionsAreCountedXFirst() {
        for (TorusShape shape : SHAPES) {
            int position = 0;
            for (int z = 0; z < shape.radix(2); z++) {
                for (int y = 0; y < shape.radix(1); y++) {
                    for (int x = 0; x < shape.radix(0); x++) {
                        assertThat(shape.position(x, y, z)).isEqualTo(position);
                        assertThat(List.of(
                                        shape.coordinate(position, 0),
                                        shape.coordinate(position, 1),
                                        shape.coordinate(position, 2)))
                                .containsExactly(x, y, z);
                        assertThat(shape.name(position)).isEqualTo("(" + x + "," + y + "," + z + ")");
                        position++;
                    }
                }
            }
            assertThat(shape.positions()).isEqualTo(position);
            assertThat(shape.position(-1, shape.radix(1), -2 * shape.radix(2)))
                    .as("modulo")
                    .isEqualTo(shape.radix(0) - 1);
        }
    }

    @Test
    void aStepLeadsToTheNeighbourAndAnOpenEdgeNowhere() {
        for (TorusShape shape : SHAPES) {
            for (int at = 0; at < shape.positions(); at++) {
                for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                    int last = shape.radix(d) - 1;
                    int c = shape.coordinate(at, d);
                    int up = c == last && shape.open(d) ? -1 : shape.with(at, d, c + 1);
                    int down = c == 0 && shape.open(d) ? -1 : shape.with(at, d, c - 1);
                    assertThat(shape.step(at, TorusGroup.plus(d))).isEqualTo(up);
                    assertThat(shape.step(at, TorusGroup.minus(d))).isEqualTo(down);
                    assertThat(shape.coordinate(shape.with(at, d, last), d)).isEqualTo(last);
                }
                for (int group = 0; group < TorusGroup.COUNT; group++) {
                    int next = shape.step(at, group);
                    if (next >= 0) {
                        assertThat(shape.groupBetween(at, next)).isEqualTo(group);
                        assertThat(shape.step(next, TorusGroup.opposite(group))).isEqualTo(at);
                    }
                }
                assertThat(shape.groupBetween(at, at)).isEqualTo(TorusGroup.NONE);
            }
        }
    }

    @Test
    void dimensionsOfOneOrTwoAreOpen() {
        TorusShape shape = TorusShape.torus(2, 3, 1);
        assertThat(List.of(shape.open(0), shape.open(1), shape.open(2))).containsExactly(true, false, true);
        assertThat(List.of(shape.active(0), shape.active(1), shape.active(2))).containsExactly(true, true, false);
    }

    @Test
    void theShortWayCrossesTheDatelineWhereItIsShorterAndATieDoesNot() {
        TorusShape shape = TorusShape.torus(6, 5, 1);
        List<Integer> from0 = new ArrayList<>();
        List<Integer> from4 = new ArrayList<>();
        for (int c = 0; c < 6; c++) {
            from0.add(shape.direction(0, 0, c));
            from4.add(shape.direction(0, 4, c));
        }
        assertThat(from0).containsExactly(0, 1, 1, 1, -1, -1);
        assertThat(from4).containsExactly(1, -1, -1, -1, 0, 1);
        assertThat(shape.wraps(0, 1, 4)).as("a tie").isFalse();
        assertThat(shape.wraps(1, 1, 4)).isTrue();
        int corner = shape.position(5, 4, 0);
        assertThat(shape.datelineBits(0, corner)).isEqualTo(0b011);
        assertThat(shape.datelineBits(0, shape.position(2, 4, 0))).isEqualTo(0b010);
        assertThat(shape.datelineBits(corner, corner)).isZero();
    }

    @Test
    void shapesAreWhatTheirRadicesAndEdgesAre() {
        TorusShape torus = TorusShape.torus(5, 4, 3);
        TorusShape mesh = TorusShape.of(new int[] {5, 4, 3}, new boolean[] {false, true, false});
        assertThat(torus)
                .isEqualTo(TorusShape.torus(5, 4, 3))
                .hasSameHashCodeAs(TorusShape.torus(5, 4, 3))
                .isNotEqualTo(mesh)
                .isNotEqualTo(TorusShape.torus(4, 5, 3))
                .isNotEqualTo("5 x 4 x 3");
        assertThat(torus.hashCode()).isNotEqualTo(mesh.hashCode());
        assertThat(torus.hashCode()).isNotEqualTo(TorusShape.torus(4, 5, 3).hashCode());
        assertThat(torus).hasToString("5 x 4 x 3");
        assertThat(mesh).hasToString("5 x 4M x 3");
        assertThat(TorusShape.torus(3, 2, 1)).as("always open").hasToString("3 x 2 x 1");
    }

    @Test
    void whatCanBeNoShapeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TorusShape.torus(3, 0, 3))
                .withMessageContaining("radix of y is 0");
        assertThat(TorusShape.torus(0xBFFF, 1, 1).positions()).isEqualTo(TorusShape.MAX_POSITIONS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TorusShape.torus(0xBFFF + 1, 1, 1))
                .withMessageContaining("more than 49151");
        boolean[] edges = new boolean[3];
        assertThatIllegalArgumentException().isThrownBy(() -> TorusShape.of(new int[] {3, 3}, edges));
        assertThatIllegalArgumentException().isThrownBy(() -> TorusShape.of(new int[] {3, 3, 3}, new boolean[2]));
    }

    @Test
    void groupsHaveNumbersAndNames() {
        List<String> names = new ArrayList<>();
        for (int group = 0; group <= TorusGroup.END; group++) {
            names.add(TorusGroup.name(group));
        }
        assertThat(names).containsExactly("-x", "+x", "-y", "+y", "-z", "+z", "end");
        for (int d = 0; d < 3; d++) {
            assertThat(TorusGroup.of(d, -3)).isEqualTo(TorusGroup.minus(d)).isEqualTo(2 * d);
            assertThat(TorusGroup.of(d, 0)).isEqualTo(TorusGroup.plus(d)).isEqualTo(2 * d + 1);
            assertThat(TorusGroup.opposite(2 * d)).isEqualTo(2 * d + 1);
        }
        assertThat(TorusGroup.dimension(TorusGroup.END)).isEqualTo(3);
    }
}
