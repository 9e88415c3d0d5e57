package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.SourceGroups.Source;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.SlToVl;

/** Which senders of a switch stand for others: four hosts, and a cable to a second switch in the last port. */
final class SourceGroupsTest {
    private static final int LAST = 5;

    private static final String HOSTS = """
        Switch 5 "S-a"
        [1] "H-1"[1]
        [2] "H-2"[1]
        [3] "H-3"[1]
        [4] "H-4"[1]
        [5] "S-b"[1]

        Switch 2 "S-b"
        [1] "S-a"[5]
        [2] "H-5"[1]

        Ca 1 "H-1"
        [1] "S-a"[1]

        Ca 1 "H-2"
        [1] "S-a"[2]

        Ca 1 "H-3"
        [1] "S-a"[3]

        Ca 1 "H-4"
        [1] "S-a"[4]

        Ca 1 "H-5"
        [1] "S-b"[2]
        """;

    private final Fabric fabric = FreshLids.assign(NetFile.parse(HOSTS).fabric(), Fabric.NONE);
    private final int near = fabric.nodeOf(fabric.peer(fabric.portIndex(switchOf("H-5"), 1)));

    private int switchOf(String host) {
        for (int port : fabric.hosts()) {
            if (fabric.description(fabric.nodeOf(port)).equals(host)) {
                return fabric.switchOf(port);
            }
        }
        throw new AssertionError(host);
    }

    /** Returns the end port behind a port of the first switch. */
    private int host(int port) {
        return fabric.peer(fabric.portIndex(near, port));
    }

    private SourceGroups groups(PathSls sls, SlToVl slToVl) {
        return new SourceGroups(fabric, sls, slToVl, CheckOptions.DEFAULT);
    }

    /** All packets to the last port are on the VL of their input, all others on VL 0. */
    private static SlToVl onTheLastPort(IntUnaryOperator vl) {
        return new SlToVl() {
            @Override
            public long table(int switchIndex, int in, int out) {
                return 0x1111_1111_1111_1111L * (out == LAST ? vl.applyAsInt(in) : 0);
            }

            @Override
            public long endTable(int endPort) {
                return ALL_ZERO;
            }
        };
    }

    @Test
    void oneStandsForAllThatAreAlike() {
        SourceGroups groups = groups(PathSls.constant(0), SlToVl.uniform(0));
        assertThat(groups.of(near)).singleElement().satisfies(all -> {
            assertThat(all.count()).isEqualTo(4);
            for (int port = 1; port <= 4; port++) {
                assertThat(groups.contains(all, near, host(port))).isTrue();
                assertThat(all.lidTo(host(port))).isNotIn(0, fabric.lid(host(port)));
            }
        });
        assertThat(groups.of(switchOf("H-5"))).singleElement().satisfies(one -> {
            assertThat(one.count()).isOne();
            assertThat(one.lidTo(one.endPort())).as("nobody else is there").isZero();
            assertThat(groups.contains(one, switchOf("H-5"), host(1)))
                    .as("of another switch")
                    .isFalse();
        });
    }

    /** It is enough that they differ on the way to one port, be it the last. */
    @Test
    void theVlTellsThemApart() {
        SourceGroups groups = groups(PathSls.constant(0), onTheLastPort(in -> in % 2));
        assertThat(groups.of(near)).extracting(Source::count).containsExactly(2, 2);
        for (int port = 1; port <= 4; port++) {
            for (Source group : groups.of(near)) {
                assertThat(groups.contains(group, near, host(port))).isEqualTo(group.input() % 2 == port % 2);
            }
        }
    }

    @Test
    void theSlClassTellsThemApart() {
        int alone = fabric.lid(host(3));
        PathSls sls = new RuledSls(1, 2, lid -> lid == alone ? 1 : 0, (_, _, _) -> 0);
        SourceGroups groups = groups(sls, SlToVl.uniform(0));
        assertThat(groups.of(near)).extracting(Source::count).containsExactlyInAnyOrder(3, 1);
        for (Source group : groups.of(near)) {
            assertThat(group.slClass()).isEqualTo(group.count() == 1 ? 1 : 0);
            assertThat(groups.contains(group, near, host(3))).isEqualTo(group.count() == 1);
        }
    }
}
