package org.railyard.o2iblnd.transfer;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.WorkChain;

/** Registered memory that payloads are copied to and from. */
public final class Chunk implements MemoryTransfer {
    private final ByteBuffer memory;
    private final ArenaRegion region;
    private @Nullable ChunkShare owner;

    Chunk(ByteBuffer memory, ArenaRegion region) {
        this.memory = memory;
        this.region = region;
    }

    /** Returns the share that it is a part of, null while nobody uses it. */
    @Nullable
    ChunkShare owner() {
        return owner;
    }

    void setOwner(@Nullable ChunkShare share) {
        owner = share;
    }

    @Override
    public void describe(RdmaDescriptor into, int bytes, boolean remote) {
        into.reset(remote ? region.remoteKey() : region.localKey());
        into.add(region.addressOf(0), bytes);
    }

    @Override
    public void prepare(WorkChain chain, long id, boolean remote) {
        // It is registered for good.
    }

    @Override
    public boolean fill(LndMessage from, int bytes) {
        return Payload.gather(from, memory, 0, bytes);
    }

    @Override
    public boolean drain(LndMessage to, int bytes) {
        return Payload.scatter(memory, 0, to, bytes);
    }
}
