package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.route.SlToVl;

final class PairSetsTest {
    private final PairSets sets = new PairSets();

    private BitSet bits(int set) {
        long[] words = new long[PairSets.WORDS];
        for (int word = 0; word < words.length; word++) {
            words[word] = sets.word(set & ~PairSets.DROPS, word);
        }
        return BitSet.valueOf(words);
    }

    private static long randomTable(SplittableRandom random) {
        int[] vls = new int[16];
        for (int sl = 0; sl < 16; sl++) {
            vls[sl] = random.nextInt(16);
        }
        return SlToVl.pack(vls);
    }

    private static BitSet entered(int sls, long table) {
        BitSet expected = new BitSet();
        for (int sl = 0; sl < 16; sl++) {
            int vl = SlToVl.vl(table, sl);
            if ((sls >>> sl & 1) != 0 && vl != SlToVl.DROP) {
                expected.set(vl << 4 | sl);
            }
        }
        return expected;
    }

    private static int sls(BitSet pairs) {
        return pairs.stream().map(pair -> 1 << (pair & 15)).reduce(0, (a, b) -> a | b);
    }

    /** So many sets and tables that all arrays grow and remembered answers are overwritten. */
    @Test
    void setsAreWhatSetsOfPairsWouldBe() {
        SplittableRandom random = new SplittableRandom(22);
        List<Integer> known = new ArrayList<>(List.of(PairSets.EMPTY));
        List<Long> tables = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            tables.add(randomTable(random));
        }
        for (int round = 0; round < 60_000; round++) {
            long table = tables.get(random.nextInt(tables.size()));
            int number = sets.table(table);
            int some = random.nextInt(1 << 16);
            int sls = random.nextInt(1 << 16) & some;
            int a = known.get(random.nextInt(known.size()));
            int b = known.get(random.nextInt(known.size()));
            int entered = sets.enter(sls, number);
            int handedOn = sets.handOn(a, number);
            int union = sets.union(a, b);
            BitSet both = bits(a);
            both.or(bits(b));
            assertThat(bits(entered)).isEqualTo(entered(sls, table));
            assertThat((entered & PairSets.DROPS) != 0)
                    .isEqualTo(entered(sls, table).cardinality() < Integer.bitCount(sls));
            assertThat(bits(handedOn)).isEqualTo(entered(sls(bits(a)), table));
            assertThat(bits(union)).isEqualTo(both);
            assertThat(sets.union(b, a)).isEqualTo(union);
            known.add(entered & ~PairSets.DROPS);
        }
        assertThat(sets.isFull()).isTrue();
        sets.clear();
        assertThat(sets.isFull()).isFalse();
        int table = sets.table(tables.getFirst());
        assertThat(bits(sets.enter(0x00FF, table))).isEqualTo(entered(0x00FF, tables.getFirst()));
    }
}
