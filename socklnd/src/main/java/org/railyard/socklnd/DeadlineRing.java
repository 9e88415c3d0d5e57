package org.railyard.socklnd;

/** Deadlines of messages that are sent in order, in a ring that grows: the oldest is that of the message which is to be done next. Not thread-safe. */
final class DeadlineRing {
    private static final int FIRST_CAPACITY = 16;

    private long[] ring = new long[FIRST_CAPACITY];
    private long added;

    /**
     * Adds the deadline of one more message.
     *
     * @param done how many messages are done so far; their deadlines are forgotten
     */
    void add(long deadline, long done) {
        if (added - done >= ring.length) {
            grow(done);
        }
        ring[(int) added & ring.length - 1] = deadline;
        added++;
    }

    private void grow(long done) {
        long[] larger = new long[ring.length * 2];
        for (long i = done; i < added; i++) {
            larger[(int) i & larger.length - 1] = ring[(int) i & ring.length - 1];
        }
        ring = larger;
    }

    /** Tells whether the oldest message that is not among the first {@code done} is past its deadline. */
    boolean isOverdue(long now, long done) {
        return done < added && now - ring[(int) done & ring.length - 1] > 0;
    }
}
