package org.railyard.verbs;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Send requests to be posted together. Used again and again, without garbage once it has grown. Not thread-safe. */
public final class WorkChain {
    /** Most requests. */
    public static final int MAX_REQUESTS = 4096;

    /** Most gather entries of all requests together. */
    public static final int MAX_GATHER = 4 * MAX_REQUESTS;

    private static final int FIRST_SIZE = 8;

    private static final Completion.Operation[] OPERATIONS = Completion.Operation.values();

    // Words of a request: one array, because a look into each of many costs as much as a call of a card.
    private static final int WORDS = 4;
    private static final int ID = 0;
    private static final int REMOTE_ADDRESS = 1;

    /** Where its gather entries end, and in the upper half its key. */
    private static final int END_AND_KEY = 2;

    /** Which operation, and a bit of the upper half. */
    private static final int OPERATION = 3;

    private static final long SIGNALLED = 1L << Integer.SIZE;

    private long[] requests = new long[WORDS * FIRST_SIZE];
    private @Nullable FastRegion[] regions = new @Nullable FastRegion[FIRST_SIZE];
    private int size;

    /** Of each gather entry the address, and its length and key. */
    private long[] entries = new long[2 * FIRST_SIZE];

    private int gathered;

    /** Makes an empty chain. */
    public WorkChain() {}

    /** Takes all requests out. */
    public void clear() {
        Arrays.fill(regions, 0, size, null);
        size = 0;
        gathered = 0;
    }

    /** Takes requests out from the end, until so many are left. */
    public void truncate(int newSize) {
        if (newSize < size) {
            Arrays.fill(regions, newSize, size, null);
            size = Math.max(0, newSize);
            gathered = size == 0 ? 0 : gatherEnd(size - 1);
        }
    }

    /** Appends a SEND; its bytes follow with {@link #gather}. */
    public WorkChain send(long id, boolean isSignalled) {
        return add(Completion.Operation.SEND, id, isSignalled, 0, 0, null);
    }

    /** Appends an RDMA WRITE; its bytes follow with {@link #gather}. */
    public WorkChain write(long id, boolean isSignalled, long remoteAddress, int remoteKey) {
        return add(Completion.Operation.RDMA_WRITE, id, isSignalled, remoteAddress, remoteKey, null);
    }

    /**
     * Appends the registration of a region.
     *
     * @param access bits of {@link Access}
     */
    public WorkChain register(long id, boolean isSignalled, FastRegion region, int access) {
        return add(Completion.Operation.REGISTER, id, isSignalled, 0, access, region);
    }

    /**
     * Appends the invalidation of a region, by the keys that it is registered with, whatever was {@linkplain
     * FastRegion#prepare prepared} since.
     */
    public WorkChain invalidate(long id, boolean isSignalled, FastRegion region) {
        return add(Completion.Operation.INVALIDATE, id, isSignalled, 0, 0, region);
    }

    private WorkChain add(
            Completion.Operation operation,
            long id,
            boolean isSignalled,
            long remoteAddress,
            int key,
            @Nullable FastRegion region) {
        if (size == MAX_REQUESTS) {
            throw new IllegalStateException("more than " + MAX_REQUESTS + " requests in a chain");
        }
        if (size == regions.length) {
            growRequests();
        }
        int at = WORDS * size;
        requests[at + ID] = id;
        requests[at + REMOTE_ADDRESS] = remoteAddress;
        requests[at + END_AND_KEY] = pair(gathered, key);
        requests[at + OPERATION] = operation.ordinal() | (isSignalled ? SIGNALLED : 0);
        regions[size++] = region;
        return this;
    }

    private void growRequests() {
        requests = Arrays.copyOf(requests, requests.length * 2);
        regions = Arrays.copyOf(regions, regions.length * 2);
    }

    private static long pair(int lower, int upper) {
        return (long) upper << Integer.SIZE | Integer.toUnsignedLong(lower);
    }

    /**
     * Appends bytes to the last request.
     *
     * @param address of the first
     * @param length how many, from 0
     * @param key local key
     */
    public WorkChain gather(long address, int length, int key) {
        if (size == 0) {
            throw new IllegalStateException("bytes without a request");
        }
        if (length < 0 || gathered == MAX_GATHER) {
            throw new IllegalStateException("gather entry " + gathered + " of " + length + " bytes; at most "
                    + MAX_GATHER + " entries of no negative length");
        }
        if (2 * gathered == entries.length) {
            entries = Arrays.copyOf(entries, entries.length * 2);
        }
        entries[2 * gathered] = address;
        entries[2 * gathered++ + 1] = pair(length, key);
        requests[WORDS * (size - 1) + END_AND_KEY] = pair(gathered, key(size - 1));
        return this;
    }

    /** Returns how many requests there are. */
    public int size() {
        return size;
    }

    /** Returns what a request does. */
    public Completion.Operation operation(int request) {
        return OPERATIONS[(int) requests[WORDS * request + OPERATION]];
    }

    /** Returns the number that comes back in the completion. */
    public long id(int request) {
        return requests[WORDS * request + ID];
    }

    /** Tells whether a request completes even if it succeeds. */
    public boolean isSignalled(int request) {
        return (requests[WORDS * request + OPERATION] & SIGNALLED) != 0;
    }

    /** Returns the address that an RDMA WRITE writes to. */
    public long remoteAddress(int request) {
        return requests[WORDS * request + REMOTE_ADDRESS];
    }

    /** Returns the remote key of an RDMA WRITE or the rights of a registration; 0 for other requests. */
    public int key(int request) {
        return (int) (requests[WORDS * request + END_AND_KEY] >>> Integer.SIZE);
    }

    /** Returns the region of a registration or invalidation, null for other requests. */
    public @Nullable FastRegion region(int request) {
        return regions[request];
    }

    /** Returns the index of a request's first gather entry. */
    public int gatherStart(int request) {
        return request == 0 ? 0 : gatherEnd(request - 1);
    }

    /** Returns the index behind a request's last gather entry. */
    public int gatherEnd(int request) {
        return (int) requests[WORDS * request + END_AND_KEY];
    }

    /** Returns the address of a gather entry. */
    public long gatherAddress(int entry) {
        return entries[2 * entry];
    }

    /** Returns the length of a gather entry, bytes. */
    public int gatherLength(int entry) {
        return (int) gatherLengthAndKey(entry);
    }

    /** Returns the local key of a gather entry. */
    public int gatherKey(int entry) {
        return (int) (gatherLengthAndKey(entry) >>> Integer.SIZE);
    }

    /** Returns the length of a gather entry, bytes, and in the upper half its local key: as cards take them. */
    public long gatherLengthAndKey(int entry) {
        return entries[2 * entry + 1];
    }
}
