package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TransitionRoundsTest {
    private static final int SWITCHES = 3;
    private static final int MAX_LID = 400;

    /** Beside a map: LIDs are added, forgotten, and asked for, more of them than fit at first. */
    @Test
    void roundsAreKeptBySwitchAndLid() {
        SplittableRandom random = new SplittableRandom(5);
        TransitionRounds rounds = new TransitionRounds(SWITCHES, MAX_LID);
        TreeMap<Integer, int[]> known = new TreeMap<>();
        for (int step = 0; step < 1500; step++) {
            int lid = random.nextInt(MAX_LID + 1);
            if (random.nextInt(4) == 0) {
                rounds.remove(lid);
                known.remove(lid);
            } else {
                rounds.add(lid);
                int[] of = new int[SWITCHES];
                for (int sw = 0; sw < SWITCHES; sw++) {
                    of[sw] = random.nextInt(3) == 0 ? 0 : random.nextInt(Byte.MAX_VALUE + 1);
                    rounds.set(sw, lid, (byte) of[sw]);
                }
                known.put(lid, of);
                assertThat(rounds.last(lid)).isEqualTo(Math.max(of[0], Math.max(of[1], of[2])));
            }
            assertThat(rounds.count()).isEqualTo(known.size());
        }
        int last = 0;
        for (int lid = 0; lid <= MAX_LID; lid++) {
            int[] of = known.getOrDefault(lid, new int[SWITCHES]);
            assertThat(rounds.contains(lid)).isEqualTo(known.containsKey(lid));
            for (int sw = 0; sw < SWITCHES; sw++) {
                assertThat(rounds.of(sw, lid)).isEqualTo(of[sw]);
                last = Math.max(last, of[sw]);
            }
        }
        assertThat(rounds.last()).isEqualTo(last);
        assertThat(rounds.of(0, MAX_LID + 1)).as("a LID that cannot be").isZero();
        known.keySet().forEach(rounds::remove);
        assertThat(rounds.count()).isZero();
        assertThat(rounds.last()).isZero();
    }
}
