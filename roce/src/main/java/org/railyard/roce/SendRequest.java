package org.railyard.roce;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardPd;
import org.railyard.verbs.card.Region;

/** A send request that was posted. Used again and again. */
final class SendRequest {
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private long id;
    private Operation operation = Operation.SEND;
    private boolean signalled;
    private long remoteAddress;
    private int key;
    private @Nullable FastRegion region;
    private int pieces;
    private long bytes;
    private boolean begun;
    private boolean left;
    private boolean done;
    private @Nullable WorkStatus failure;
    private int firstPsn;
    private int packets;

    SendRequest(int gather) {
        addresses = new long[gather];
        lengths = new int[gather];
        keys = new int[gather];
    }

    void take(WorkChain chain, int index) {
        id = chain.id(index);
        operation = chain.operation(index);
        signalled = chain.isSignalled(index);
        remoteAddress = chain.remoteAddress(index);
        key = chain.key(index);
        region = chain.region(index);
        int start = chain.gatherStart(index);
        pieces = chain.gatherEnd(index) - start;
        bytes = 0;
        for (int i = 0; i < pieces; i++) {
            addresses[i] = chain.gatherAddress(start + i);
            lengths[i] = chain.gatherLength(start + i);
            keys[i] = chain.gatherKey(start + i);
            bytes += lengths[i];
        }
        begun = false;
        left = false;
        done = false;
        failure = null;
        packets = 0;
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

    boolean isWrite() {
        return operation == Operation.RDMA_WRITE;
    }

    /** Tells whether it is a message; otherwise the device carries it out by itself. */
    boolean travels() {
        return isWrite() || operation == Operation.SEND;
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

    boolean isBegun() {
        return begun;
    }

    /** Its first packet is about to be sent. */
    void begin(int psn, int packetCount) {
        begun = true;
        firstPsn = psn;
        packets = packetCount;
    }

    /** Its last packet was handed to the network. */
    void setLeft() {
        left = true;
    }

    /** Tells whether its last packet may be on the network. */
    boolean hasLeft() {
        return left;
    }

    int firstPsn() {
        return firstPsn;
    }

    int packets() {
        return packets;
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

    private static @Nullable Region region(CardPd pd, int key) {
        Region found = pd.memory().keys().find(key);
        return found != null && found.pd() == pd ? found : null;
    }

    /** Tells whether the device may read all that is to be sent. */
    boolean isReadable(CardPd pd) {
        for (int i = 0; i < pieces; i++) {
            Region source = region(pd, keys[i]);
            if (lengths[i] > 0 && (source == null || !source.allows(addresses[i], lengths[i], 0))) {
                return false;
            }
        }
        return true;
    }

    /** Copies some of what is to be sent; false if the memory is not there any more. */
    boolean copy(CardPd pd, long offset, int length, MemorySegment to, long at) {
        long skip = offset;
        int left = length;
        for (int i = 0; i < pieces && left > 0; i++) {
            if (skip >= lengths[i]) {
                skip -= lengths[i];
                continue;
            }
            int count = (int) Math.min(left, lengths[i] - skip);
            Region source = region(pd, keys[i]);
            if (source == null || !source.allows(addresses[i] + skip, count, 0)) {
                return false;
            }
            source.read(addresses[i] + skip, count, to, at + length - left);
            left -= count;
            skip = 0;
        }
        return left == 0;
    }
}
