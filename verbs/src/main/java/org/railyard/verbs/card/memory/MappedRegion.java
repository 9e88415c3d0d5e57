package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A region with addresses of its own, whose pieces are pieces of DMA memory. */
abstract class MappedRegion extends Region {
    private static final int FIRST_SIZE = 4;

    private final int maxPieces;
    private long[] starts = new long[FIRST_SIZE];
    private long[] targets = new long[FIRST_SIZE];
    private int[] lengths = new int[FIRST_SIZE];
    private int pieces;
    private int access;
    private boolean mapped;

    /** The piece that was found last; −1 for none. */
    private int latest = -1;

    MappedRegion(CardPd pd, int maxPieces) {
        super(pd);
        this.maxPieces = maxPieces;
    }

    final void clearPieces() {
        pieces = 0;
    }

    /** Appends a piece behind those that are there. */
    final void addPiece(long start, long target, int length) {
        if (pieces == maxPieces) {
            throw new IllegalStateException("more than " + maxPieces + " pieces");
        }
        if (pieces == starts.length) {
            starts = Arrays.copyOf(starts, pieces * 2);
            targets = Arrays.copyOf(targets, pieces * 2);
            lengths = Arrays.copyOf(lengths, pieces * 2);
        }
        starts[pieces] = start;
        targets[pieces] = target;
        lengths[pieces++] = length;
    }

    /** Tells whether the pieces can be accessed. */
    final boolean isMapped() {
        return mapped;
    }

    /** Lets the pieces be accessed. */
    final void open(int newAccess) {
        access = newAccess;
        mapped = true;
    }

    /** Ends access. */
    final void shut() {
        mapped = false;
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
        if (!mapped || (access & wanted) != wanted || length < 0 || address > Long.MAX_VALUE - length) {
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
            if (!pd().memory().dma().covers(targets[piece] + at - starts[piece], stop - at)) {
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
        long inside = address - starts[piece];
        return inside + length <= lengths[piece] && pd().memory().dma().locate(targets[piece] + inside, length, into);
    }

    @Override
    public long stretch(long address, long most, Stretch into) {
        int piece = pieceAt(address);
        if (piece < 0) {
            return 0;
        }
        long inside = address - starts[piece];
        return pd().memory().dma().stretch(targets[piece] + inside, Math.min(most, lengths[piece] - inside), into);
    }

    private void copy(long address, long length, MemorySegment other, long at, boolean toMemory) {
        long done = 0;
        while (done < length) {
            int piece = pieceAt(address + done);
            if (piece < 0) {
                throw new IllegalStateException("no memory at 0x" + Long.toHexString(address + done));
            }
            long inside = address + done - starts[piece];
            long bytes = Math.min(length - done, lengths[piece] - inside);
            pd().memory().dma().copy(targets[piece] + inside, bytes, other, at + done, toMemory);
            done += bytes;
        }
    }
}
