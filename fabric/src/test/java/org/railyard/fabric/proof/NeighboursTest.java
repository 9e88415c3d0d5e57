package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.FatTreeEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Fault;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleFatTree;

/** Several hosts at one switch: what they send each other, and which of them are the same destination. */
final class NeighboursTest {
    private static final String TWO_SWITCHES = """
        Switch 6 "S-a"
        [1] "H-1"[1]
        [2] "H-2"[1]
        [3] "H-3"[1]
        [4] "S-b"[4]

        Switch 6 "S-b"
        [1] "H-4"[1]
        [4] "S-a"[4]

        Ca 1 "H-1"
        [1] "S-a"[1]

        Ca 1 "H-2"
        [1] "S-a"[2]

        Ca 1 "H-3"
        [1] "S-a"[3]

        Ca 1 "H-4"
        [1] "S-b"[1]
        """;

    private final Fabric fabric = FreshLids.assign(NetFile.parse(TWO_SWITCHES).fabric(), Fabric.NONE);
    private final int[] hosts = {lid("H-1"), lid("H-2"), lid("H-3"), lid("H-4")};

    private int lid(String name) {
        return fabric.hosts().stream()
                .filter(port -> fabric.description(fabric.nodeOf(port)).equals(name))
                .mapToInt(fabric::lid)
                .findFirst()
                .orElseThrow();
    }

    private byte[][] rows() {
        byte[][] rows = new byte[2][fabric.maxLid() + 1];
        for (int i = 0; i < hosts.length; i++) {
            rows[0][hosts[i]] = (byte) (i + 1);
            rows[1][hosts[i]] = (byte) (i == 3 ? 1 : 4);
        }
        return rows;
    }

    private static Routing routing(byte[][] rows, PathSls sls, SlToVl slToVl) {
        return new Routing("by hand", new ForwardingTables(rows), sls, slToVl, MulticastTables.NONE, List.of());
    }

    private CheckReport check(Routing routing) {
        return CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
    }

    private Optional<String> violation(Routing routing) {
        return Verification.firstViolation(
                fabric, routing, CheckOptions.DEFAULT, new Certificate(new int[0], new int[0]));
    }

    /** A table that drops everything from one port of the first switch to another. */
    private static SlToVl dropping(int input, int output) {
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                return switchIndex == 0 && in == input && out == output ? -1L : 0;
            }

