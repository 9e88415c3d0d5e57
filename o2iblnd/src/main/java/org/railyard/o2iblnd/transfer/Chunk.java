package org.railyard.o2iblnd.transfer;

import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.WorkChain;

/**
 * Registered memory that payloads are copied to and from.
 *
 * @param memory the bytes
 * @param region their keys
 */
public record Chunk(ByteBuffer memory, ArenaRegion region) implements MemoryTransfer {
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
