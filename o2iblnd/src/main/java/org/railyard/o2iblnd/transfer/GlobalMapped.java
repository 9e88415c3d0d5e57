package org.railyard.o2iblnd.transfer;

import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.WorkChain;

/**
 * Memory that the card reaches through the region over all memory, in one fragment for each piece.
 *
 * @param pieces by their DMA addresses
 * @param keys of the region
 */
record GlobalMapped(DmaList pieces, MemoryKeys keys) implements MappedMemory {
    @Override
    public void describe(RdmaDescriptor into, int bytes, boolean remote) {
        into.reset(remote ? keys.remoteKey() : keys.localKey());
        int left = bytes;
        for (int i = 0; i < pieces.size() && left > 0; i++) {
            into.add(pieces.address(i), Math.min(left, pieces.length(i)));
            left -= pieces.length(i);
        }
    }

    @Override
    public void prepare(WorkChain chain, long id, boolean remote) {
        // Everything is registered.
    }
}
