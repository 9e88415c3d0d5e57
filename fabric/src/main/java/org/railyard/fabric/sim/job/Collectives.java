package org.railyard.fabric.sim.job;

import java.util.Arrays;

/** Operations of all ranks of a job together (spec 33 §6). */
public final class Collectives {
    /** Most messages of a job. */
    public static final long MAX_MESSAGES = 1L << 30;

    /** Most bytes of a message, and of what is cut into messages. */
    public static final long MAX_BYTES = 1L << 40;

    private Collectives() {}

    private static void check(long ranks, long ofEach, long bytes, int rounds) {
        double messages = (double) ranks * ofEach * rounds;
        if (ranks < 2 || bytes < 0 || bytes > MAX_BYTES || rounds < 1 || messages > MAX_MESSAGES) {
            throw new IllegalArgumentException(
                    "%d ranks, %d bytes, %d rounds, %.0f messages: expected 2 ranks or more, up to %d bytes, a round or"
                                    .formatted(ranks, bytes, rounds, messages, MAX_BYTES)
                            + " more, and up to " + MAX_MESSAGES + " messages");
        }
    }

    /**
     * Each rank has something for each other one, and sends it to the next one first. With several rounds, the next
     * one begins when everything has arrived.
     *
     * @param bytes for each other rank
     * @throws IllegalArgumentException if there are fewer than two ranks, or more of anything than there may be
     */
    public static Job allToAll(int ranks, long bytes, int rounds) {
        check(ranks, ranks - 1, bytes, rounds);
        return new Job() {
            @Override
            public String name() {
                return "all-to-all";
            }

            @Override
            public int ranks() {
                return ranks;
            }

            @Override
            public int steps(int rank) {
                return rounds;
            }

            @Override
            public int sends(int rank, int step) {
                return ranks - 1;
            }

            @Override
            public int to(int rank, int step, int message) {
                return (rank + 1 + message) % ranks;
            }

            @Override
            public long bytes(int rank, int step, int message) {
                return bytes;
            }

            @Override
            public int awaits(int rank, int step) {
                return ranks - 1;
            }
        };
    }

    /**
     * Ranks add up what all have, in a ring: data is cut into as many parts as there are ranks; in the first half of
     * the steps each part goes around and is added to, in the second half the sums go around.
     *
     * @param bytes that each rank has
     * @throws IllegalArgumentException as for {@link #allToAll}
     */
    public static Job ringAllReduce(int ranks, long bytes, int rounds) {
        check(ranks, 2L * (ranks - 1), bytes, rounds);
        int half = ranks - 1;
        return new Job() {
            @Override
            public String name() {
                return "ring-allreduce";
            }

            @Override
            public int ranks() {
                return ranks;
            }

            @Override
            public int steps(int rank) {
                return rounds * 2 * half;
            }

            @Override
            public int sends(int rank, int step) {
                return 1;
            }

            @Override
            public int to(int rank, int step, int message) {
                return (rank + 1) % ranks;
            }

            @Override
            public long bytes(int rank, int step, int message) {
                int turn = step % (2 * half);
                long part = Math.floorMod(turn < half ? rank - turn : rank + 1 - (turn - half), ranks);
                return (part + 1) * bytes / ranks - part * bytes / ranks;
            }

            @Override
            public int awaits(int rank, int step) {
                return 1;
            }
        };
    }

    /**
     * Each rank sends to its neighbours and goes on when it has heard of all whose neighbour it is.
     *
     * @param neighbours of each rank; one that is there twice gets two messages
     * @param bytes for each of them
     * @throws IllegalArgumentException as for {@link #allToAll}
     */
    public static Job exchange(int[][] neighbours, long bytes, int rounds) {
        int[][] to = Arrays.stream(neighbours).map(int[]::clone).toArray(int[][]::new);
        check(to.length, Arrays.stream(to).mapToInt(all -> all.length).max().orElse(0), bytes, rounds);
        int[] incoming = new int[to.length];
        Arrays.stream(to).flatMapToInt(Arrays::stream).forEach(rank -> incoming[rank]++);
        return new Job() {
            @Override
            public String name() {
                return "halo";
            }

            @Override
            public int ranks() {
                return to.length;
            }

            @Override
            public int steps(int rank) {
                return rounds;
            }

            @Override
            public int sends(int rank, int step) {
                return to[rank].length;
            }

            @Override
            public int to(int rank, int step, int message) {
                return to[rank][message];
            }

            @Override
            public long bytes(int rank, int step, int message) {
                return bytes;
            }

            @Override
            public int awaits(int rank, int step) {
                return incoming[rank];
            }
        };
    }
}
