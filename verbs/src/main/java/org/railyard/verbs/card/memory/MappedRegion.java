package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A region with addresses of its own, whose pieces are pieces of DMA memory. Those that lie side by side in the memory
 * of this process are kept as one, whatever their DMA addresses: these belong to one mapping, which goes as a whole and
 * whose addresses are never used again.
 */
abstract class MappedRegion extends Region {
    private static final int FIRST_SIZE = 4;

    /** A DMA address where there is never any memory. */
    private static final long NOWHERE = 0;

    private long[] starts = new long[FIRST_SIZE];
    private long[] targets = new long[FIRST_SIZE];
    private int[] lengths = new int[FIRST_SIZE];
    private int pieces;
    private int access;
    private boolean open;

    /** The piece that was found last; −1 for none. */
    private int latest = -1;

    /** What the last piece is part of while pieces are added, and where in it the next one would go on. */
    private @Nullable DmaMapping growing;

    private long growsAt;

    MappedRegion(CardPd pd) {
        super(pd);
    }

    final void clearPieces() {
        pieces = 0;
        growing = null;
    }

    /** Appends a piece behind those that are there. What is not mapped now never will be at these addresses. */
    final void addPiece(long start, long target, int length) {
        if (goesOn(start, target, length)) {
            // As a rule, page by page.
            lengths[pieces - 1] += length;
            growsAt += length;
            return;
        }
        DmaMapping mapping = dma().find(target);
        int mapped = mapping == null ? 0 : (int) Math.min(length, mapping.run(target));
        if (mapping != null && mapped > 0) {
            long position = mapping.position(target);
            append(start, target, mapped);
            growing = mapping;
            growsAt = position + mapped;
        }
        if (mapped < length) {
            append(start + mapped, NOWHERE, length - mapped);
            growing = null;
        }
    }

    /** Tells whether a piece is the last one's continuation, in its memory as by its addresses. */
    private boolean goesOn(long start, long target, int length) {
        DmaMapping mapping = growing;
        return mapping != null
                && mapping.isRun(growsAt, target, length)
                && start == starts[pieces - 1] + lengths[pieces - 1]
                && lengths[pieces - 1] <= Integer.MAX_VALUE - length;
    }

    private void append(long start, long target, int length) {
        if (pieces == starts.length) {
            starts = Arrays.copyOf(starts, pieces * 2);
            targets = Arrays.copyOf(targets, pieces * 2);
            lengths = Arrays.copyOf(lengths, pieces * 2);
        }
        starts[pieces] = start;
        targets[pieces] = target;
        lengths[pieces++] = length;
    }

    private CardDma dma() {
        return pd().memory().dma();
    }

    /** Tells whether the pieces can be accessed. */
    final boolean isMapped() {
        return open;
    }

    /** Lets the pieces be accessed. */
    final void open(int newAccess) {
        access = newAccess;
        open = true;
        growing = null;
    }

    /** Ends access. */
    final void shut() {
        open = false;
    }

    /** Finds a piece: as a rule the one that was found last, or the one behind it. */
    private int pieceAt(long address) {
        if (has(latest, address)) {
            return latest;
        }
        latest = has(latest + 1, address) ? latest + 1 : search(address);
        return latest;
    }

    private boolean has(int piece, long address) {
        return piece >= 0 && piece < pieces && address >= starts[piece] && address < starts[piece] + lengths[piece];
    }

    private int search(long address) {
        int low = 0;
        int high = pieces - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (address < starts[middle]) {
                high = middle - 1;
            } else if (address >= starts[middle] + lengths[middle]) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    @Override
    public boolean allows(long address, long length, int wanted) {
        // The peer chooses both numbers.
        if (!open || (access & wanted) != wanted || length < 0 || address > Long.MAX_VALUE - length) {
            return false;
        }
        long at = address;
        long end = address + length;
        while (at < end) {
            int piece = pieceAt(at);
            if (piece < 0) {
                return false;
            }
            long stop = Math.min(end, starts[piece] + lengths[piece]);
            DmaMapping mapping = dma().find(targets[piece]);
            if (mapping == null || mapping.rest(position(mapping, piece, at)) < stop - at) {
                return false;
            }
            at = stop;
        }
        return true;
    }

    @Override
    public void read(long address, long length, MemorySegment to, long at) {
        copy(address, length, to, at, false);
    }

    @Override
    public void write(long address, long length, MemorySegment from, long at) {
        copy(address, length, from, at, true);
    }

    @Override
    public boolean locate(long address, int length, MemoryPiece into) {
        int piece = pieceAt(address);
        if (piece < 0) {
            return false;
        }
        DmaMapping mapping = dma().find(targets[piece]);
        if (mapping == null || starts[piece] + lengths[piece] - address < length) {
            return false;
        }
        long position = position(mapping, piece, address);
        return mapping.rest(position) >= length && mapping.locate(position, length, into);
    }

    @Override
    public long stretch(long address, long most, Stretch into) {
        int piece = pieceAt(address);
        if (piece < 0) {
            return 0;
        }
        DmaMapping mapping = dma().find(targets[piece]);
        if (mapping == null) {
            return 0;
        }
        long position = position(mapping, piece, address);
        into.set(mapping.memory(), position);
        return Math.min(Math.min(most, starts[piece] + lengths[piece] - address), mapping.rest(position));
    }

    /** Returns where in its memory the byte of a piece is that has an address in this region. */
    private long position(DmaMapping mapping, int piece, long address) {
        return mapping.position(targets[piece]) + address - starts[piece];
    }

    private void copy(long address, long length, MemorySegment other, long at, boolean toMemory) {
        long done = 0;
        while (done < length) {
            long here = address + done;
            int piece = pieceAt(here);
            DmaMapping mapping = piece < 0 ? null : dma().find(targets[piece]);
            if (mapping == null) {
                throw new IllegalStateException("no memory at 0x" + Long.toHexString(here));
            }
            long bytes = Math.min(length - done, starts[piece] + lengths[piece] - here);
            mapping.copy(position(mapping, piece, here), bytes, other, at + done, toMemory);
            done += bytes;
        }
    }
}
