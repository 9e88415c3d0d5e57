package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Tables after the loss of cables, checked and verified by what differs, against a check of all. */
final class LostCablesTest {
    private static final int CASES = 200;

    /** Tables before and after, and what is known of them. */
    private record Loss(Fabric whole, Routing before, Fabric left, Routing after) {
        CheckReport full() {
            return CreditLoopCheck.check(left, after, CheckOptions.DEFAULT);
        }

        Optional<CheckReport> quick(CheckReport known) {
            return LostCables.check(whole, before, known.graph(), left, after);
        }

        /** Dependencies before whose cables are left, and all of those after. */
        boolean mixCloses(CheckReport known, CheckReport full) {
            long[] old = LongStream.of(known.graph().edges())
                    .filter(edge -> isLeft((int) (edge >>> 32)) && isLeft((int) edge))
                    .toArray();
            long[] all = Dependencies.merged(old, full.graph().edges());
            return new Components(new AdjacencyList(all)).cyclic().length > 0;
        }

        /** Whether packets may be dropped, by a switch without entry or by a table, though none are sent there. */
        boolean leavesGaps() {
            for (int sw = 0; sw < left.switchCount(); sw++) {
                for (int lid = 1; lid <= left.maxLid(); lid++) {
                    int out = after.forwarding().port(sw, lid);
                    boolean leads =
                            out > 0 && out <= left.ports(sw) && left.peer(left.portIndex(sw, out)) != Fabric.NONE;
                    if (left.portOfLid(lid) != Fabric.NONE && !leads) {
                        return true;
                    }
                }
                for (int in = 0; in <= left.ports(sw); in++) {
                    for (int out = 0; out <= left.ports(sw); out++) {
                        if (SeenWaits.passing(after.slToVl().table(sw, in, out)) != 0xFFFF) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        private boolean isLeft(int channel) {
            return left.peer(Channel.portOf(channel)) != Fabric.NONE;
        }
    }

    private static final class Known {
        final CheckReport report;
        final Optional<VerifiedTables> tables;

        Known(Fabric fabric, Routing routing) {
            CertificateVerifier verifier = new CertificateVerifier(fabric, routing, false);
            report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT, verifier);
            boolean clean = report.verdict() == CheckReport.Verdict.CLEAN;
            if (clean) {
                assertThat(verifier.firstViolation(report.certificate().orElseThrow()))
                        .isEmpty();
            }
            tables = clean ? Optional.of(verifier.verified()) : Optional.empty();
        }
    }

    private static Loss loss(SplittableRandom random, boolean rubbish) {
        SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(6), 2 + random.nextInt(8));
        Fabric whole = network.fabric();
        byte[][] rows = random.nextInt(3) == 0 ? network.rows(0) : network.treeRows();
        PathSls sls = network.sls(false);
        SlToVl vls = network.vls(1 + random.nextInt(4), random.nextInt(4) == 0);
        BitSet cut = new BitSet();
        int[] between = IntStream.range(0, whole.portCount())
                .filter(port -> isBetween(whole, port))
                .toArray();
        for (int i = random.nextInt(3) / 2; i >= 0 && between.length > 0; i--) {
            cut.set(between[random.nextInt(between.length)]);
        }
        Fabric left = whole.withLinksDown(cut);
        byte[][] repaired = repaired(left, rows, random.nextInt(8) > 0);
        if (rubbish) {
            byte[] row = repaired[random.nextInt(repaired.length)];
            row[random.nextInt(row.length)] = (byte) random.nextInt(10);
        }
        return new Loss(whole, SmallNetwork.routing(rows, sls, vls), left, SmallNetwork.routing(repaired, sls, vls));
    }

    private static boolean isBetween(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
    }

    /** Gives LIDs whose entries use what is gone shortest ways, all or all but a few. */
    private static byte[][] repaired(Fabric left, byte[][] rows, boolean all) {
        byte[][] repaired = Arrays.stream(rows).map(byte[]::clone).toArray(byte[][]::new);
        for (int lid = 1; lid <= left.maxLid(); lid++) {
            int end = left.portOfLid(lid);
            boolean hurt = false;
            for (int sw = 0; sw < rows.length; sw++) {
                int out = rows[sw][lid] & 0xFF;
                hurt |= out > 0 && out <= left.ports(sw) && left.peer(left.portIndex(sw, out)) == Fabric.NONE;
            }
            if (hurt && end != Fabric.NONE && (all || lid % 3 > 0)) {
                shortest(left, repaired, lid, left.switchOf(end));
            }
        }
        return repaired;
    }

    private static void shortest(Fabric left, byte[][] rows, int lid, int to) {
        BitSet known = new BitSet();
        known.set(to);
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(to));
        while (!queue.isEmpty()) {
            int sw = queue.remove();
            for (int out = 1; out <= left.ports(sw); out++) {
                int port = left.portIndex(sw, out);
                if (isBetween(left, port) && !known.get(left.nodeOf(left.peer(port)))) {
                    int from = left.nodeOf(left.peer(port));
                    known.set(from);
                    rows[from][lid] = (byte) left.portNumber(left.peer(port));
                    queue.add(from);
                }
            }
        }
        for (int sw = 0; sw < rows.length; sw++) {
            if (!known.get(sw)) {
                rows[sw][lid] = (byte) ForwardingTables.NO_PATH;
            }
        }
    }

