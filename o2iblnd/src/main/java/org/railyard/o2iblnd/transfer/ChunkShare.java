package org.railyard.o2iblnd.transfer;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/** What one peer has of a {@link ChunkPool}, and what waits there for more. */
public final class ChunkShare {
    private record Waiting(Tx tx, Consumer<Chunk> then) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int inUse;

    /** Makes the share of a peer that has nothing. */
    public ChunkShare() {}

    int inUse() {
        return inUse;
    }

    void taken() {
        inUse++;
    }

    void givenBack() {
        inUse--;
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    void await(Tx tx, Consumer<Chunk> then) {
        waiting.add(new Waiting(tx, then));
    }

    /** Takes out what waits longest; returns what gets the memory. */
    Consumer<Chunk> next() {
        return waiting.remove().then;
    }

    void forget(Tx tx) {
        waiting.removeIf(each -> each.tx == tx);
    }
}
