package org.railyard.o2iblnd.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.verbs.Access;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;

/**
 * Registered memory for transfers, made when it is needed and kept. Transmits for which there is none wait in a queue.
 * Sources and sinks have pools of their own: a sink gives back when the peer's source has finished, so that two nodes
 * can not wait for each other.
 *
 * <p>Peers may keep what they have for as long as a transfer may take. So each gets one while there is one, and more
 * only while it then has no more than it leaves: one peer gets half at most, two get a third each.
 */
public final class ChunkPool {
    /** Most chunks of a pool. */
    static final int MAX_CHUNKS = 64;

    private static final System.Logger LOG = System.getLogger(ChunkPool.class.getName());

    private final Pd pd;
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();

    /** Of the peers for which something waits, the one whose turn is next in front. */
    private final ArrayDeque<ChunkShare> waiting = new ArrayDeque<>();

    private int made;
    private int inUse;

    /** Whether there was no more memory the last time that some was asked for; then that was told. */
    private boolean scarce;

    ChunkPool(Pd pd) {
        this.pd = pd;
    }

    /**
     * Gets memory for a transfer, at once or later; not at all if {@link #forget} comes first.
     *
     * @param share that of the peer that the transfer is with
     * @return false if there is none and never will be
     */
    public boolean take(ChunkShare share, Tx tx, Consumer<Chunk> then) {
        Chunk chunk = share.isWaiting() || !mayHave(share) ? null : next(share);
        if (chunk != null) {
            begin(share, chunk);
            then.accept(chunk);
        } else if (inUse == 0) {
            // None is going to be given back.
            return false;
        } else {
            if (!share.isWaiting()) {
                waiting.add(share);
            }
            share.await(tx, then);
        }
        return true;
    }

    private boolean mayHave(ChunkShare share) {
        return share.inUse() == 0 || share.inUse() < MAX_CHUNKS - inUse;
    }

    /** Tells whether what is free is to be left to others: more can perhaps not be made. */
    private boolean leavesFree(ChunkShare share) {
        return scarce && share.inUse() > 0 && share.inUse() >= free.size();
    }

    private @Nullable Chunk next(ChunkShare share) {
        Chunk chunk = leavesFree(share) ? null : free.poll();
        return chunk == null && made < MAX_CHUNKS ? make() : chunk;
    }

    private void begin(ChunkShare share, Chunk chunk) {
        inUse++;
        share.taken();
        chunk.setOwner(share);
    }

    private @Nullable Chunk make() {
        try {
            MemorySegment memory = pd.allocate(Wire.MTU, 1);
            Chunk chunk = new Chunk(
                    memory.asByteBuffer(), pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            made++;
            scarce = false;
            return chunk;
        } catch (VerbsException e) {
            if (!scarce) {
                scarce = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no memory for transfers beyond " + made + " pieces of " + Wire.MTU + " bytes: "
                                + e.getMessage());
            }
            return null;
        }
    }

    void giveBack(Chunk chunk) {
        ChunkShare share = Objects.requireNonNull(chunk.owner());
        chunk.setOwner(null);
        share.givenBack();
        inUse--;
        free.add(chunk);
        for (int i = waiting.size(); i > 0 && !waiting.isEmpty() && !free.isEmpty(); i--) {
            grant(waiting.remove());
        }
    }

    /** It is the turn of a peer for which something waits. */
    private void grant(ChunkShare share) {
        Chunk chunk = mayHave(share) && !leavesFree(share) ? free.poll() : null;
        if (chunk == null) {
            waiting.add(share);
            return;
        }
        begin(share, chunk);
        Consumer<Chunk> first = share.next();
        if (share.isWaiting()) {
            waiting.add(share);
        }
        first.accept(chunk);
    }

    /** Takes out a transmit that waits for memory. */
    public void forget(ChunkShare share, Tx tx) {
        if (share.isWaiting()) {
            share.forget(tx);
            if (!share.isWaiting()) {
                waiting.remove(share);
            }
        }
    }
}
