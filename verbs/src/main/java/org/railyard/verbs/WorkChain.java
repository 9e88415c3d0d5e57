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

    private Completion.Operation[] operations = new Completion.Operation[FIRST_SIZE];
    private long[] ids = new long[FIRST_SIZE];
    private boolean[] signalled = new boolean[FIRST_SIZE];
    private long[] remoteAddresses = new long[FIRST_SIZE];
    private int[] keys = new int[FIRST_SIZE];
    private @Nullable FastRegion[] regions = new @Nullable FastRegion[FIRST_SIZE];
    private int[] gatherEnds = new int[FIRST_SIZE];
    private int size;

    private long[] addresses = new long[FIRST_SIZE];
    private int[] lengths = new int[FIRST_SIZE];
    private int[] gatherKeys = new int[FIRST_SIZE];
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
            gathered = size == 0 ? 0 : gatherEnds[size - 1];
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
        if (size == operations.length) {
            growRequests();
        }
        operations[size] = operation;
        ids[size] = id;
        signalled[size] = isSignalled;
        remoteAddresses[size] = remoteAddress;
        keys[size] = key;
        regions[size] = region;
        gatherEnds[size++] = gathered;
        return this;
    }

    private void growRequests() {
        int larger = size * 2;
        operations = Arrays.copyOf(operations, larger);
        ids = Arrays.copyOf(ids, larger);
        signalled = Arrays.copyOf(signalled, larger);
        remoteAddresses = Arrays.copyOf(remoteAddresses, larger);
        keys = Arrays.copyOf(keys, larger);
        regions = Arrays.copyOf(regions, larger);
        gatherEnds = Arrays.copyOf(gatherEnds, larger);
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
        if (gathered == addresses.length) {
            addresses = Arrays.copyOf(addresses, gathered * 2);
            lengths = Arrays.copyOf(lengths, gathered * 2);
            gatherKeys = Arrays.copyOf(gatherKeys, gathered * 2);
        }
        addresses[gathered] = address;
        lengths[gathered] = length;
        gatherKeys[gathered++] = key;
        gatherEnds[size - 1] = gathered;
        return this;
    }

    /** Returns how many requests there are. */
    public int size() {
        return size;
    }

    /** Returns what a request does. */
    public Completion.Operation operation(int request) {
        return operations[request];
    }

    /** Returns the number that comes back in the completion. */
    public long id(int request) {
        return ids[request];
    }

    /** Tells whether a request completes even if it succeeds. */
    public boolean isSignalled(int request) {
        return signalled[request];
    }

    /** Returns the address that an RDMA WRITE writes to. */
    public long remoteAddress(int request) {
        return remoteAddresses[request];
    }

    /** Returns the remote key of an RDMA WRITE or the rights of a registration; 0 for other requests. */
    public int key(int request) {
        return keys[request];
    }

    /** Returns the region of a registration or invalidation, null for other requests. */
    public @Nullable FastRegion region(int request) {
        return regions[request];
    }

    /** Returns the index of a request's first gather entry. */
    public int gatherStart(int request) {
        return request == 0 ? 0 : gatherEnds[request - 1];
    }

    /** Returns the index behind a request's last gather entry. */
    public int gatherEnd(int request) {
        return gatherEnds[request];
    }

    /** Returns the address of a gather entry. */
    public long gatherAddress(int entry) {
        return addresses[entry];
    }

    /** Returns the length of a gather entry, bytes. */
    public int gatherLength(int entry) {
        return lengths[entry];
    }

    /** Returns the local key of a gather entry. */
    public int gatherKey(int entry) {
        return gatherKeys[entry];
    }
}
