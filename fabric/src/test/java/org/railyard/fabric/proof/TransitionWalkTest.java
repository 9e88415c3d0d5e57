package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.TransitionWalk.Mode;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Walks over the few switches that matter, beside walks over all of them. */
class TransitionWalkTest {
    private record Dependency(int from, int to) implements Comparable<Dependency> {
        @Override
        public int compareTo(Dependency other) {
            return from == other.from ? Integer.compare(to, other.to) : Integer.compare(from, other.from);
        }
    }

    private final List<Integer> lids = new ArrayList<>();
    private int changes;

    private static Routing route(SampleTorus torus, Fabric fabric) {
        return ((Proven) ProvenRouting.by(
                                EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of()))
                        .run(fabric, List.of()))
                .tables()
                .routing();
    }

    private static Set<Dependency> walked(TransitionWalk walk, int lid, Mode mode) {
        Set<Dependency> edges = new TreeSet<>();
        assertThat(walk.isOrderable(mode)).isTrue();
        walk.walk(lid, mode, (from, to, source, destination, sl) -> edges.add(new Dependency(from, to)));
        return edges;
    }

    /** A cable is lost, or comes back. */
    @ParameterizedTest
    @CsvSource({"4,4,1,false", "5,4,1,true", "3,3,3,false", "4,3,3,true"})
    void whatIsLeftOutIsInTheNewTables(int x, int y, int z, boolean comesBack) {
        SampleTorus torus = SampleTorus.torus(x, y, z, 1);
        Fabric whole = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing old = route(torus, whole);
        for (int port = whole.portIndex(1, 3); port < whole.portIndex(4, 0); port++) {
            boolean between = whole.peer(port) != Fabric.NONE && whole.isSwitch(whole.nodeOf(whole.peer(port)));
            if (between) {
                BitSet down = new BitSet();
                down.set(port);
                Fabric broken = whole.withLinksDown(down);
                Routing other = route(torus, broken);
                compare(comesBack ? whole : broken, comesBack ? other : old, comesBack ? old : other);
            }
        }
        assertThat(changes).isGreaterThan(20);
        assertThat(lids).isNotEmpty();
    }

    private void compare(Fabric fabric, Routing before, Routing after) {
        TransitionEntries entries = new TransitionEntries(fabric, before, after);
        TransitionWalk walk =
                new TransitionWalk(fabric, before, after, entries, false, false, CheckOptions.DEFAULT, List.of());
        int[] all = new int[fabric.maxLid()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i + 1;
        }
        entries.forEach(all, lid -> {
            entries.activate(true);
            Set<Dependency> byNew = walked(walk, lid, Mode.NEW_ONLY);
            for (Mode mode : Mode.values()) {
                entries.activate(true);
                if (!walk.isOrderable(mode)) {
                    entries.activate(false);
                    assertThat(walk.isOrderable(mode)).isFalse();
                    continue;
                }
                Set<Dependency> everything = walked(walk, lid, mode);
                entries.activate(false);
                changes += entries.changedCount();
                if (entries.activeCount() < fabric.switchCount()) {
                    lids.add(lid);
                }
                Set<Dependency> some = walked(walk, lid, mode);
                assertThat(everything).containsAll(some);
                Set<Dependency> together = new TreeSet<>(byNew);
                together.addAll(some);
                assertThat(together).containsAll(everything);
                towards(fabric, entries, walk, lid, mode, everything);
            }
        });
    }

    /** Who asks for packets that leave by some ports gets all dependencies on these. */
    private static void towards(
            Fabric fabric,
            TransitionEntries entries,
            TransitionWalk walk,
            int lid,
            Mode mode,
            Set<Dependency> everything) {
        BitSet ports = new BitSet();
        for (int group = 0; group < 2; group++) {
            int port = fabric.portIndex(lid % fabric.switchCount(), 2 + (lid + group) % 4);
            ports.set(port);
        }
        int[] senders = ports.stream().map(fabric::nodeOf).distinct().toArray();
        entries.activateTowards(senders, ports);
        Set<Dependency> found = new TreeSet<>();
        if (entries.activeCount() > 0) {
            found.addAll(walked(walk, lid, mode));
        }
        assertThat(everything).containsAll(found);
        found.removeIf(edge -> !ports.get(Channel.portOf(edge.to())));
        assertThat(everything.stream().filter(edge -> ports.get(Channel.portOf(edge.to()))))
                .containsExactlyElementsOf(found);
    }

    /** What a host sends that is not in the fabric, but was told the same SLs, is what it sent as a part of it. */
    @Test
    void aStrangerSendsAsTheHostItWas() {
        int compared = 0;
        for (int seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(4), 2 + random.nextInt(4), 0);
            Fabric fabric = network.fabric();
            byte[][] rows = network.rows(random.nextInt(20));
            byte[][] others = network.rows(random.nextInt(20));
            PathSls sls = network.sls(true);
            SlToVl vls = network.vls(2, false);
            Routing before = SmallNetwork.routing(rows, sls, vls);
            Routing after = SmallNetwork.routing(others, sls, vls);
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndPort(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
                    compared += compareStranger(fabric, port, before, after);
                }
            }
        }
        assertThat(compared).as("dependencies that are a stranger's alone").isGreaterThan(100);
    }

    /** Returns how many dependencies only this host makes. */
    private static int compareStranger(Fabric fabric, int host, Routing before, Routing after) {
        int behind = fabric.peer(host);
        BitSet down = new BitSet();
        down.set(host);
        Fabric without = fabric.withLinksDown(down);
        Transition.Stranger stranger = new Transition.Stranger(behind, fabric.lid(host), after.sls());
        int own = 0;
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            if (lid != fabric.lid(host)) {
                for (Mode mode : Mode.values()) {
                    Set<Dependency> asHost = allOf(fabric, before, after, lid, mode, List.of());
                    Set<Dependency> asStranger = allOf(without, before, after, lid, mode, List.of(stranger));
                    assertThat(asStranger).isEqualTo(asHost);
                    own += asHost.size()
                            - allOf(without, before, after, lid, mode, List.of())
                                    .size();
                }
            }
        }
        return own;
    }

    /** Returns all dependencies of flows to a LID; none if packets could go round. */
    private static Set<Dependency> allOf(
            Fabric fabric, Routing before, Routing after, int lid, Mode mode, List<Transition.Stranger> strangers) {
        TransitionEntries entries = new TransitionEntries(fabric, before, after);
        TransitionWalk walk =
                new TransitionWalk(fabric, before, after, entries, false, false, CheckOptions.DEFAULT, strangers);
        Set<Dependency> edges = new TreeSet<>();
        entries.forEach(new int[] {lid}, each -> {
            entries.activate(true);
            if (walk.isOrderable(mode)) {
                walk.walk(each, mode, (from, to, source, destination, sl) -> edges.add(new Dependency(from, to)));
            }
        });
        return edges;
    }
}
