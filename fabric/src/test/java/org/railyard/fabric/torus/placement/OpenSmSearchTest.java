package org.railyard.fabric.torus.placement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.TestTorus;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.testkit.Requirement;

/** The places that OpenSM 3.3.23 was seen to leave empty (spec 30 §3.1). */
class OpenSmSearchTest {
    /**
     * At the end of an open dimension some switches that lost a cable are not found. Together the cases show, for each
     * corner of a cell and each of its three faces, whether the last missing corner is looked for in that face.
     *
     * @param torus its radices; M: the dimension is open
     * @param cuts pairs of neighbours without cable
     * @param empty the places where OpenSM had no switch
     */
    @ParameterizedTest
    @CsvSource({
        "3x5Mx3, 031:041, 041",
        "3x5Mx3, 001:011, ''",
        "5Mx3x3, 310:410, 410",
        "5Mx3x3, 010:110, ''",
        "3x3x5M, 113:114, ''",
        "3x3x5M, 110:111, ''",
        "4Mx3Mx4, 310:300 310:210 020:023 200:201, 310",
        "3x3Mx4, 011:021 011:111, 021",
        "3x4Mx3M, 201:202 201:101 201:211, 202",
        "3Mx4x5, 100:200 100:104, 200",
        "5Mx4Mx5, 014:004 014:114, 014",
        "3x3Mx4, 223:123 223:220 223:222, 223",
        "4Mx3Mx3, 311:301 311:310 311:312, 311",
        "4Mx4Mx4M, 300:310, ''",
        "3Mx3Mx3, 001:101 001:002, ''",
        "5x4Mx4M, 400:410 400:300, 400",
        "3Mx3x4M, 203:223 203:202 103:003, 203"
    })
    @Requirement("t2q-001")
    void someSwitchesAtTheEndsOfOpenDimensionsAreNotFound(String torus, String cuts, String empty) {
        String[] radices = torus.split("x");
        TorusShape shape = TorusShape.of(
                Arrays.stream(radices).mapToInt(radix -> radix.charAt(0) - '0').toArray(),
                new boolean[] {radices[0].endsWith("M"), radices[1].endsWith("M"), radices[2].endsWith("M")});
        for (int cables = 1; cables <= 3; cables++) {
            TestTorus plan = new TestTorus(shape).cables(cables);
            for (String cut : cuts.split(" ")) {
                int from = position(shape, cut.substring(0, 3));
                int to = position(shape, cut.substring(4));
                int group = shape.groupBetween(from, to);
                boolean up = TorusGroup.sign(group) > 0;
                plan.withoutCables(up ? from : to, TorusGroup.plus(TorusGroup.dimension(group)), cables);
            }
            Fabric fabric = plan.fabric();
            Placement placement = requireNonNull(
                    new Placer(fabric, SwitchGraph.of(fabric), plan.conf(0)).place(true, new ArrayList<>()));
            List<Integer> missing = placement.grid().missing().boxed().toList();
            assertThat(missing).isEqualTo(empty.isEmpty() ? List.of() : List.of(position(shape, empty)));
            assertThat(placement.strangers()).hasSameSizeAs(missing);
        }
    }

    private static int position(TorusShape shape, String place) {
        return shape.position(place.charAt(0) - '0', place.charAt(1) - '0', place.charAt(2) - '0');
    }
}
