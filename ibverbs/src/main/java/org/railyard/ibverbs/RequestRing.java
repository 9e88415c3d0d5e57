package org.railyard.ibverbs;

/**
 * The requests of one queue of a queue pair: which numbers they were posted with, how many there were, and how many of
 * them have completed. A tag has room for the lower bits of the count only; what completes is near the last one that
 * did, so the rest is known (spec 24 §5.4). Not thread-safe.
 */
final class RequestRing {
    /** Bits of a place in a tag. */
    static final int PLACE_BITS = 38;

    /** The bits of a tag that are the place of a request in its queue. */
    static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    private final int size;

    /** A power of two of them: a division costs as much as a call of the card. */
    private final long[] ids;

    private long posted;
    private long done;

    /** Up to where the card certainly tells of each request that it has. */
    private long awaited;

    /** Makes an empty queue, as after so many requests. */
    RequestRing(int size, long before) {
        this.size = size;
        ids = new long[slots(size)];
        posted = before;
        done = before;
        awaited = before;
    }

    private static int slots(int size) {
        return size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    }

    /** Returns how many more requests fit. */
    int room() {
        return size - (int) (posted - done);
    }

    /** Notes the number of a request that is to be posted, so many behind the next one; returns its place. */
    long set(int ahead, long id) {
        long count = posted + ahead;
        ids[slotOf(count)] = id;
        return count & PLACE_MASK;
    }

    /** Returns how many requests there are between the next one to be posted and one that is to be posted later. */
    int ahead(long tag) {
        return (int) (count(tag) - posted);
    }

    private int slotOf(long count) {
        return (int) count & ids.length - 1;
    }

    /** Requests were posted. */
    void posted(int count) {
        posted += count;
    }

    /** The card completes all of the requests that were posted up to now but so many of the last ones. */
    void awaitAllBut(int last) {
        awaited = posted - last;
    }

    private long count(long tag) {
        int rest = Long.SIZE - PLACE_BITS;
        return done + ((tag - done) << rest >> rest);
    }

    /** Returns the number that a request was posted with. */
    long id(long tag) {
        return ids[slotOf(count(tag))];
    }

    /** A request has completed, and those before it. */
    void completed(long tag) {
        done = Math.max(done, count(tag) + 1);
    }

    /** Tells whether what the card has of this queue has completed. */
    boolean isCardDone() {
        return done - awaited >= 0;
    }
}
