package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/** Which paths have another SL than before. */
final class SlChangesTest {
    /** Two switches with two hosts each; the last host is at this port of this switch. */
    private static Fabric fabric(int at, int where) {
        String last = "[%d] \"H-3\"[1]\n".formatted(where);
        Fabric cabled = NetFile.parse("""
            Switch 5 "S-0"
            [1] "H-0"[1]
            [3] "H-1"[1]
            [5] "S-1"[5]
            %s
            Switch 5 "S-1"
            [1] "H-2"[1]
            [5] "S-0"[5]
            %s
            Ca 1 "H-0"
            [1] "S-0"[1]

            Ca 1 "H-1"
            [1] "S-0"[3]

            Ca 1 "H-2"
            [1] "S-1"[1]

            Ca 1 "H-3"
            [1] "S-%d"[%d]
            """.formatted(at == 0 ? last : "", at == 1 ? last : "", at, where))
                .fabric();
        int[] lids = new int[cabled.portCount()];
        int lid = 1;
        for (int port = 0; port < lids.length; port++) {
            lids[port] = cabled.isEndPort(port) ? lid++ : 0;
        }
        return cabled.withLids(lids, new int[lids.length]);
    }

    private final Fabric fabric = fabric(1, 2);

    /**
     * SLs by LID: as many classes as there are LIDs with an SL, and the larger SL of both ends; on level 1 with 8 more.
     *
     * @param sls by LID
     */
    private record OfLids(Map<Integer, Integer> sls) implements PathSls {
        static OfLids of(Fabric fabric, int lid, int sl) {
            Map<Integer, Integer> all = new TreeMap<>();
            for (int each = 1; each <= fabric.maxLid(); each++) {
                all.put(each, each == lid ? sl : 0);
            }
            return new OfLids(all);
        }

        @Override
        public int levels() {
            return 2;
        }

        @Override
        public int classes() {
            return sls.size() + 1;
        }

        @Override
        public int classOf(int lid) {
            return sls.containsKey(lid) ? lid : -1;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return Math.max(sls.getOrDefault(sourceClass, 0), sls.getOrDefault(destinationClass, 0)) + 8 * level;
        }
    }

    private int host(int number) {
        return fabric.lid(fabric.portIndex(fabric.switchCount() + number, 1));
    }

    @Test
    void eachPairOfClassesCountsOnEachLevel() {
        PathSls old = OfLids.of(fabric, 0, 0);
        assertThat(SlChanges.between(fabric, old, fabric, OfLids.of(fabric, 0, 0))
                        .count())
                .isZero();
        SlChanges changes = SlChanges.between(fabric, old, fabric, OfLids.of(fabric, host(2), 3));
        int ports = fabric.maxLid();
        assertThat(changes.count()).isEqualTo(2L * (2 * ports - 1));
        assertThat(changes.example()).isEqualTo("S-0/0 to H-2/1: SL 0 becomes 3");
        assertThat(changes.text()).contains("change the SL of " + changes.count(), changes.example(), "nothing was");
        assertThat(changes.allowedText()).contains("SL of " + changes.count(), changes.example());
    }

    @Test
    void portsThatShareAllSlsCountOnce() {
        SlChanges changes = SlChanges.between(fabric, PathSls.constant(1), fabric, PathSls.constant(2));
        assertThat(changes.count()).as("one pair, both levels").isEqualTo(2);
        assertThat(SlChanges.between(fabric, PathSls.constant(1), fabric, PathSls.constant(1))
                        .count())
                .isZero();
    }

    /** Of those that have an SL in both. */
    @Test
    void portsThatComeOrGoChangeNothing() {
        PathSls old = OfLids.of(fabric, 0, 0);
        Map<Integer, Integer> fewer =
                new TreeMap<>(OfLids.of(fabric, host(2), 3).sls());
        fewer.remove(host(2));
        assertThat(SlChanges.between(fabric, old, fabric, new OfLids(fewer)).count())
                .isZero();
        assertThat(SlChanges.between(fabric, new OfLids(fewer), fabric, OfLids.of(fabric, host(2), 3))
                        .count())
                .isZero();
    }

    @Test
    void hostsThatAreAtAnotherPortMayBeLeftOut() {
        PathSls old = OfLids.of(fabric, 0, 0);
        PathSls now = OfLids.of(fabric, host(3), 3);
        int[][] places = {{1, 3}, {0, 2}, {1, 2}};
        for (int[] place : places) {
            Fabric before = fabric(place[0], place[1]);
            assertThat(SlChanges.between(before, old, fabric, now).count()).isPositive();
            assertThat(SlChanges.betweenStaying(before, old, fabric, now).count() == 0)
                    .as("S-%d[%d]", place[0], place[1])
                    .isEqualTo(place != places[2]);
        }
        SlChanges ofSwitch = SlChanges.betweenStaying(fabric(1, 3), old, fabric, OfLids.of(fabric, 1, 3));
        assertThat(ofSwitch.count()).as("switches are where they are").isPositive();
        assertThat(ofSwitch.movedText()).contains("of " + ofSwitch.count(), ofSwitch.example());
    }
}
