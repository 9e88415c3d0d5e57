package org.railyard.o2iblnd.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
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
 */
public final class ChunkPool {
    /** Most chunks of a pool. */
    static final int MAX_CHUNKS = 64;

    private static final System.Logger LOG = System.getLogger(ChunkPool.class.getName());

    private final Pd pd;
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int made;
    private int inUse;

    /** Whether it was told that there is no more memory; it is told again when there was some in between. */
    private boolean told;

    private record Waiting(Tx tx, Consumer<Chunk> then) {}

    ChunkPool(Pd pd) {
        this.pd = pd;
    }

    /**
     * Gets memory for a transfer, at once or later; not at all if {@link #forget} comes first.
     *
     * @return false if there is none and never will be
     */
    public boolean take(Tx tx, Consumer<Chunk> then) {
        Chunk chunk = waiting.isEmpty() ? next() : null;
        if (chunk != null) {
            then.accept(chunk);
        } else if (inUse == 0) {
            // None is going to be given back.
            return false;
        } else {
            waiting.add(new Waiting(tx, then));
        }
        return true;
    }

    private @Nullable Chunk next() {
        Chunk chunk = free.poll();
        if (chunk == null && made < MAX_CHUNKS) {
            chunk = make();
        }
        inUse += chunk == null ? 0 : 1;
        return chunk;
    }

    private @Nullable Chunk make() {
        try {
            MemorySegment memory = NativeMemory.allocate(Wire.MTU, 1);
            Chunk chunk = new Chunk(
                    memory.asByteBuffer(), pd.registerArena(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            made++;
            told = false;
            return chunk;
        } catch (VerbsException e) {
            if (!told) {
                told = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no memory for transfers beyond " + made + " pieces of " + Wire.MTU + " bytes: "
                                + e.getMessage());
            }
            return null;
        }
    }

    void giveBack(Chunk chunk) {
        inUse--;
        free.add(chunk);
        Waiting first = waiting.poll();
        if (first != null) {
            Chunk again = next();
            if (again != null) {
                first.then.accept(again);
            } else {
                waiting.addFirst(first);
            }
        }
    }

    /** Takes out a transmit that waits for memory. */
    public void forget(Tx tx) {
        waiting.removeIf(each -> each.tx == tx);
    }
}
