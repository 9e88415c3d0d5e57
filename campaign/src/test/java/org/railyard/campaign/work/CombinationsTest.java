package org.railyard.campaign.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CombinationsTest {
    @Test
    void everySetIsThereOnceInOrder() {
        for (int size = 1; size <= 3; size++) {
            for (int of = size; of < 9; of++) {
                TreeSet<String> all = new TreeSet<>();
                String before = "";
                long count = Combinations.count(of, size);
                for (long place = 0; place < count; place++) {
                    int[] set = Combinations.at(place, of, size);
                    assertThat(set).isSorted().hasSize(size).doesNotHaveDuplicates();
                    assertThat(set[size - 1]).isLessThan(of);
                    String text = Arrays.toString(set);
                    assertThat(text).isGreaterThan(before);
                    before = text;
                    all.add(text);
                }
                assertThat(all).hasSize((int) count);
            }
        }
    }

    @Test
    void numbersAreThoseOfTheTextbook() {
        assertThat(Combinations.count(1000, 2)).isEqualTo(499_500);
        assertThat(Combinations.count(1000, 3)).isEqualTo(166_167_000);
        assertThat(Combinations.at(499_499, 1000, 2)).containsExactly(998, 999);
        assertThat(Combinations.at(166_166_999, 1000, 3)).containsExactly(997, 998, 999);
    }
}
