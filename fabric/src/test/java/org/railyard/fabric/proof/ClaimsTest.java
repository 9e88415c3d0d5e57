package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
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

    /** What the destination before had is said of switches with the same entry, of all or of some by chance. */
    @Test
    void whatIsSaidOfTheDestinationBeforeIsNotEnough() {
        SplittableRandom random = new SplittableRandom(3);
        List<Integer> lids = destinations();
        int lies = 0;
        for (int i = 1; i < lids.size(); i++) {
            int before = lids.get(i - 1);
            int victim = lids.get(i);
            boolean all = i % 2 == 0;
            boolean[] lacks = new boolean[1];
            char[] leavingBefore = new char[fabric.switchCount()];
            CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false);
            CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, (lid, column, leaving) -> {
                char[] said = leaving.clone();
                if (lid == before) {
                    System.arraycopy(leaving, 0, leavingBefore, 0, said.length);
                }
                for (int sw = 0; lid == victim && sw < said.length; sw++) {
                    boolean same = column[sw] == (byte) routing.forwarding().port(sw, before);
                    if (same && (all || random.nextBoolean())) {
                        said[sw] = leavingBefore[sw];
                        lacks[0] |= (leaving[sw] & ~said[sw]) != 0;
                    }
                }
                verifier.to(lid, column, said);
            });
            Optional<String> found =
                    verifier.firstViolation(report.certificate().orElseThrow());
            assertThat(found.isPresent() || !lacks[0]).isTrue();
            lies += lacks[0] ? 1 : 0;
        }
        assertThat(lies).isGreaterThan(10);
    }

    /** What there is no room for in sets is kept one by one: the same certificates hold, and the same do not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 100})
    void littleRoomForSets(int sets) {
        SplittableRandom random = new SplittableRandom(sets);
        int wrong = 0;
        for (int round = 0; round < 8; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(4), 6);
            Fabric few = network.fabric();
            Routing tree = SmallNetwork.routing(
                    network.treeRows(), network.sls(false), network.vls(1 + random.nextInt(4), false));
            CheckReport clean = CreditLoopCheck.check(few, tree, CheckOptions.DEFAULT);
            Certificate certificate = clean.certificate().orElseThrow();
            assertThat(verify(few, tree, sets, certificate)).isEmpty();
            long[] edges = clean.graph().edges();
            for (int i = 0; i < Math.min(4, edges.length); i++) {
                long edge = edges[random.nextInt(edges.length)];
                for (Certificate other : EachFlow.wrong(certificate, (int) (edge >> 32), (int) edge)) {
                    wrong++;
                    assertThat(verify(few, tree, sets, other)).isPresent();
                }
            }
        }
        assertThat(wrong).isPositive();
    }

    private static Optional<String> verify(Fabric fabric, Routing routing, int sets, Certificate certificate) {
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false, sets);
        CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, verifier);
        return verifier.firstViolation(certificate);
    }

    /** Tables that drop are seen with room for sets or without. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void whatIsDroppedIsToldOfWithLittleRoomToo(int sets) {
        SlToVl dropping = new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                return switchIndex == 1 && out == 2 ? -1L : routing.slToVl().table(switchIndex, in, out);
            }

            @Override
            public long endTable(int endPort) {
                return routing.slToVl().endTable(endPort);
            }
        };
        Routing wrong = SmallNetwork.routing(rows(), routing.sls(), dropping);
        assertThat(verify(fabric, wrong, sets, report.certificate().orElseThrow()))
                .hasValueSatisfying(
                        text -> assertThat(text).endsWith("is dropped at " + fabric.portName(fabric.portIndex(1, 2))));
    }

    private byte[][] rows() {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int sw = 0; sw < rows.length; sw++) {
            for (int lid = 1; lid < rows[sw].length; lid++) {
                rows[sw][lid] = (byte) routing.forwarding().port(sw, lid);
            }
        }
        return rows;
    }
}