    @Test
    void whatDiffersIsEnoughOrNothingIsSaid() {
        SplittableRandom random = new SplittableRandom(17);
        int quick = 0;
        int mixed = 0;
        int bad = 0;
        for (int i = 0; i < CASES; i++) {
            Loss loss = loss(random, i % 3 == 0);
            Known known = new Known(loss.whole, loss.before);
            if (known.tables.isEmpty()) {
                continue;
            }
            CheckReport full = loss.full();
            Optional<CheckReport> found = loss.quick(known.report);
            if (full.verdict() != CheckReport.Verdict.CLEAN) {
                bad++;
                assertThat(found).as("case %d", i).isEmpty();
                boolean isLost = full.verdict() == CheckReport.Verdict.NOT_CHECKABLE;
                if (isLost) {
                    assertThat(known.tables
                                    .get()
                                    .after(
                                            loss.left,
                                            loss.after,
                                            full.certificate().orElseThrow()))
                            .as("case %d", i)
                            .isEmpty();
                }
            } else if (found.isEmpty()) {
                mixed++;
                // A ring of entries that no packet comes to is looked at as well.
                boolean isRubbish = i % 3 == 0;
                assertThat(isRubbish || loss.mixCloses(known.report, full) || loss.leavesGaps())
                        .as("case %d", i)
                        .isTrue();
            } else {
                quick += loss.before.forwarding().equals(loss.after.forwarding()) ? 0 : 1;
                holds(loss, known, full, found.get());
            }
        }
        assertThat(quick).isGreaterThan(CASES / 10);
        assertThat(mixed).isGreaterThan(CASES / 100);
        assertThat(bad).isGreaterThan(CASES / 10);
    }

    private static void holds(Loss loss, Known known, CheckReport full, CheckReport quick) {
        long[] edges = quick.graph().edges();
        assertThat(Dependencies.merged(edges, full.graph().edges())).isEqualTo(edges);
        assertThat(quick.graph().isExact()).isFalse();
        assertThat(quick.verdict()).isEqualTo(CheckReport.Verdict.CLEAN);
        assertThat(quick.dependencies()).isEqualTo(edges.length);
        Certificate certificate = quick.certificate().orElseThrow();
        assertThat(certificate.size()).isEqualTo(quick.channels());
        assertThat(Verification.firstViolation(loss.left, loss.after, CheckOptions.DEFAULT, certificate))
                .isEmpty();
        VerifiedTables verified = known.tables
                .orElseThrow()
                .after(loss.left, loss.after, certificate)
                .orElseThrow();
        // What was verified so is as good as what was verified as a whole.
        assertThat(verified.after(loss.left, loss.after, certificate)).isPresent();
        long[] needed = full.graph().edges();
        for (int i = 0; i < needed.length; i += 1 + needed.length / 4) {
            long edge = needed[i];
            Certificate wrong = swapped(certificate, (int) (edge >>> 32), (int) edge);
            assertThatThrownBy(() -> known.tables.orElseThrow().after(loss.left, loss.after, wrong))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is followed by");
        }
    }

    /** The same with the numbers of two channels exchanged. */
    private static Certificate swapped(Certificate certificate, int one, int other) {
        int[] channels = new int[certificate.size()];
        int[] numbers = new int[certificate.size()];
        for (int i = 0; i < channels.length; i++) {
            Channel channel = certificate.channel(i);
            channels[i] = Channel.number(channel.port(), channel.vl());
            int of = channels[i] == one ? other : channels[i] == other ? one : channels[i];
            numbers[i] =
                    certificate.number(Channel.of(of).port(), Channel.of(of).vl());
        }
        return new Certificate(channels, numbers);
    }

