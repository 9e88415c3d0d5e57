package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Fault;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** What is found does not depend on the destinations that were looked at before. */
final class UnicastWalkTest {
    /** What a walk finds. */
    private static final class Found {
        private final TreeSet<Long> edges = new TreeSet<>();
        private final List<Fault> faults = new ArrayList<>();
        private final List<String> claims = new ArrayList<>();
        private long faultCount;

        void add(Fabric fabric, Routing routing, CheckOptions options, List<Destination> destinations) {
            SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
            DependencyGraph graph = new DependencyGraph();
            FaultLog log = new FaultLog();
            SlClaims heard = (lid, column, leaving) ->
                    claims.add(lid + " " + Arrays.toString(column) + Arrays.toString(toInts(leaving)));
            new UnicastWalk(fabric, routing, sources, options, graph, log, heard).addAll(destinations);
            Arrays.stream(graph.sortedEdges()).forEach(edges::add);
            faults.addAll(log.kept());
            faultCount += log.count();
        }

        private static int[] toInts(char[] leaving) {
            return IntStream.range(0, leaving.length).map(sw -> leaving[sw]).toArray();
        }
    }

    private static void compare(Fabric fabric, Routing routing, CheckOptions options, List<Destination> order) {
        Found together = new Found();
        together.add(fabric, routing, options, order);
        Found apart = new Found();
        order.forEach(each -> apart.add(fabric, routing, options, List.of(each)));
        assertThat(together.claims).isEqualTo(apart.claims);
        assertThat(together.edges).isEqualTo(apart.edges);
        assertThat(together.faultCount).isEqualTo(apart.faultCount);
        assertThat(together.faults)
                .isEqualTo(apart.faults.subList(0, Math.min(apart.faults.size(), CheckReport.MAX_FAULTS)));
    }

    /** Many switches and few changes from one destination to the next: most are not visited again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void networksByChance(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20; round++) {
            SmallNetwork network = new SmallNetwork(random, 12 + random.nextInt(8), 16, 0);
            Fabric fabric = network.fabric();
            byte[][] rows = round % 2 == 0 ? network.treeRows() : network.rows(0);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                byte[] row = rows[random.nextInt(rows.length)];
                row[1 + random.nextInt(row.length - 1)] = (byte) random.nextInt(9);
            }
            Routing routing = SmallNetwork.routing(
                    rows, network.sls(round % 5 == 1), network.vls(1 + random.nextInt(4), round % 4 == 2));
            CheckOptions options =
                    CheckOptions.DEFAULT.withSwitchPorts(round % 3 == 0).withHostChannels(round % 7 == 0);
            List<Destination> byLid = new DestinationClasses(fabric, routing, options).all();
            compare(fabric, routing, options, byLid);
            compare(fabric, routing, options, LikeDestinations.sorted(fabric, routing, byLid));
        }
    }

    /** Tables are read in blocks of 512 destinations: here the second block brings the last three. */
    @Test
    void moreDestinationsThanAreReadTogether() {
        SampleTorus torus = new SampleTorus(List.of(4, 3, 3), Set.of(), 1, 1, Set.of(), Set.of());
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing routing = (Routing) new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                .route(fabric, EngineOptions.DEFAULT);
        List<Destination> each = new DestinationClasses(fabric, routing, CheckOptions.DEFAULT).all();
        List<Destination> order = new ArrayList<>();
        for (int i = 0; i < 512; i++) {
            order.add(each.get(i % (each.size() - 3)));
        }
        order.addAll(each.subList(each.size() - 3, each.size()));
        Found together = new Found();
        together.add(fabric, routing, CheckOptions.DEFAULT, order);
        Found once = new Found();
        once.add(fabric, routing, CheckOptions.DEFAULT, each);
        assertThat(together.edges).isEqualTo(once.edges);
        assertThat(new TreeSet<>(together.claims)).isEqualTo(new TreeSet<>(once.claims));
    }
}
