package org.railyard.verbs;

import java.util.Arrays;
import java.util.Objects;

/** Pieces of memory by their DMA addresses, in order. Used again and again. Not thread-safe. */
public final class DmaList {
    private final long[] addresses;
    private final int[] lengths;
    private int size;
    private long bytes;

    /** All bits of the places where pieces border on each other: with those inside a page there is a gap. */
    private long borders;

    /** Makes an empty list for so many pieces. */
    public DmaList(int capacity) {
        this(new long[capacity], new int[capacity]);
    }

    private DmaList(long[] addresses, int[] lengths) {
        this.addresses = addresses;
        this.lengths = lengths;
    }

    /** Returns a list of the same pieces, without room for more. */
    public static DmaList copyOf(DmaList other) {
        DmaList copy =
                new DmaList(Arrays.copyOf(other.addresses, other.size), Arrays.copyOf(other.lengths, other.size));
        copy.size = other.size;
        copy.bytes = other.bytes;
        copy.borders = other.borders;
        return copy;
    }

    /** Returns how many pieces it can hold. */
    public int capacity() {
        return addresses.length;
    }

    /** Returns how many pieces there are. */
    public int size() {
        return size;
    }

    /** Returns how many bytes all pieces have. */
    public long bytes() {
        return bytes;
    }

    /** Returns the address of a piece. */
    public long address(int index) {
        return addresses[Objects.checkIndex(index, size)];
    }

    /** Returns the length of a piece, bytes. */
    public int length(int index) {
        return lengths[Objects.checkIndex(index, size)];
    }

    /** Appends a piece; false if there is no room. */
    public boolean add(long address, int length) {
        if (size == addresses.length) {
            return false;
        }
        if (size > 0) {
            borders |= addresses[size - 1] + lengths[size - 1] | address;
        }
        addresses[size] = address;
        lengths[size++] = length;
        bytes += length;
        return true;
    }

    /**
     * Tells whether there is a gap: a piece other than the first begins inside a page, or one other than the last ends
     * inside a page (spec 20 §11).
     *
     * @param pageBytes size of a page, a power of two
     */
    public boolean hasGaps(int pageBytes) {
        return (borders & pageBytes - 1L) != 0;
    }

    /** Returns how many pages the pieces touch, each piece counted for itself. */
    public int pages(int pageBytes) {
        int shift = Integer.numberOfTrailingZeros(pageBytes);
        if (!hasGaps(pageBytes)) {
            return size == 0 ? 0 : (int) ((addresses[0] & pageBytes - 1L) + bytes + pageBytes - 1 >> shift);
        }
        int pages = 0;
        for (int i = 0; i < size; i++) {
            pages += (int) ((addresses[i] & pageBytes - 1L) + lengths[i] + pageBytes - 1 >> shift);
        }
        return pages;
    }

    @Override
    public String toString() {
        return size + " pieces at " + Arrays.toString(Arrays.copyOf(addresses, size));
    }
}
