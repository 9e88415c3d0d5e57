package org.railyard.campaign.work;

/** Sets of a few numbers out of many, in lexical order, each found from its place in that order. */
final class Combinations {
    private Combinations() {}

    /**
     * Returns how many there are.
     *
     * @param of how many numbers there are to choose from
     * @param size how many are chosen, 0 to 3
     */
    static long count(long of, int size) {
        return switch (size) {
            case 0 -> 1;
            case 1 -> of;
            case 2 -> of * (of - 1) / 2;
            case 3 -> of < 3 ? 0 : of * (of - 1) / 2 * (of - 2) / 3;
            default -> throw new IllegalArgumentException("sets of " + size + ", expected 0 to 3");
        };
    }

    /**
     * Returns one of them, ascending.
     *
     * @param place from 0 to one less than {@link #count}
     */
    static int[] at(long place, int of, int size) {
        int[] chosen = new int[size];
        long left = place;
        int next = 0;
        for (int i = 0; i < size; i++) {
            long behind = count(of - next - 1L, size - i - 1);
            while (left >= behind) {
                left -= behind;
                next++;
                behind = count(of - next - 1L, size - i - 1);
            }
            chosen[i] = next;
            next++;
        }
        return chosen;
    }
}
