package org.railyard.o2iblnd;

import org.railyard.lnet.lnd.LndMessage;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.WorkChain;

/**
 * The memory of a message itself, mapped for the card and registered by a work request (spec 20 §11): nothing is copied.
 *
 * @param pieces by their DMA addresses
 * @param region what makes one piece of them
 * @param oldKey by which the region is registered from its last use; 0 if it is not
 * @param address of the first byte
 */
record Mapped(DmaList pieces, FastRegion region, int oldKey, long address) implements Transfer {
    @Override
    public int localKey() {
        return region.localKey();
    }

    @Override
    public int remoteKey() {
        return region.remoteKey();
    }

    @Override
    public void prepare(WorkChain chain, long id) {
        if (oldKey != 0) {
            chain.invalidate(id, false, oldKey);
        }
        chain.register(id, false, region, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @Override
    public void fill(LndMessage from, int bytes) {
        Payload.skip(from, bytes);
    }

    @Override
    public void drain(LndMessage to, int bytes) {
        Payload.skip(to, bytes);
    }
}