    /** One loss after the other: what is left of old dependencies does not hide what is new. */
    @Test
    void lossAfterLoss() {
        SplittableRandom random = new SplittableRandom(23);
        int second = 0;
        for (int i = 0; i < CASES; i++) {
            Loss loss = loss(random, false);
            Known known = new Known(loss.whole, loss.before);
            Optional<CheckReport> first = known.tables.isEmpty() ? Optional.empty() : loss.quick(known.report);
            if (first.isEmpty()) {
                continue;
            }
            int[] between = IntStream.range(0, loss.left.portCount())
                    .filter(port -> isBetween(loss.left, port))
                    .toArray();
            if (between.length == 0) {
                continue;
            }
            BitSet cut = new BitSet();
            cut.set(between[random.nextInt(between.length)]);
            Fabric less = loss.left.withLinksDown(cut);
            byte[][] rows = new byte[less.switchCount()][less.maxLid() + 1];
            for (int sw = 0; sw < rows.length; sw++) {
                for (int lid = 0; lid <= less.maxLid(); lid++) {
                    rows[sw][lid] = (byte) loss.after.forwarding().port(sw, lid);
                }
            }
            Routing then = SmallNetwork.routing(repaired(less, rows, true), loss.after.sls(), loss.after.slToVl());
            VerifiedTables verified = known.tables
                    .get()
                    .after(loss.left, loss.after, first.get().certificate().orElseThrow())
                    .orElseThrow();
            Loss next = new Loss(loss.left, loss.after, less, then);
            CheckReport full = next.full();
            Optional<CheckReport> found = next.quick(first.get());
            if (found.isPresent()) {
                second++;
                assertThat(full.verdict()).isEqualTo(CheckReport.Verdict.CLEAN);
                long[] edges = found.get().graph().edges();
                assertThat(Dependencies.merged(edges, full.graph().edges())).isEqualTo(edges);
                assertThat(verified.after(less, then, found.get().certificate().orElseThrow()))
                        .isPresent();
            }
        }
        assertThat(second).isGreaterThan(CASES / 10);
    }

    /** Each of these is another fabric or another routing, of which what is known says nothing. */
    @Test
    void whatElseDiffersIsCheckedAsAWhole() {
        SplittableRandom random = new SplittableRandom(5);
        SmallNetwork network = new SmallNetwork(random, 5, 6, 0);
        Fabric whole = network.fabric();
        int cable = IntStream.range(0, whole.portCount())
                .filter(port -> isBetween(whole, port))
                .findFirst()
                .orElseThrow();
        BitSet cut = new BitSet();
        cut.set(cable);
        Fabric left = whole.withLinksDown(cut);
        byte[][] rows = network.treeRows();
        Routing routing = SmallNetwork.routing(rows, PathSls.constant(0), SlToVl.uniform(0));
        Known known = new Known(whole, routing);
        assertThat(both(known, whole, routing, whole, routing)).isTrue();
        Known less = new Known(
                left, SmallNetwork.routing(repaired(left, rows, true), PathSls.constant(0), SlToVl.uniform(0)));
        if (less.tables.isPresent()) {
            assertThat(both(less, left, routing, whole, routing))
                    .as("a cable more")
                    .isFalse();
        }
        assertThat(both(known, whole, routing, new SmallNetwork(random, 5, 6, 0).fabric(), routing))
                .as("another fabric")
                .isFalse();
        assertThat(both(
                        known,
                        whole,
                        routing,
                        whole,
                        SmallNetwork.routing(rows, PathSls.constant(1), SlToVl.uniform(0))))
                .as("another SL")
                .isFalse();
        assertThat(both(
                        known,
                        whole,
                        routing,
                        whole,
                        SmallNetwork.routing(rows, PathSls.constant(0), SlToVl.uniform(0x1111_1111_1111_1111L))))
                .as("another VL")
                .isFalse();
        int[] lids = IntStream.range(0, whole.portCount()).map(whole::lid).toArray();
        int[] hosts = whole.hosts().stream().mapToInt(Integer::intValue).toArray();
        lids[hosts[0]] = whole.lid(hosts[1]);
        lids[hosts[1]] = whole.lid(hosts[0]);
        Fabric exchanged = whole.withLids(lids, new int[lids.length]);
        assertThat(both(known, whole, routing, exchanged, routing))
                .as("other LIDs")
                .isFalse();
    }

    /** Whether both take what is known for enough; either both do, or none does. */
    private static boolean both(Known known, Fabric whole, Routing before, Fabric left, Routing after) {
        boolean checked = LostCables.check(whole, before, known.report.graph(), left, after)
                .isPresent();
        boolean verified = known.tables
                .orElseThrow()
                .after(left, after, known.report.certificate().orElseThrow())
                .isPresent();
        assertThat(verified).isEqualTo(checked);
        return checked;
    }

    @Test
    void nothingIsKnownBeforeItWasVerified() {
        SmallNetwork network = new SmallNetwork(new SplittableRandom(5), 3, 3, 0);
        Routing routing = SmallNetwork.routing(network.treeRows(), PathSls.constant(0), SlToVl.uniform(0));
        assertThatThrownBy(() -> new CertificateVerifier(network.fabric(), routing, false).verified())
                .isInstanceOf(IllegalStateException.class);
    }
}
