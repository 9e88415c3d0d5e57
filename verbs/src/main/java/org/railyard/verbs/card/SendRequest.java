package org.railyard.verbs.card;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.memory.CardPd;
import org.railyard.verbs.card.memory.MemoryPiece;
import org.railyard.verbs.card.memory.Region;
import org.railyard.verbs.card.memory.Stretch;

/** A send request that was posted. Used again and again. */
public final class SendRequest {
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
    private int left;
    private boolean done;
    private @Nullable WorkStatus failure;
    private long firstPsn;
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
        left = 0;
        done = false;
        failure = null;
        firstPsn = 0;
        packets = 0;
    }

    long id() {
        return id;
    }

    /** Returns what it does. */
    public Operation operation() {
        return operation;
    }

    boolean isSignalled() {
        return signalled;
    }

    /** Tells whether it is an RDMA WRITE. */
    public boolean isWrite() {
        return operation == Operation.RDMA_WRITE;
    }

    /** Tells whether it is sent to the peer; otherwise the card carries it out by itself. */
    public boolean travels() {
        return isWrite() || operation == Operation.SEND;
    }

    /** Returns the address that an RDMA WRITE writes to. */
    public long remoteAddress() {
        return remoteAddress;
    }

    /** Returns the remote key of an RDMA WRITE or the rights of a registration; 0 for other requests. */
    public int key() {
        return key;
    }

    @Nullable
    FastRegion region() {
        return region;
    }

    /** Returns how many bytes are to be sent. */
    public long bytes() {
        return bytes;
    }

    /** Tells whether it was checked and has its packets. */
    public boolean isBegun() {
        return begun;
    }

    void begin(long psn, int packetCount) {
        begun = true;
        firstPsn = psn;
        packets = packetCount;
    }

    /** Notes that its last packet was handed to the network, once more. */
    public void setLeft() {
        left++;
    }

    /** Notes that its last packet did not leave, of one time that {@link #setLeft} was called. */
    public void unsetLeft() {
        left = Math.max(0, left - 1);
    }

    boolean hasLeft() {
        return left > 0;
    }

    /** Returns the number of its first packet, as the sender counts. */
    public long firstPsn() {
        return firstPsn;
    }

    /** Returns how many packets it has; 0 if it was not begun, or does not travel. */
    public int packets() {
        return packets;
    }

    /** Returns the number behind that of its last packet; not wrapped around. */
    public long endPsn() {
        return firstPsn + packets;
    }

    /** Tells whether it was carried out. */
    public boolean isDone() {
        return done;
    }

    /** Notes that it was carried out, and the peer has said so. */
    public void setDone() {
        done = true;
    }

    /** Tells whether it has failed, so that neither it nor what is behind it may be sent. */
    public boolean hasFailed() {
        return failure != null;
    }

    @Nullable
    WorkStatus failure() {
        return failure;
    }

    void fail(WorkStatus status) {
        failure = status;
    }

    boolean isReadable(CardPd pd) {
        for (int i = 0; i < pieces; i++) {
            if (lengths[i] > 0 && pd.region(keys[i], addresses[i], lengths[i], 0) == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * Tells whether some of what is to be sent can be read: whether its memory is registered.
     *
     * @param offset of the first byte in the message
     * @param length how many bytes
     */
    public boolean isReadable(CardPd pd, long offset, int length) {
        return walk(pd, offset, length, null, 0);
    }

    /**
     * Copies some of what is to be sent.
     *
     * @param offset of the first byte in the message
     * @param length how many bytes
     * @return false if the memory is not registered any more
     */
    public boolean copy(CardPd pd, long offset, int length, MemorySegment to, long at) {
        return walk(pd, offset, length, to, at);
    }

    /**
     * Finds out where some of what is to be sent is in this process.
     *
     * @param offset of the first byte in the message
     * @param length how many bytes
     * @param into gets the place
     * @return false if it is not registered any more, or not in one piece
     */
    public boolean locate(CardPd pd, long offset, int length, MemoryPiece into) {
        long skip = offset;
        int piece = 0;
        while (piece < pieces && skip >= lengths[piece]) {
            skip -= lengths[piece++];
        }
        if (piece == pieces || lengths[piece] - skip < length) {
            return false;
        }
        Region source = pd.region(keys[piece], addresses[piece] + skip, length, 0);
        return source != null && source.locate(addresses[piece] + skip, length, into);
    }

    /**
     * Finds out how many of the bytes to be sent, from one on, lie side by side in this process.
     *
     * @param offset of the first byte in the message
     * @param most how many bytes are of interest, 1 or more
     * @param into gets their place
     * @return how many; 0 if the first one is not registered any more
     */
    public long stretch(CardPd pd, long offset, long most, Stretch into) {
        long skip = offset;
        for (int i = 0; i < pieces; i++) {
            if (skip < lengths[i]) {
                Region source = pd.region(keys[i], addresses[i] + skip, 1, 0);
                return source == null
                        ? 0
                        : source.stretch(addresses[i] + skip, Math.min(most, lengths[i] - skip), into);
            }
            skip -= lengths[i];
        }
        return 0;
    }

    /** Goes over the pieces of a stretch, and copies them if that is asked for. */
    private boolean walk(CardPd pd, long offset, int length, @Nullable MemorySegment to, long at) {
        long skip = offset;
        int missing = length;
        for (int i = 0; i < pieces && missing > 0; i++) {
            if (skip >= lengths[i]) {
                skip -= lengths[i];
                continue;
            }
            int count = (int) Math.min(missing, lengths[i] - skip);
            Region source = pd.region(keys[i], addresses[i] + skip, count, 0);
            if (source == null) {
                return false;
            }
            if (to != null) {
                source.read(addresses[i] + skip, count, to, at + length - missing);
            }
            missing -= count;
            skip = 0;
        }
        return missing == 0;
    }
}
