package org.railyard.lab.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;

class TorusRoutingTest {
    private static final long SWEEP = 1_000_000_000L;

    private static TorusRouting torus(int x, int y, TorusSettings.Engine engine) {
        return TorusRouting.of(new TorusSettings(List.of(x, y, 1), 1, engine, SWEEP));
    }

    /** Cables of a switch, each by its first port. */
    private static BitSet cables(Fabric fabric, int node, int count) {
        BitSet cables = new BitSet();
        for (int number = 1; number <= fabric.ports(node) && cables.cardinality() < count; number++) {
            int port = fabric.portIndex(node, number);
            int other = fabric.cable(port);
            if (other != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(other))) {
                cables.set(Math.min(port, other));
            }
        }
        return cables;
    }

    private static TorusRouting.Outcome without(TorusRouting torus, BitSet down) {
        return torus.without(down, torus.whole().withLinksDown(down));
    }

    @Test
    void whatIsKnownIsNotComputedAgain() {
        TorusRouting torus = torus(4, 3, TorusSettings.Engine.TORUS_2QOS);
        assertThat(torus(4, 3, TorusSettings.Engine.TORUS_2QOS)).isSameAs(torus);
        BitSet down = cables(torus.whole(), 5, 1);
        TorusRouting.Outcome first = without(torus, down);
        assertThat(without(torus, (BitSet) down.clone())).isSameAs(first);
        down.or(cables(torus.whole(), 8, 1));
        assertThat(without(torus, down)).as("the set was the caller's").isNotSameAs(first);
    }

    @Test
    void tablesAreThoseOfTheTorusWithoutItsCables() {
        TorusRouting torus = torus(4, 3, TorusSettings.Engine.TORUS_2QOS);
        BitSet none = new BitSet();
        assertThat(without(torus, none)).isInstanceOfSatisfying(TorusRouting.Tables.class, tables -> {
            assertThat(tables.remark()).isEmpty();
            assertThat(hops(torus.whole(), tables.routing(), 0)).isEqualTo(hops(torus.whole(), torus.first(), 0));
        });
        BitSet down = cables(torus.whole(), 0, 1);
        int lost = down.nextSetBit(0);
        assertThat(without(torus, down))
                .isInstanceOfSatisfying(
                        TorusRouting.Tables.class,
                        tables -> assertThat(hops(
                                        torus.whole(),
                                        tables.routing(),
                                        torus.whole().nodeOf(lost)))
                                .doesNotContain(torus.whole().portNumber(lost)));
    }

    private static List<Integer> hops(Fabric fabric, Routing routing, int node) {
        return IntStream.rangeClosed(1, fabric.maxLid())
                .mapToObj(lid -> routing.forwarding().port(node, lid))
                .toList();
    }

    @Test
    void creditLoopsAreToldAndRefusalsToo() {
        TorusRouting ring = torus(5, 5, TorusSettings.Engine.DOR);
        assertThat(without(ring, new BitSet()))
                .isInstanceOfSatisfying(
                        TorusRouting.Tables.class,
                        tables -> assertThat(tables.remark()).contains("credit loop of 5 channels"));
        TorusRouting torus = torus(5, 5, TorusSettings.Engine.TORUS_2QOS);
        BitSet down = new BitSet();
        for (int node = 0; node < 20; node++) {
            down.or(cables(torus.whole(), node, 3));
        }
        assertThat(without(torus, down))
                .isInstanceOfSatisfying(
                        TorusRouting.None.class, none -> assertThat(none.why()).contains("torus-2QoS"));
    }
}
