package org.railyard.fabric.proof;

import java.util.Arrays;
import org.railyard.fabric.route.SlToVl;

/**
 * Sets of (VL, SL), each of which has a number: equal sets have the same. What happens to a set at a switch is worked
 * out once and then remembered, because the flows of a fabric make few different sets. Numbers hold until {@link
 * #clear}.
 */
final class PairSets {
    /** The set of nothing. */
    static final int EMPTY = 0;

    /** Words of a set: the pair (VL, SL) is bit 16 · VL + SL. */
    static final int WORDS = 4;

    /** Set in an answer: some SLs were dropped, the rest of the answer is what was not. */
    static final int DROPS = 1 << 30;

    private static final int SLS = 16;
    private static final int FULL = 1 << 16;
    private static final int FIRST_SIZE = 1 << 10;

    /** Answers that are remembered; a newer one takes the place of an older. */
    private static final int MEMO = 1 << 14;

    private static final int UNION = 0;
    private static final int HAND_ON = 1;
    private static final int ENTER = 2;

    private long[] words = new long[FIRST_SIZE * WORDS];
    private int count = 1;
    /** Numbers of sets by their hash, 0 = free. */
    private int[] setsByHash = new int[2 * FIRST_SIZE];

    private long[] tables = new long[FIRST_SIZE];
    private int tableCount;
    /** Numbers of tables by their hash, plus 1. */
    private int[] tablesByHash = new int[2 * FIRST_SIZE];

    /** What was asked: the number of the table or of a set, another number, and the kind of question. */
    private final long[] asked = new long[MEMO];

    private final int[] answers = new int[MEMO];
    private final long[] made = new long[WORDS];

    /** Returns whether there are so many sets that they should be cleared before going on. */
    boolean isFull() {
        return count > FULL;
    }

    /** Forgets all sets; tables keep their numbers. */
    void clear() {
        count = 1;
        Arrays.fill(setsByHash, 0);
        Arrays.fill(asked, 0);
    }

    /** Returns the number of an SL to VL table. */
    int table(long table) {
        int mask = tablesByHash.length - 1;
        int slot = (int) (table * 0x9E3779B97F4A7C15L >>> 40) & mask;
        while (tablesByHash[slot] != 0) {
            if (tables[tablesByHash[slot] - 1] == table) {
                return tablesByHash[slot] - 1;
            }
            slot = slot + 1 & mask;
        }
        if (tableCount == tables.length) {
            tables = Arrays.copyOf(tables, 2 * tableCount);
            tablesByHash = new int[4 * tableCount];
            int known = tableCount;
            tableCount = 0;
            for (int i = 0; i < known; i++) {
                table(tables[i]);
            }
            return table(table);
        }
        tables[tableCount] = table;
        tablesByHash[slot] = ++tableCount;
        return tableCount - 1;
    }

    /** Returns 64 of the 256 bits of a set. */
    long word(int set, int word) {
        return words[set * WORDS + word];
    }

    int union(int a, int b) {
        if (a == b || b == EMPTY) {
            return a;
        }
        if (a == EMPTY) {
            return b;
        }
        long question = question(UNION, a, b);
        int slot = slot(question);
        return asked[slot] == question ? answers[slot] : remember(slot, question, unite(a, b));
    }

    /**
     * Returns what a set becomes at a switch: each SL gets the VL that a table says, whatever VL it came by.
     *
     * @param table number of the table
     * @return the set, with {@link #DROPS} if the table drops some of it
     */
    int handOn(int set, int table) {
        long question = question(HAND_ON, table, set);
        int slot = slot(question);
        return asked[slot] == question ? answers[slot] : remember(slot, question, map(set, tables[table]));
    }

    /**
     * Returns what SLs become that are sent.
     *
     * @param sls a bit for each SL
     * @param table number of the table
     * @return the set, with {@link #DROPS} if the table drops some of them
     */
    int enter(int sls, int table) {
        long question = question(ENTER, table, sls);
        int slot = slot(question);
        return asked[slot] == question ? answers[slot] : remember(slot, question, put(sls, tables[table]));
    }

    private static long question(int kind, int a, int b) {
        return 1L << 63 | (long) kind << 60 | (long) a << 28 | b;
    }

    private static int slot(long question) {
        return (int) (question * 0x9E3779B97F4A7C15L >>> 64 - 14);
    }

    private int remember(int slot, long question, int answer) {
        asked[slot] = question;
        answers[slot] = answer;
        return answer;
    }

    private int unite(int a, int b) {
        for (int word = 0; word < WORDS; word++) {
            made[word] = word(a, word) | word(b, word);
        }
        return numberOfMade();
    }

    private int map(int set, long table) {
        int sls = 0;
        for (int word = 0; word < WORDS; word++) {
            long bits = word(set, word);
            sls |= (int) (bits | bits >>> SLS | bits >>> 2 * SLS | bits >>> 3 * SLS) & 0xFFFF;
        }
        return put(sls, table);
    }

    private int put(int sls, long table) {
        Arrays.fill(made, 0);
        boolean drops = false;
        for (int sl = 0; sl < SLS; sl++) {
            if ((sls >>> sl & 1) != 0) {
                int vl = SlToVl.vl(table, sl);
                drops |= vl == SlToVl.DROP;
                made[vl >> 2] |= vl == SlToVl.DROP ? 0 : 1L << (vl << 4 | sl);
            }
        }
        return numberOfMade() | (drops ? DROPS : 0);
    }

    private int numberOfMade() {
        if ((made[0] | made[1] | made[2] | made[3]) == 0) {
            return EMPTY;
        }
        int mask = setsByHash.length - 1;
        int slot = hash(made, 0) & mask;
        while (setsByHash[slot] != 0) {
            if (Arrays.equals(words, setsByHash[slot] * WORDS, (setsByHash[slot] + 1) * WORDS, made, 0, WORDS)) {
                return setsByHash[slot];
            }
            slot = slot + 1 & mask;
        }
        if ((count + 1) * WORDS > words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
            setsByHash = new int[words.length / 2];
            for (int set = 1; set < count; set++) {
                int at = hash(words, set * WORDS) & setsByHash.length - 1;
                while (setsByHash[at] != 0) {
                    at = at + 1 & setsByHash.length - 1;
                }
                setsByHash[at] = set;
            }
            return numberOfMade();
        }
        System.arraycopy(made, 0, words, count * WORDS, WORDS);
        setsByHash[slot] = count;
        return count++;
    }

    private static int hash(long[] words, int from) {
        long hash = 0;
        for (int word = from; word < from + WORDS; word++) {
            hash = (hash ^ words[word]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }
}
