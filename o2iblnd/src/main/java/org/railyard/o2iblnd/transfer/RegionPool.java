package org.railyard.o2iblnd.transfer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.rdma.FragmentPlan;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsException;

/**
 * Maps the memory of messages for the card, for transfers without a copy (spec 20 §11). What can not be mapped is left
 * to {@link ChunkPool}.
 */
public final class RegionPool {
    /** Most free regions that are looked at for one that was used last at the same queue pair. */
    private static final int LOOKS = 8;

    /**
     * A region that work requests register, whether it is registered from its last use, and the queue pair of that: a
     * memory window of a card is shut by the queue pair that opened it, and another one costs calls of the system.
     */
    private record Fast(
            FastRegion region, boolean registered, @Nullable Qp last) {}

    private final Pd pd;
    private final @Nullable DmaSpace dma;
    private final Registration mode;
    private final int max;
    private final ArrayDeque<Fast> fast = new ArrayDeque<>();
    private final ArrayDeque<FmrRegion> fmr = new ArrayDeque<>();
    private int made;

    /**
     * Makes an empty pool.
     *
     * @param mode how memory is registered; with {@link Registration#ARENA} nothing is mapped
     * @param max most regions
     */
    public RegionPool(Pd pd, Registration mode, int max) {
        this.pd = pd;
        this.dma = mode == Registration.ARENA ? null : pd.dma();
        this.mode = mode;
        this.max = max;
    }

    /**
     * Maps the beginning of the payload of a message.
     *
     * @param maxFragments of the connection
     * @param qp of the connection
     * @return null if it has to be copied: the memory is on the heap, was freed, has gaps or too many pieces for the
     *     connection, or there is no region
     */
    @Nullable
    public MappedMemory map(LndMessage message, int bytes, int maxFragments, Qp qp) {
        DmaSpace space = dma;
        if (space == null || fast.isEmpty() && fmr.isEmpty() && made == max) {
            return null;
        }
        DmaList pieces = new DmaList(mostPieces(space, message, bytes));
        MappedMemory mapped = null;
        if (mapPieces(space, message, bytes, pieces)) {
            FragmentPlan plan = FragmentPlan.of(pieces, space.pageBytes(), FragmentPlan.Rules.now(mode), maxFragments);
            // The peer writes each fragment by a request of its own.
            mapped = plan.error() == 0 && plan.fragments() <= maxFragments ? mapped(space, pieces, qp) : null;
        }
        if (mapped == null) {
            space.unmap(pieces);
        }
        return mapped;
    }

    /** Returns how many pieces there can be: each fragment may begin and end inside a page. */
    private static int mostPieces(DmaSpace space, LndMessage message, int bytes) {
        return Math.min(Kib.MAX_FRAGMENTS, bytes / space.pageBytes() + 2 * message.fragmentCount());
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
            // What its owner has freed may be somebody else's memory by now.
            return memory.isNative() && memory.scope().isAlive() && space.map(memory, pieces) > 0;
        } catch (VerbsException e) {
            // Copied, then.
            return false;
        }
    }

    private @Nullable MappedMemory mapped(DmaSpace space, DmaList pieces, Qp qp) {
        try {
            return switch (mode) {
                case FASTREG, FASTREG_GAPS -> {
                    Fast next = nextFast(qp);
                    yield new FastMapped(pieces, next.region, next.registered, prepare(next, pieces, qp), qp);
                }
                case FMR -> {
                    FmrRegion region = nextFmr();
                    map(region, pieces);
                    yield new FmrMapped(pieces, region, space.pageBytes(), pieces.hasGaps(space.pageBytes()));
                }
                case GLOBAL -> {
                    MemoryKeys keys = pd.globalRegion();
                    yield keys == null ? null : new GlobalMapped(pieces, keys);
                }
                case ARENA -> null;
            };
        } catch (VerbsException e) {
            // Copied, then.
            return null;
        }
    }

    private long prepare(Fast next, DmaList pieces, Qp qp) {
        try {
            return next.region.prepare(pieces, qp);
        } catch (VerbsException e) {
            fast.add(next);
            throw e;
        }
    }

    private void map(FmrRegion region, DmaList pieces) {
        try {
            region.map(pieces);
        } catch (VerbsException e) {
            fmr.add(region);
            throw e;
        }
    }

    private Fast nextFast(Qp qp) {
        int looks = Math.min(LOOKS, fast.size());
        for (Iterator<Fast> free = fast.iterator(); looks > 0; looks--) {
            Fast each = free.next();
            if (each.last == null || each.last == qp) {
                free.remove();
                return each;
            }
        }
        Fast known = fast.poll();
        if (known != null) {
            return known;
        }
        FastRegion region = pd.allocateFastRegion(Kib.MAX_FRAGMENTS, mode == Registration.FASTREG_GAPS);
        made++;
        return new Fast(region, false, null);
    }

    private FmrRegion nextFmr() {
        FmrRegion known = fmr.poll();
        if (known != null) {
            return known;
        }
        FmrRegion region = pd.allocateFmr(Kib.MAX_FRAGMENTS);
        made++;
        return region;
    }

    /**
     * Takes memory back.
     *
     * @param clean whether the transfer ended well; after a failure it is not known what the card has done, so that a
     *     region that work requests register is not used again
     */
    public void giveBack(MappedMemory mapped, boolean clean) {
        if (dma != null) {
            dma.unmap(mapped.pieces());
        }
        switch (mapped) {
            case FastMapped registered when clean -> fast.add(new Fast(registered.region(), true, registered.qp()));
            case FastMapped registered -> {
                registered.region().close();
                made--;
            }
            case FmrMapped inRegion -> {
                inRegion.region().unmap();
                fmr.add(inRegion.region());
            }
            case GlobalMapped _ -> {
                // Only its pieces were mapped.
            }
        }
    }

    /** Takes memory back that no request has named yet. */
    public void withdraw(MappedMemory mapped) {
        if (mapped instanceof FastMapped registered) {
            if (dma != null) {
                dma.unmap(registered.pieces());
            }
            fast.add(new Fast(registered.region(), registered.registered(), registered.qp()));
        } else {
            giveBack(mapped, true);
        }
    }
}
