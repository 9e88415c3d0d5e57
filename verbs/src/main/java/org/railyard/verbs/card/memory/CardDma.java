package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.VerbsException;

/**
 * The pages of a machine as a card sees them. Addresses are never used again, so that one that comes too late finds
 * nothing.
 */
final class CardDma {
    private static final long FIRST_PAGE = 1L << 20;

    private final MemoryModel model;
    private final int shift;
    /** In the order of their addresses, which only grow. */
    private final ArrayList<DmaMapping> mappings = new ArrayList<>();

    /** What was found last, which as a rule is looked for again page by page; null if that may be mapped no more. */
    private @Nullable DmaMapping latest;

    private long nextPage = FIRST_PAGE;

    CardDma(MemoryModel model) {
        this.model = model;
        this.shift = Integer.numberOfTrailingZeros(model.pageBytes());
    }

    MemoryModel model() {
        return model;
    }

    int map(MemorySegment memory, DmaList into) {
        if (!memory.isNative() || memory.byteSize() == 0) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "memory to be mapped must be off-heap and not empty: " + memory.byteSize() + " bytes");
        }
        long offset = model.realOffsets() ? memory.address() & model.pageBytes() - 1L : 0;
        long pages = offset + memory.byteSize() + model.pageBytes() - 1 >> shift;
        int strideBits = model.scattered() ? 1 : 0;
        int pieces = model.scattered() ? Math.toIntExact(pages) : 1;
        if (into.size() + pieces > into.capacity()) {
            return 0;
        }
        mappings.add(new DmaMapping(nextPage, pages, strideBits, shift, offset, memory));
        long at = offset;
        long end = offset + memory.byteSize();
        for (int piece = 0; piece < pieces; piece++) {
            long stop = model.scattered() ? Math.min(end, (at >> shift) + 1 << shift) : end;
            long page = nextPage + (at >> shift << strideBits);
            into.add((page << shift) + (at & model.pageBytes() - 1L), Math.toIntExact(stop - at));
            at = stop;
        }
        // A page between mappings stays unused: an access beyond the end is noticed.
        nextPage += (pages << strideBits) + 1;
        return pieces;
    }

    void unmap(DmaList pieces) {
        DmaMapping gone = null;
        for (int i = 0; i < pieces.size(); i++) {
            long page = pieces.address(i) >>> shift;
            if (gone != null && gone.has(page)) {
                continue;
            }
            DmaMapping mapping = find(pieces.address(i));
            if (mapping != null) {
                mappings.remove(floor(page));
                latest = null;
                gone = mapping;
            }
        }
    }

    void clear() {
        latest = null;
        mappings.clear();
    }

    /** Returns the place of the last mapping that begins at a page or before it; −1 if there is none. */
    private int floor(long page) {
        int low = 0;
        int high = mappings.size() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (mappings.get(middle).firstPage() > page) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /** Returns the mapping that has a page at an address; null if there is none. */
    @Nullable
    DmaMapping find(long address) {
        long page = address >>> shift;
        DmaMapping before = latest;
        if (before != null && before.has(page)) {
            return before;
        }
        int place = floor(page);
        if (place < 0) {
            return null;
        }
        DmaMapping mapping = mappings.get(place);
        if (!mapping.has(page)) {
            return null;
        }
        latest = mapping;
        return mapping;
    }

    /** Tells whether bytes are mapped. */
    boolean covers(long address, long length) {
        long left = length;
        long at = address;
        while (left > 0) {
            DmaMapping mapping = find(at);
            long run = mapping == null ? 0 : mapping.run(at);
            if (run <= 0) {
                return false;
            }
            at += run;
            left -= run;
        }
        return true;
    }

    /** Finds out where bytes are in this process; false if not all of them are mapped and side by side. */
    boolean locate(long address, int length, MemoryPiece into) {
        DmaMapping mapping = find(address);
        return mapping != null
                && mapping.run(address) >= length
                && mapping.locate(mapping.position(address), length, into);
    }

    /** Returns how many bytes, of so many, are side by side in this process from an address on; 0 if none is mapped. */
    long stretch(long address, long most, Stretch into) {
        DmaMapping mapping = find(address);
        if (mapping == null) {
            return 0;
        }
        into.set(mapping.memory(), mapping.position(address));
        return Math.clamp(mapping.run(address), 0, most);
    }

    void copy(long address, long length, MemorySegment other, long at, boolean toMemory) {
        long done = 0;
        while (done < length) {
            DmaMapping mapping = find(address + done);
            if (mapping == null) {
                throw new IllegalStateException("no memory at DMA address 0x" + Long.toHexString(address + done));
            }
            long bytes = Math.min(length - done, mapping.run(address + done));
            mapping.copy(mapping.position(address + done), bytes, other, at + done, toMemory);
            done += bytes;
        }
    }
}
