package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
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

/**
 * What check and verifier take for known when one cable is lost: of three switches in a ring, of which two are joined
 * by a switch without hosts as well.
 */
final class OneLostCableTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;

    private static final int NEXT = 2;
    private static final int BEFORE = 3;
    private static final int ASIDE = 4;
    private static final int EMPTY = 5;

    private static final String RING = """
        Switch 4 "S-a"
        [1] "H-a"[1]
        [2] "S-b"[3]
        [3] "S-c"[2]
        [4] "S-d"[1]

        Switch 4 "S-b"
        [1] "H-b"[1]
        [2] "S-c"[3]
        [3] "S-a"[2]
        [4] "S-d"[2]

        Switch 5 "S-c"
        [1] "H-c"[1]
        [2] "S-a"[3]
        [3] "S-b"[2]

        Switch 4 "S-d"
        [1] "S-a"[4]
        [2] "S-b"[4]

        Ca 1 "H-a"
        [1] "S-a"[1]

        Ca 1 "H-b"
        [1] "S-b"[1]

        Ca 1 "H-c"
        [1] "S-c"[1]
        """;

    private final Fabric whole = FreshLids.assign(NetFile.parse(RING).fabric(), Fabric.NONE);
    private final byte[][] before = new byte[4][whole.maxLid() + 1];
    private byte[][] after = before;
    private CheckOptions options = CheckOptions.DEFAULT;

    OneLostCableTest() {
        for (byte[] row : before) {
            Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
        }
        for (int to = A; to <= D; to++) {
            for (int at = A; at <= C; at++) {
                int way = to == at ? 1 : to == (at + 1) % 3 ? NEXT : BEFORE;
                if (to < D) {
                    before[at][host(to)] = (byte) way;
                    before[at][own(to)] = (byte) (to == at ? 0 : way);
                } else {
                    before[at][own(D)] = (byte) (at == C ? NEXT : ASIDE);
                }
            }
            before[D][own(to)] = (byte) (to == D ? 0 : to == B ? 2 : 1);
            if (to < D) {
                before[D][host(to)] = before[D][own(to)];
            }
        }
        after = copy(before);
        // From a to b by the switch aside, from b to a by c, for switches as for hosts.
        after[A][host(B)] = ASIDE;
        after[A][own(B)] = ASIDE;
        after[B][host(A)] = NEXT;
        after[B][own(A)] = NEXT;
    }

    private static byte[][] copy(byte[][] rows) {
        return Arrays.stream(rows).map(byte[]::clone).toArray(byte[][]::new);
    }

    /** Returns the LID of the host of a switch. */
    private int host(int sw) {
        return whole.lid(whole.peer(whole.portIndex(sw, 1)));
    }

    /** Returns the LID of a switch. */
    private int own(int sw) {
        return whole.lid(whole.portIndex(sw, 0));
    }

    private Fabric without(int sw, int port) {
        BitSet down = new BitSet();
        down.set(whole.portIndex(sw, port));
        return whole.withLinksDown(down);
    }

    private static Routing routing(byte[][] rows, PathSls sls, SlToVl slToVl, MulticastTables multicast) {
        return new Routing("by hand", new ForwardingTables(copy(rows)), sls, slToVl, multicast, List.of());
    }

    private static Routing routing(byte[][] rows) {
        return routing(rows, PathSls.constant(0), SlToVl.uniform(0), MulticastTables.NONE);
    }

    /** What is known of tables. */
    private record Known(Fabric fabric, Routing routing, CheckReport report, VerifiedTables tables) {
        Optional<CheckReport> check(Fabric left, Routing then) {
            return LostCables.check(fabric, routing, report.graph(), left, then);
        }

        /** Whether both take it for enough. */
        boolean suffices(Fabric left, Routing then) {
            Optional<CheckReport> quick = check(left, then);
            Certificate certificate = quick.or(() -> Optional.of(
                            CreditLoopCheck.check(left, then, report.graph().options())))
                    .flatMap(CheckReport::certificate)
                    .orElseThrow();
            assertThat(tables.after(left, then, certificate).isPresent()).isEqualTo(quick.isPresent());
            return quick.isPresent();
        }
    }

    private Known known(Fabric fabric, Routing routing) {
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, options.switchPorts());
        CheckReport report = CreditLoopCheck.check(fabric, routing, options, verifier);
        assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.CLEAN);
        assertThat(verifier.firstViolation(report.certificate().orElseThrow())).isEmpty();
        return new Known(fabric, routing, report, verifier.verified());
    }

    private Known known() {
        return known(whole, routing(before));
    }

    private boolean isEnough() {
        return known().suffices(without(A, NEXT), routing(after));
    }

    @Test
    void otherWaysThatArriveAreEnough() {
        assertThat(isEnough()).isTrue();
        options = new CheckOptions(true, true, false);
        assertThat(isEnough()).as("with those to switches").isTrue();
        options = new CheckOptions(false, false, false);
        assertThat(isEnough()).as("without multicast").isTrue();
        options = new CheckOptions(false, true, true);
        assertThat(known().check(without(A, NEXT), routing(after)))
                .as("channels of hosts are not looked at")
                .isEmpty();
    }

    /** What waited for the lost cable, or by it for another one, does so no more. */
    @Test
    void onlyDependenciesOfCablesThatAreLeftAreKept() {
        Known first = known();
        Fabric left = without(A, NEXT);
        CheckReport quick = first.check(left, routing(after)).orElseThrow();
        CheckReport full = CreditLoopCheck.check(left, routing(after), options);
        assertThat(quick.graph().edges()).isEqualTo(full.graph().edges());

        Known second = known(left, routing(after));
        BitSet down = new BitSet();
        down.set(left.portIndex(A, ASIDE));
        Fabric less = left.withLinksDown(down);
        for (int lid : new int[] {host(B), own(B), own(D)}) {
            after[A][lid] = BEFORE;
        }
        after[C][own(D)] = BEFORE;
        for (int lid : new int[] {host(A), host(C), own(A), own(C)}) {
            after[D][lid] = 2;
        }
        CheckReport then = second.check(less, routing(after)).orElseThrow();
        assertThat(then.graph().edges())
                .isEqualTo(CreditLoopCheck.check(less, routing(after), options)
                        .graph()
                        .edges())
                .isNotEqualTo(full.graph().edges());
    }

    @Test
    void anEntryIntoTheLostCableIsNotEnough() {
        after[A][host(B)] = NEXT;
        assertThat(isEnough()).isFalse();
        after[A][host(B)] = ASIDE;
        after[B][host(A)] = BEFORE;
        assertThat(isEnough()).as("from its other end").isFalse();
    }

    @Test
    void anEntryThatLeadsToNobodyIsNotEnough() {
        for (int out : new int[] {0, 1, EMPTY, 9, ForwardingTables.NO_PATH}) {
            after[A][host(B)] = (byte) out;
            assertThat(isEnough()).as("instead of the lost cable: %d", out).isFalse();
            after[A][host(B)] = ASIDE;
            after[C][host(B)] = (byte) out;
            assertThat(isEnough())
                    .as("instead of a cable that is left: %d", out)
                    .isFalse();
            after[C][host(B)] = BEFORE;
        }
    }

    /** Its own entry is as it was. */
    @Test
    void aSwitchThatNobodySentToMayLeadNowhere() {
        before[D][host(B)] = (byte) ForwardingTables.NO_PATH;
        after[D][host(B)] = (byte) ForwardingTables.NO_PATH;
        assertThat(isEnough()).isFalse();
    }

    @Test
    void entriesInACircleAreNotEnough() {
        after[D][host(B)] = 1;
        assertThat(isEnough()).isFalse();
    }

    /** Where it has another one, further LIDs are looked at. */
    @Test
    void entriesOfLidsThatNobodyHasDoNotCount() {
        after[A][0] = 1;
        assertThat(isEnough()).isTrue();
        after[A][host(B)] = (byte) ForwardingTables.NO_PATH;
        assertThat(isEnough()).isFalse();
    }

    @Test
    void entriesOfSwitchesCountIfTheyAreEndPorts() {
        after[A][own(B)] = (byte) ForwardingTables.NO_PATH;
        assertThat(isEnough()).isTrue();
        options = new CheckOptions(true, true, false);
        assertThat(isEnough()).isFalse();
    }

    @Test
    void anotherFabricIsNotEnough() {
        Known known = known(whole, routing(before));
        assertThat(known.suffices(whole, routing(before))).as("the same").isTrue();
        assertThat(known.suffices(without(C, 1), routing(before)))
                .as("a host is lost")
                .isFalse();
        Known less = known(without(A, NEXT), routing(after));
        assertThat(less.suffices(whole, routing(after))).as("a cable more").isFalse();
        String more = RING.replace("[3] \"S-b\"[2]\n", "[3] \"S-b\"[2]\n[5] \"H-e\"[1]\n")
                + "\nCa 1 \"H-e\"\n[1] \"S-c\"[5]\n";
        assertThat(known.suffices(FreshLids.assign(NetFile.parse(more).fabric(), Fabric.NONE), routing(before)))
                .as("a host more")
                .isFalse();
        String moved = RING.replace("[2] \"S-b\"[4]", "[3] \"S-b\"[4]").replace("\"S-d\"[2]", "\"S-d\"[3]");
        assertThat(known.suffices(FreshLids.assign(NetFile.parse(moved).fabric(), Fabric.NONE), routing(before)))
                .as("a cable is in another port")
                .isFalse();
    }

    @Test
    void otherLidsAreNotEnough() {
        int[] lids = IntStream.range(0, whole.portCount()).map(whole::lid).toArray();
        int last = whole.portOfLid(whole.maxLid());
        int[] lmc = new int[lids.length];
        lids[last] += lids[last] % 2;
        lids[whole.portOfLid(host(A))] = host(B);
        lids[whole.portOfLid(host(B))] = host(A);
        assertThat(known().suffices(whole.withLids(lids, lmc), routing(before)))
                .as("exchanged")
                .isFalse();
        lids[whole.portOfLid(host(A))] = host(A);
        lids[whole.portOfLid(host(B))] = host(B);
        Fabric even = whole.withLids(lids, lmc);
        byte[][] rows = Arrays.stream(before)
                .map(row -> Arrays.copyOf(row, lids[last] + 2))
                .toArray(byte[][]::new);
        for (byte[] row : rows) {
            row[lids[last]] = row[whole.maxLid()];
        }
        Known known = known(even, routing(rows));
        lmc[last] = 1;
        assertThat(known.suffices(even, routing(rows))).isTrue();
        assertThat(known.suffices(even.withLids(lids, lmc), routing(rows)))
                .as("one more")
                .isFalse();
    }

    /** SLs that agree class by class, whatever the classes of LIDs are. */
    private record Agreeing(int levels, int classes, int inSecond) implements PathSls {
        @Override
        public int classOf(int lid) {
            return lid == inSecond ? 1 : 0;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return sourceClass;
        }

        @Override
        public boolean isKnownToAgree(PathSls other) {
            return other instanceof Agreeing;
        }
    }

    @Test
    void aLidOfAnotherClassIsNotEnough() {
        PathSls sls = new Agreeing(1, 2, host(A));
        Known known = known(whole, routing(before, sls, SlToVl.uniform(0), MulticastTables.NONE));
        Fabric left = without(A, NEXT);
        assertThat(known.suffices(left, routing(after, sls, SlToVl.uniform(0), MulticastTables.NONE)))
                .isTrue();
        for (int other = A; other <= C; other++) {
            PathSls then = new Agreeing(1, 2, other == A ? 0 : host(other));
            assertThat(known.suffices(left, routing(after, then, SlToVl.uniform(0), MulticastTables.NONE)))
                    .isFalse();
        }
    }

    /** All SLs on one VL at one input and output, and on VL 0 at all others. */
    private static SlToVl at(int sw, int in, int out, int vl) {
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int input, int output) {
                boolean isHere = switchIndex == sw && input == in && output == out;
                return isHere ? vl * 0x1111_1111_1111_1111L : ALL_ZERO;
            }

            @Override
            public long endTable(int endPort) {
                return ALL_ZERO;
            }
        };
    }

    @Test
    void tablesOfPortsWithoutCableDoNotCount() {
        Known known = known();
        Fabric left = without(A, NEXT);
        for (int vl : new int[] {1, SlToVl.DROP}) {
            int[] aUses = {0, 1, BEFORE, ASIDE};
            for (int in = 0; in <= 4; in++) {
                for (int out = 0; out <= 4; out++) {
                    int from = in;
                    int to = out;
                    boolean isUsed = Arrays.stream(aUses).anyMatch(port -> port == from)
                            && Arrays.stream(aUses).anyMatch(port -> port == to);
                    Routing then = routing(after, PathSls.constant(0), at(A, in, out, vl), MulticastTables.NONE);
                    assertThat(known.check(left, then).isPresent())
                            .as("VL %d from %d to %d", vl, in, out)
                            .isNotEqualTo(isUsed);
                    assertThat(known.suffices(left, then)).isNotEqualTo(isUsed);
                }
            }
        }
    }

    /** A tree of some ports of the first three switches. */
    private static MulticastTables tree(int[] a, int[] b, int[] c) {
        PortMask[] ports = {PortMask.of(a), PortMask.of(b), PortMask.of(c), PortMask.of()};
        return new MulticastTables(new TreeMap<>(Map.of(0xC000, new MulticastTables.Tree(0, ports))));
    }

    @Test
    void treesAreLookedAtAsAWhole() {
        Known known = known();
        Fabric left = without(A, NEXT);
        MulticastTables row = tree(new int[] {1, BEFORE}, new int[] {1, NEXT}, new int[] {1, NEXT, BEFORE});
        Routing then = routing(after, PathSls.constant(0), SlToVl.uniform(0), row);
        assertThat(known.suffices(left, then)).isTrue();
        long[] found = known.check(left, then).orElseThrow().graph().edges();
        assertThat(found)
                .isEqualTo(CreditLoopCheck.check(left, then, options).graph().edges());

        MulticastTables ring = tree(new int[] {1, NEXT}, new int[] {1, NEXT}, new int[] {1, NEXT});
        Routing bad = routing(before, PathSls.constant(0), SlToVl.uniform(0), ring);
        assertThat(known.check(whole, bad)).as("a ring of copies").isEmpty();
        Certificate certificate = known.report.certificate().orElseThrow();
        assertThatIllegalStateException()
                .isThrownBy(() -> known.tables.after(whole, bad, certificate))
                .withMessageStartingWith("the certificate does not hold: multicast");
        options = new CheckOptions(false, false, false);
        assertThat(known().check(whole, bad)).as("not asked for").isPresent();
    }
}