            @Override
            public long endTable(int endPort) {
                return 0;
            }
        };
    }

    private void assertNotChecked(Routing routing, FaultKind kind, String text, String violation) {
        CheckReport report = check(routing);
        assertThat(report.verdict()).isEqualTo(Verdict.NOT_CHECKABLE);
        assertThat(report.faultCount()).isEqualTo(1);
        assertThat(report.faults()).containsExactly(new Fault(kind, text));
        assertThat(violation(routing)).hasValue(violation);
    }

    @Test
    void whatArrivesIsClean() {
        Routing routing = routing(rows(), PathSls.constant(0), SlToVl.uniform(0));
        assertThat(check(routing).verdict()).isEqualTo(Verdict.CLEAN);
        assertThat(violation(routing)).isEmpty();
    }

    @Test
    void neighboursNeedAnSl() {
        assertNotChecked(
                routing(rows(), RuledSls.without(fabric, hosts[0], hosts[1]), SlToVl.uniform(0)),
                FaultKind.NO_SL,
                "no SL from H-1 (LID %d) to H-2 (LID %d)".formatted(hosts[0], hosts[1]),
                "no SL from LID %d to LID %d".formatted(hosts[0], hosts[1]));
    }

    /** No host has an SL to its neighbours: each of three to two others. */
    @Test
    void eachPairWithoutSlCounts() {
        PathSls sls =
                new RuledSls(1, 2, lid -> lid == hosts[3] ? 1 : 0, (from, to, _) -> from == to ? PathSls.NO_SL : 0);
        CheckReport report = check(routing(rows(), sls, SlToVl.uniform(0)));
        assertThat(report.faultCount()).isEqualTo(6);
        assertThat(report.faults()).allMatch(fault -> fault.kind() == FaultKind.NO_SL);
    }

    @Test
    void aTableMayDropWhatANeighbourSends() {
        assertNotChecked(
                routing(rows(), PathSls.constant(0), dropping(1, 2)),
                FaultKind.DROPPED,
                "S-a drops H-1 to H-2 sl 0 (VL 15 towards port 2)",
                "SL 0 is dropped at S-a/2");
        assertNotChecked(
                routing(rows(), PathSls.constant(0), dropping(3, 2)),
                FaultKind.DROPPED,
                "S-a drops H-3 to H-2 sl 0 (VL 15 towards port 2)",
                "SL 0 is dropped at S-a/2");
    }

    @Test
    void theLastSwitchMayDropWhatComesFromAfar() {
        assertNotChecked(
                routing(rows(), PathSls.constant(0), dropping(4, 3)),
                FaultKind.DROPPED,
                "S-a drops H-4 to H-3 sl 0 (VL 15 towards port 3)",
                "SL 0 is dropped at S-a/3");
    }

    /** Nobody sends packets to itself through a switch. */
    @Test
    void aTableMayDropWhatGoesBackToItsHost() {
        Routing routing = routing(rows(), PathSls.constant(0), dropping(2, 2));
        assertThat(check(routing).verdict()).isEqualTo(Verdict.CLEAN);
        assertThat(violation(routing)).isEmpty();
    }

    /** What a switch sends away for one of its hosts is no longer the destination that its neighbours are. */
    @Test
    void aHostThatItsSwitchDoesNotServeHasToBeNamed() {
        byte[][] rows = rows();
        rows[0][hosts[1]] = 4;
        Routing routing = routing(rows, PathSls.constant(0), SlToVl.uniform(0));
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false);
        CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, (lid, column, leaving) -> {
            if (lid != hosts[1]) {
                verifier.to(lid, column, leaving);
            }
        });
        assertThat(verifier.firstViolationOfWhatIsRouted(new Certificate(new int[0], new int[0])))
                .hasValue("nothing was said of LID " + hosts[1]);
        assertThat(violation(routing)).hasValue("S-a does not send LID %d to its port".formatted(hosts[1]));
    }

    /** A switch sends another host what it should pass on, by the port of its own host. */
    @Test
    void theSwitchOfTheDestinationBeforeSendsToItsOwnHost() {
        byte[][] rows = rows();
        rows[0][hosts[3]] = 1;
        CheckReport report = check(routing(rows, PathSls.constant(0), SlToVl.uniform(0)));
        assertThat(report.faultCount()).isEqualTo(3);
        assertThat(report.faults())
                .containsExactly(new Fault(
                        FaultKind.UNREACHABLE,
                        "no route from H-1 (LID %d) to H-4 (LID %d): it ends at S-a, port 1"
                                .formatted(hosts[0], hosts[3])));
    }

    @Test
    void noSwitchHasAnEntry() {
        byte[][] rows = rows();
        rows[0][hosts[3]] = (byte) ForwardingTables.NO_PATH;
        rows[1][hosts[3]] = (byte) ForwardingTables.NO_PATH;
        CheckReport report = check(routing(rows, PathSls.constant(0), SlToVl.uniform(0)));
        assertThat(report.faultCount()).isEqualTo(3);
        assertThat(report.faults()).allMatch(fault -> fault.text().endsWith("it ends at S-a, port 255"));
    }

    /** What is like another destination but for the VLs of its last hop, in turns with what is not. */
    @Test
    void vlsThatTakeTurns() {
        for (boolean byOutput : new boolean[] {true, false}) {
            SlToVl everyOther = new SlToVl() {
                @Override
                public long table(int switchIndex, int in, int out) {
                    return switchIndex == 0 && (byOutput ? out : in) == 2 ? 0x1111_1111_1111_1111L : 0;
                }

                @Override
                public long endTable(int endPort) {
                    return 0;
                }
            };
            Routing routing = routing(rows(), PathSls.constant(0), everyOther);
            assertThat(check(routing).verdict()).isEqualTo(Verdict.CLEAN);
            assertThat(violation(routing)).isEmpty();
        }
    }

    /** Twenty ways to a switch of forty hosts: those of its second half take the ways of the first. */
    @Test
    void manyWaysThatTakeTurns() {
        Fabric tree = FreshLids.assign(
                new SampleFatTree(List.of(40, 3), List.of(20), 1).network().fabric(), Fabric.NONE);
        Routing routing = (Routing) new FatTreeEngine(List.of()).route(tree, EngineOptions.DEFAULT);
        CheckReport report = CreditLoopCheck.check(tree, routing, CheckOptions.DEFAULT);
        assertThat(report.verdict()).isEqualTo(Verdict.CLEAN);
        assertThat(Verification.firstViolation(
                        tree,
                        routing,
                        CheckOptions.DEFAULT,
                        report.certificate().orElseThrow()))
                .isEmpty();
    }
}
