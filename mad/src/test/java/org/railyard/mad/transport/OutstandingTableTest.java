package org.railyard.mad.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class OutstandingTableTest {
    @Test
    void isAMapOfAFewAmongAllTransactions() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        OutstandingTable<Integer> table = new OutstandingTable<>(16);
        Map<Integer, Integer> expected = new LinkedHashMap<>();
        for (int step = 0; step < 100_000; step++) {
            // Few places belong to these: most stand behind others, around the end of the table, too.
            int tid = random.nextInt(12) * 64 + random.nextInt(61, 66);
            if (random.nextBoolean() && expected.size() < 16) {
                table.put(tid, step);
                expected.put(tid, step);
            } else {
                assertThat(table.remove(tid)).isEqualTo(expected.remove(tid));
            }
            int other = random.nextInt(12) * 64 + random.nextInt(61, 66);
            assertThat(table.get(other)).isEqualTo(expected.get(other));
            assertThat(table.has(other)).isEqualTo(expected.containsKey(other));
            assertThat(table.size()).isEqualTo(expected.size());
        }
        assertThat(table.removeAll()).containsExactlyInAnyOrderElementsOf(expected.values());
        assertThat(table.size()).isZero();
        assertThat(expected.keySet()).isNotEmpty().noneMatch(table::has);
    }

    @Test
    void transactionsGoRound() {
        OutstandingTable<String> table = new OutstandingTable<>(3);
        List<Integer> all = new ArrayList<>();
        for (int tid = Integer.MAX_VALUE - 2; tid != Integer.MIN_VALUE + 3; tid++) {
            table.put(tid, "" + tid);
            all.add(tid);
        }
        assertThat(all).allSatisfy(tid -> assertThat(table.remove(tid)).isEqualTo("" + tid));
    }

    @Test
    void aTableThatIsHalfFullTakesNoMore() {
        OutstandingTable<String> table = new OutstandingTable<>(1);
        for (int tid = 0; tid <= 4; tid++) {
            table.put(tid, "");
        }
        assertThatThrownBy(() -> table.put(5, ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("5");
    }
}
