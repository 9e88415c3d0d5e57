package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** The order in which destinations are looked at. */
final class LikeDestinationsTest {
    /** Returns how many switches send two LIDs by other ports, and how many classes of senders use other SLs. */
    private static int unlike(Routing routing, int lid, int other) {
        int unlike = 0;
        for (int sw = 0; sw < routing.forwarding().switches(); sw++) {
            boolean same =
                    routing.forwarding().port(sw, lid) == routing.forwarding().port(sw, other);
            unlike += same ? 0 : LikeDestinations.ENTRY_VISITS;
        }
        for (int from = 0; from < routing.sls().classes(); from++) {
            int one = routing.sls().classSl(from, routing.sls().classOf(lid), 0);
            unlike += one == routing.sls().classSl(from, routing.sls().classOf(other), 0) ? 0 : 1;
        }
        return unlike;
    }

    private static int sum(Routing routing, List<Destination> order) {
        int sum = 0;
        for (int i = 1; i < order.size(); i++) {
            sum += unlike(routing, order.get(i - 1).lid(), order.get(i).lid());
        }
        return sum;
    }

    @Test
    void onATorusItGoesRoundTheRings() {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 2);
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        Routing routing = (Routing) new TorusEngine(TorusConfParser.parse(torus.conf(1)), TorusOptions.DEFAULT)
                .route(fabric, EngineOptions.DEFAULT);
        List<Destination> byLid = new DestinationClasses(fabric, routing, CheckOptions.DEFAULT).all();
        List<Destination> sorted = LikeDestinations.sorted(fabric, routing, byLid);
        assertThat(sorted).containsExactlyInAnyOrderElementsOf(byLid);
        int neighbours = 0;
        for (int i = 1; i < sorted.size(); i++) {
            neighbours += isCabled(fabric, sorted.get(i - 1).sw(), sorted.get(i).sw()) ? 1 : 0;
        }
        assertThat(neighbours).as("from switch to switch").isGreaterThan(20);
        assertThat(sum(routing, sorted)).isLessThan(sum(routing, byLid) * 2 / 3);
    }

    private static boolean isCabled(Fabric fabric, int sw, int other) {
        for (int port = 1; port <= fabric.ports(sw); port++) {
            int peer = fabric.peer(fabric.portIndex(sw, port));
            if (peer != Fabric.NONE && fabric.nodeOf(peer) == other) {
                return true;
            }
        }
        return false;
    }

    /** Each destination is there once, and no neighbour that was not looked at yet would have been more alike. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theNextIsTheMostAlike(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int steps = 0;
        for (int round = 0; round < 20; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(6), 2 + random.nextInt(4), 0);
            Fabric fabric = network.fabric();
            Routing routing =
                    SmallNetwork.routing(network.rows(random.nextInt(9)), network.sls(false), network.vls(2, false));
            // Each switch has its own LID, so each has a destination.
            CheckOptions options = CheckOptions.DEFAULT.withSwitchPorts(true);
            List<Destination> byLid = new DestinationClasses(fabric, routing, options).all();
            List<Destination> sorted = LikeDestinations.sorted(fabric, routing, byLid);
            assertThat(sorted).containsExactlyInAnyOrderElementsOf(byLid);
            int[] first = new int[fabric.switchCount()];
            byLid.reversed().forEach(each -> first[each.sw()] = each.lid());
            BitSet been = new BitSet();
            for (int i = 1; i < sorted.size(); i++) {
                int from = sorted.get(i - 1).sw();
                int to = sorted.get(i).sw();
                been.set(from);
                if (to != from && isCabled(fabric, from, to)) {
                    steps++;
                    for (int sw = 0; sw < first.length; sw++) {
                        if (!been.get(sw) && isCabled(fabric, from, sw)) {
                            assertThat(unlike(routing, first[from], first[to]))
                                    .isLessThanOrEqualTo(unlike(routing, first[from], first[sw]));
                        }
                    }
                }
            }
        }
        assertThat(steps).isPositive();
    }
}
