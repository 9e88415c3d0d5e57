package org.railyard.o2iblnd;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.rdma.FragmentPlan;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;

/** Regions that are registered by work requests, for transfers without a copy. What can not be mapped is left to {@link ChunkPool}. */
final class RegionPool {
    /** A region and the key by which it is registered, 0 if it is not. */
    private record Free(FastRegion region, int key) {}

    private final Pd pd;
    private final @Nullable DmaSpace dma;
    private final Registration mode;
    private final int max;
    private final ArrayDeque<Free> free = new ArrayDeque<>();
    private int made;

    /**
     * Makes an empty pool.
     *
     * @param mode how memory is registered; only the two modes of FastReg map anything
     * @param max most regions
     */
    RegionPool(Pd pd, Registration mode, int max) {
        this.pd = pd;
        this.dma = mode == Registration.FASTREG || mode == Registration.FASTREG_GAPS ? pd.dma() : null;
        this.mode = mode;
        this.max = max;
    }

    /**
     * Maps the beginning of the payload of a message.
     *
     * @param maxFragments of the connection
     * @return null if it has to be copied: the memory is on the heap, has gaps, or there is no region
     */
    @Nullable
    Mapped map(LndMessage message, int bytes, int maxFragments) {
        DmaSpace space = dma;
        if (space == null || free.isEmpty() && made == max) {
            return null;
        }
        DmaList pieces = new DmaList(Kib.MAX_FRAGMENTS);
        boolean mapped = mapPieces(space, message, bytes, pieces)
                && FragmentPlan.of(pieces, space.pageBytes(), FragmentPlan.Rules.now(mode), maxFragments)
                                .error()
                        == 0;
        Free region = mapped ? next() : null;
        if (region == null) {
            space.unmap(pieces);
            return null;
        }
        return new Mapped(pieces, region.region, region.key, region.region.prepare(pieces));
    }

    private static boolean mapPieces(DmaSpace space, LndMessage message, int bytes, DmaList pieces) {
        int left = bytes;
        ByteBuffer[] fragments = message.fragments();
        for (int i = 0; i < message.fragmentCount() && left > 0; i++) {
            int length = Math.min(left, fragments[i].remaining());
            if (length > 0
                    && !mapPiece(space, MemorySegment.ofBuffer(fragments[i]).asSlice(0, length), pieces)) {
                return false;
            }
            left -= length;
        }
        return left == 0;
    }

    private static boolean mapPiece(DmaSpace space, MemorySegment memory, DmaList pieces) {
        try {
            return memory.isNative() && space.map(memory, pieces) > 0;
        } catch (VerbsException e) {
            // Copied, then.
            return false;
        }
    }

    private @Nullable Free next() {
        Free known = free.poll();
        if (known != null) {
            return known;
        }
        try {
            FastRegion region = pd.allocateFastRegion(Kib.MAX_FRAGMENTS, mode == Registration.FASTREG_GAPS);
            made++;
            return new Free(region, 0);
        } catch (VerbsException e) {
            // Copied, then.
            return null;
        }
    }

    /**
     * Takes memory back.
     *
     * @param clean whether the transfer ended well; after a failure nobody knows what the card has done, so that the region is not used again
     */
    void giveBack(Mapped mapped, boolean clean) {
        if (dma != null) {
            dma.unmap(mapped.pieces());
        }
        if (clean) {
            free.add(new Free(mapped.region(), mapped.region().localKey()));
        } else {
            mapped.region().close();
            made--;
        }
    }
}
