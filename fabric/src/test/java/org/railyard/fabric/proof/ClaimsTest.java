package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** The verifier believes nothing of what is said of destinations: each thing that is left out or made up is found. */
final class ClaimsTest {
    /** Changes what is said of one destination. */
    private interface Change {
        void in(byte[] column, char[] leaving);
    }

    private final SampleTorus torus = SampleTorus.torus(4, 3, 3, 1);
    private final Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
    private final Routing routing =
            (Routing) new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                    .route(fabric, EngineOptions.DEFAULT);
    private final CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);

    private Optional<String> verify(int victim, Change change) {
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false);
        CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, (lid, column, leaving) -> {
            byte[] ports = column.clone();
            char[] sls = leaving.clone();
            if (lid == victim) {
                change.in(ports, sls);
            }
            verifier.to(lid, ports, sls);
        });
        return verifier.firstViolation(report.certificate().orElseThrow());
    }

    private List<Integer> destinations() {
        List<Integer> lids = new ArrayList<>();
        CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, (lid, _, _) -> lids.add(lid));
        return lids;
    }

    @Test
    void whatTheCheckSaysHolds() {
        assertThat(verify(0, (_, _) -> {})).isEmpty();
    }

    @Test
    void eachSlThatIsLeftOutIsMissed() {
        SplittableRandom random = new SplittableRandom(1);
        for (int lid : destinations()) {
            int[] left = new int[1];
            Optional<String> found = verify(lid, (_, leaving) -> {
                BitSet used = new BitSet();
                for (int sw = 0; sw < leaving.length; sw++) {
                    used.set(sw, leaving[sw] != 0);
                }
                int[] switches = used.stream().toArray();
                int sw = switches[random.nextInt(switches.length)];
                left[0] = Integer.lowestOneBit(leaving[sw]);
                leaving[sw] &= (char) ~left[0];
            });
            assertThat(left[0]).isPositive();
            assertThat(found).hasValueSatisfying(text -> assertThat(text).contains("of which nothing was said"));
        }
    }

    @Test
    void entriesThatAreMadeUpAreFound() {
        SplittableRandom random = new SplittableRandom(2);
        for (int lid : destinations()) {
            int victim = random.nextInt(fabric.switchCount());
            assertThat(verify(lid, (column, _) -> column[victim]++)).isPresent();
        }
        int sw = fabric.switchCount() - 1;
        int lid = destinations().getFirst();
        // Nobody sends anything by an entry of which nothing leaves: only the comparison of tables can tell.
        assertThat(verify(lid, (column, leaving) -> {
                    for (int at = 0; at < column.length; at++) {
                        leaving[at] = (char) 0xFFFF;
                    }
                    column[sw]++;
                }))
                .isPresent();
    }

    @Test
    void aDestinationOfWhichNothingIsSaidIsMissed() {
        int silent = destinations().get(5);
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false);
        CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, (lid, column, leaving) -> {
            if (lid != silent) {
                verifier.to(lid, column, leaving);
            }
        });
        assertThat(verifier.firstViolation(report.certificate().orElseThrow()))
                .hasValue("nothing was said of LID " + silent);
    }

    @Test
    void moreThanIsSentNeedsNumbersToo() {
        int lid = destinations().getFirst();
        assertThat(verify(lid, (_, leaving) -> {
                    for (int sw = 0; sw < leaving.length; sw++) {
                        leaving[sw] = (char) (leaving[sw] == 0 ? 0 : 0xFFFF);
                    }
                }))
                .hasValueSatisfying(text -> assertThat(text).contains("is followed by"));
    }
}
