package org.railyard.o2iblnd.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.railyard.base.wire.Ordered;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;

/**
 * Memory that a peer may write to, or that is written from: one key, and fragments in order (spec 20 §3.3). Used again
 * and again. Not thread-safe.
 */
public final class RdmaDescriptor {
    /** What stands before the fragments. */
    public static final StructLayout HEAD = MemoryLayout.structLayout(LE32.withName("key"), LE32.withName("nfrags"))
            .withName("kib_rdma_desc");

    /** One fragment. */
    public static final StructLayout FRAGMENT = MemoryLayout.structLayout(LE32.withName("nob"), LE64.withName("addr"))
            .withName("kib_rdma_frag");

    /** Bytes of the head. */
    public static final int HEAD_BYTES = (int) HEAD.byteSize();

    /** Bytes of a fragment. */
    public static final int FRAGMENT_BYTES = (int) FRAGMENT.byteSize();

    private static final long KEY = Wire.offsetOf(HEAD, "key");
    private static final long NFRAGS = Wire.offsetOf(HEAD, "nfrags");
    private static final long LENGTH = Wire.offsetOf(FRAGMENT, "nob");
    private static final long ADDRESS = Wire.offsetOf(FRAGMENT, "addr");
    private static final int FIRST_SIZE = 4;

    private int key;
    private int count;
    private int[] lengths = new int[FIRST_SIZE];
    private long[] addresses = new long[FIRST_SIZE];

    /** Makes a descriptor without fragments. */
    public RdmaDescriptor() {}

    /** Takes all fragments out and sets the key. */
    public void reset(int newKey) {
        key = newKey;
        count = 0;
    }

    /**
     * Appends a fragment.
     *
     * @throws IllegalStateException at {@link Kib#MAX_FRAGMENTS}
     */
    public void add(long address, int length) {
        if (count == Kib.MAX_FRAGMENTS) {
            throw new IllegalStateException("more than " + Kib.MAX_FRAGMENTS + " fragments");
        }
        if (count == lengths.length) {
            lengths = Arrays.copyOf(lengths, count * 2);
            addresses = Arrays.copyOf(addresses, count * 2);
        }
        lengths[count] = length;
        addresses[count++] = address;
    }

    /** Takes over what another one says. */
    public void copyFrom(RdmaDescriptor other) {
        reset(other.key);
        for (int i = 0; i < other.count; i++) {
            add(other.addresses[i], other.lengths[i]);
        }
    }

    /** Returns the key. */
    public int key() {
        return key;
    }

    /** Returns how many fragments there are. */
    public int count() {
        return count;
    }

    /** Returns the length of a fragment, bytes, unsigned. */
    public int length(int fragment) {
        return lengths[fragment];
    }

    /** Returns the address of a fragment. */
    public long address(int fragment) {
        return addresses[fragment];
    }

    /** Returns how many bytes all fragments have. */
    public long totalBytes() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += lengths[i] & 0xFFFF_FFFFL;
        }
        return sum;
    }

    /** Returns how many bytes it takes on the wire. */
    public int wireBytes() {
        return wireBytes(count);
    }

    /** Returns how many bytes a descriptor takes on the wire. */
    public static int wireBytes(int fragments) {
        return HEAD_BYTES + fragments * FRAGMENT_BYTES;
    }

    void read(MemorySegment from, long at, long available, ByteOrder order) throws WireFormatException {
        Ordered.requireBytes("descriptor", available, HEAD_BYTES);
        int fragments = Ordered.getInt(from, at + NFRAGS, order);
        if (fragments < 1 || fragments > Kib.MAX_FRAGMENTS) {
            throw new WireFormatException("a descriptor has " + Integer.toUnsignedString(fragments)
                    + " fragments, expected 1…" + Kib.MAX_FRAGMENTS);
        }
        Ordered.requireBytes("descriptor with its fragments", available, wireBytes(fragments));
        reset(Ordered.getInt(from, at + KEY, order));
        for (int i = 0; i < fragments; i++) {
            long place = at + wireBytes(i);
            add(Ordered.getLong(from, place + ADDRESS, order), Ordered.getInt(from, place + LENGTH, order));
        }
    }

    void write(MemorySegment to, long at, ByteOrder order) {
        Ordered.setInt(to, at + KEY, order, key);
        Ordered.setInt(to, at + NFRAGS, order, count);
        for (int i = 0; i < count; i++) {
            long place = at + wireBytes(i);
            Ordered.setLong(to, place + ADDRESS, order, addresses[i]);
            Ordered.setInt(to, place + LENGTH, order, lengths[i]);
        }
    }
}
