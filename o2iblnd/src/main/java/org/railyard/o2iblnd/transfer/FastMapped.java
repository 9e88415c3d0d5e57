package org.railyard.o2iblnd.transfer;

import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkChain;

/**
 * Memory that a work request registers, in one fragment.
 *
 * @param pieces by their DMA addresses
 * @param region what makes one piece of them
 * @param registered whether the region is registered from its last use
 * @param address of the first byte
 * @param qp where it is registered
 */
record FastMapped(DmaList pieces, FastRegion region, boolean registered, long address, Qp qp) implements MappedMemory {
    @Override
    public void describe(RdmaDescriptor into, int bytes, boolean remote) {
        into.reset(remote ? region.remoteKey() : region.localKey());
        into.add(address, bytes);
    }

    @Override
    public void prepare(WorkChain chain, long id, boolean remote) {
        if (registered) {
            chain.invalidate(id, false, region);
        }
        chain.register(id, false, region, remote ? Access.LOCAL_WRITE | Access.REMOTE_WRITE : 0);
    }
}
