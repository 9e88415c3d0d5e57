package org.railyard.fabric.torus.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.RoutingDiff;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.sample.Position;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** What {@link TorusFailures} finds is what routing, proof, comparison and load of the whole rest say. */
class TorusFailuresTest {
    private static final boolean LONG = Boolean.getBoolean("railyard.long");
    private static final int PAIRS = LONG ? 4000 : 120;

    /** A torus, and the answers of both ways. */
    private static final class Bench {
        final Fabric fabric;
        private final ProvenRouting routing;
        private final List<MulticastGroup> groups;
        private final Tables base;
        private final Optional<TorusFailures> quick;
        private int refused;

        Bench(SampleTorus torus, int seeds) throws Exception {
            routing = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(torus.conf(seeds)), TorusOptions.DEFAULT));
            Fabric cabled = torus.fabric();
            groups = List.of(new MulticastGroup(
                    0xC000,
                    0,
                    IntStream.range(0, cabled.portCount())
                            .filter(port -> cabled.isEndPort(port) && !cabled.isSwitch(cabled.nodeOf(port)))
                            .boxed()
                            .toList()));
            base = routing.tables(cabled, groups).orThrow();
            fabric = base.fabric();
            quick = routing.failures(base.plan().orElseThrow(), groups);
        }

        BitSet wholeSwitch(int sw) {
            BitSet ports = new BitSet();
            ports.set(fabric.portIndex(sw, 0), fabric.portIndex(sw, fabric.ports(sw)) + 1);
            return ports;
        }

        List<BitSet> single() {
            List<BitSet> all = new ArrayList<>();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                all.add(wholeSwitch(sw));
                for (int number = 1; number <= fabric.ports(sw); number++) {
                    int port = fabric.portIndex(sw, number);
                    int peer = fabric.peer(port);
                    if (port < peer && fabric.isSwitch(fabric.nodeOf(peer))) {
                        BitSet cable = new BitSet();
                        cable.set(port);
                        all.add(cable);
                    }
                }
            }
            return all;
        }

        void compare(BitSet failed) {
            TorusFailures.Result result = quick.orElseThrow().of(failed).orElseThrow();
            switch (routing.run(fabric.withLinksDown(failed), groups)) {
                case Proven proven -> {
                    assertThat(proven.complete()).isTrue();
                    Tables tables = proven.tables();
                    FailureFigures found = Objects.requireNonNull(result.figures());
                    RoutingDiff diff = RoutingDiff.between(fabric, base.routing(), tables.fabric(), tables.routing());
                    LinkLoad load =
                            LinkLoad.of(tables.fabric(), tables.routing().forwarding());
                    assertThat(found).as("%s", failed).isEqualTo(FailureFigures.of(found.cutOff(), diff, load));
                }
                case Refused whole -> {
                    refused++;
                    assertThat(Objects.requireNonNull(result.refusal()).refusal())
                            .isEqualTo(whole.refusal());
                }
                case CreditLoops loops -> throw new AssertionError(failed + " closes " + loops.report());
            }
        }
    }

    @Test
    void everySwitchAndCableOfToriUpToFour() throws Exception {
        for (int[] radix : new int[][] {{3, 3, 1}, {5, 4, 1}, {3, 3, 3}, {4, 3, 3}, {4, 4, 4}}) {
            Bench bench = new Bench(SampleTorus.torus(radix[0], radix[1], radix[2], 1), radix[2] == 1 ? 1 : 2);
            bench.single().stream().limit(LONG ? Long.MAX_VALUE : 120).forEach(bench::compare);
        }
    }

    @Test
    void pairsOfWhichSomeAreRefused() throws Exception {
        Bench bench = new Bench(SampleTorus.torus(5, 4, 1, 2), 2);
        List<BitSet> single = bench.single();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < PAIRS; i++) {
            BitSet failed = (BitSet) single.get(random.nextInt(single.size())).clone();
            failed.or(single.get(random.nextInt(single.size())));
            bench.compare(failed);
        }
        assertThat(bench.refused).isBetween(1, PAIRS - 1);
    }

    @Test
    void moreFailsInATorusWithAHole() throws Exception {
        SampleTorus torus = SampleTorus.torus(4, 4, 3, 1).without(Set.of(new Position(2, 2, 1)), Set.of());
        Bench bench = new Bench(torus, 1);
        bench.single().stream().skip(3).limit(LONG ? Long.MAX_VALUE : 60).forEach(bench::compare);
        assertThat(bench.refused).isPositive();
    }

    @Test
    void aDimensionIsOpen() throws Exception {
        Bench bench = new Bench(SampleTorus.torus(4, 3, 4, 1).withOpen(Set.of(2)), 2);
        bench.single().stream().limit(LONG ? Long.MAX_VALUE : 60).forEach(bench::compare);
        assertThat(bench.refused).isPositive();
    }

    @Test
    void theSameTwiceIsTheSame() throws Exception {
        Bench bench = new Bench(SampleTorus.torus(3, 3, 3, 1), 2);
        TorusFailures failures = bench.quick.orElseThrow();
        FailureFigures first = failures.of(bench.wholeSwitch(5)).orElseThrow().figures();
        failures.of(bench.wholeSwitch(11));
        assertThat(failures.of(bench.wholeSwitch(5)).orElseThrow().figures()).isEqualTo(first);
        FailureFigures nothing =
                Objects.requireNonNull(failures.of(new BitSet()).orElseThrow().figures());
        assertThat(nothing.entriesChanged()).isZero();
        assertThat(nothing.cutOff()).isZero();
    }

    @Test
    void whatItDoesNotKnowIsLeftToTheWhole() throws Exception {
        SampleTorus plain = SampleTorus.torus(3, 3, 3, 1);
        SampleTorus parallel = new SampleTorus(plain.radices(), plain.open(), 1, 2, plain.missing(), plain.cut());
        assertThat(new Bench(parallel, 1).quick)
                .as("two cables between neighbours")
                .isEmpty();
        Bench bench = new Bench(plain, 1);
        BitSet cableOfAHost = new BitSet();
        cableOfAHost.set(bench.fabric.portIndex(4, 1));
        assertThat(bench.fabric.isSwitch(bench.fabric.nodeOf(bench.fabric.peer(bench.fabric.portIndex(4, 1)))))
                .isFalse();
        assertThat(bench.quick.orElseThrow().of(cableOfAHost)).isEmpty();
    }
}
