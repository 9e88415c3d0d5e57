package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardPd;
import org.railyard.verbs.card.Region;

/** A send request that was posted, with the memory that it sends from. */
final class SendRequest {
    private final long id;
    private final Operation operation;
    private final boolean signalled;
    private final long remoteAddress;
    private final int key;
    private final @Nullable FastRegion region;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private final long bytes;
    /** Place of its first segment in the stream of segments, and how many it has; only of those that travel. */
    private long psn = -1;

    private int segments;

    private boolean done;
    private @Nullable WorkStatus failure;

    SendRequest(WorkChain chain, int index) {
        id = chain.id(index);
        operation = chain.operation(index);
        signalled = chain.isSignalled(index);
        remoteAddress = chain.remoteAddress(index);
        key = chain.key(index);
        region = chain.region(index);
        int start = chain.gatherStart(index);
        int count = chain.gatherEnd(index) - start;
        addresses = new long[count];
        lengths = new int[count];
        keys = new int[count];
        long sum = 0;
        for (int i = 0; i < count; i++) {
            addresses[i] = chain.gatherAddress(start + i);
            lengths[i] = chain.gatherLength(start + i);
            keys[i] = chain.gatherKey(start + i);
            sum += lengths[i];
        }
        bytes = sum;
    }

    long id() {
        return id;
    }

    Operation operation() {
        return operation;
    }

    boolean isSignalled() {
        return signalled;
    }

    /** Tells whether it is a message; otherwise the card carries it out by itself. */
    boolean travels() {
        return operation == Operation.SEND || operation == Operation.RDMA_WRITE;
    }

    long remoteAddress() {
        return remoteAddress;
    }

    /** Returns the remote key of a write, the key to invalidate, or the rights of a registration. */
    int key() {
        return key;
    }

    @Nullable
    FastRegion region() {
        return region;
    }

    long bytes() {
        return bytes;
    }

    long psn() {
        return psn;
    }

    /** Returns the place behind its last segment. */
    long end() {
        return psn + segments;
    }

    void number(long first, int count) {
        psn = first;
        segments = count;
    }

    boolean isDone() {
        return done;
    }

    void setDone() {
        done = true;
    }

    @Nullable
    WorkStatus failure() {
        return failure;
    }

    void fail(WorkStatus status) {
        failure = status;
    }

    /** Tells whether the card may read all that is to be sent. */
    boolean isReadable(CardPd pd) {
        for (int i = 0; i < addresses.length; i++) {
            Region source = pd.memory().keys().find(keys[i]);
            if (lengths[i] > 0
                    && (source == null || source.pd() != pd || !source.allows(addresses[i], lengths[i], 0))) {
                return false;
            }
        }
        return true;
    }

    /** Puts a part of what is to be sent together. */
    void gather(CardPd pd, long offset, int length, MemorySegment to) {
        long at = 0;
        for (int i = 0; i < addresses.length; i++) {
            long from = Math.max(at, offset);
            long count = Math.min(at + lengths[i], offset + length) - from;
            Region source = pd.memory().keys().find(keys[i]);
            if (source != null && count > 0) {
                source.read(addresses[i] + from - at, count, to, from - offset);
            }
            at += lengths[i];
        }
    }
}
