package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory that was mapped at one time. Its pages have addresses in its order; between two of them there may be others
 * that belong to nothing, so that a card does not see them side by side.
 */
final class DmaMapping {
    private final long firstPage;
    private final long pages;
    private final int strideBits;
    private final int pageBits;
    private final long offset;
    private final long bytes;
    private final ViewedMemory viewed;

    /**
     * Makes one.
     *
     * @param firstPage number of its first page
     * @param pages how many it has
     * @param strideBits page i is at {@code firstPage + (i << strideBits)}
     * @param pageBits a page has {@code 1 << pageBits} bytes
     * @param offset where the memory begins in its first page
     */
    DmaMapping(long firstPage, long pages, int strideBits, int pageBits, long offset, MemorySegment memory) {
        this.firstPage = firstPage;
        this.pages = pages;
        this.strideBits = strideBits;
        this.pageBits = pageBits;
        this.offset = offset;
        this.bytes = memory.byteSize();
        this.viewed = new ViewedMemory(memory);
    }

    long firstPage() {
        return firstPage;
    }

    MemorySegment memory() {
        return viewed.memory();
    }

    /** Tells whether a page is one of it. */
    boolean has(long page) {
        long distance = page - firstPage;
        return distance >= 0 && distance < pages << strideBits && (distance & (1L << strideBits) - 1) == 0;
    }

    /** Returns where in the memory the byte at an address of one of its pages is; it may be outside. */
    long position(long address) {
        long page = (address >>> pageBits) - firstPage >> strideBits;
        return (page << pageBits) + inPage(address) - offset;
    }

    /** Tells whether so many bytes from a position on are those that a card sees side by side from an address on. */
    boolean isRun(long position, long address, int length) {
        long place = position + offset;
        long page = firstPage + (place >> pageBits << strideBits);
        long inside = inPage(place);
        return address == (page << pageBits) + inside
                && length <= rest(position)
                && (strideBits == 0 || inside + length <= 1L << pageBits);
    }

    private long inPage(long address) {
        return address & (1L << pageBits) - 1;
    }

    /** Returns how many bytes there are from a position on; 0 if it is outside. */
    long rest(long position) {
        return position < 0 ? 0 : Math.max(0, bytes - position);
    }

    /** Returns how many bytes a card sees side by side from an address on; 0 if it is outside. */
    long run(long address) {
        long rest = rest(position(address));
        return strideBits == 0 ? rest : Math.min(rest, (1L << pageBits) - inPage(address));
    }

    /** Copies bytes between other memory and a position on, where so many are. */
    void copy(long position, long length, MemorySegment other, long at, boolean toMemory) {
        if (toMemory) {
            MemorySegment.copy(other, at, memory(), position, length);
        } else {
            MemorySegment.copy(memory(), position, other, at, length);
        }
    }

    /** Finds a part of the memory; false if it is too large to be looked at in one piece. */
    boolean locate(long position, int length, MemoryPiece into) {
        return viewed.locate(position, length, into);
    }
}
