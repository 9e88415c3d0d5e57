package org.railyard.o2iblnd.transfer;

import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.WorkChain;

/**
 * Memory in a zero-based region, which is mapped already: one fragment, or one for each piece if there are gaps between
 * them.
 *
 * @param pieces by their DMA addresses
 * @param region what they are mapped in
 * @param pageBytes size of a page
 * @param gaps whether pieces begin or end inside pages
 */
record FmrMapped(DmaList pieces, FmrRegion region, int pageBytes, boolean gaps) implements MappedMemory {
    @Override
    public void describe(RdmaDescriptor into, int bytes, boolean remote) {
        into.reset(remote ? region.remoteKey() : region.localKey());
        long inside = pieces.address(0) & pageBytes - 1L;
        if (!gaps) {
            into.add(inside, bytes);
            return;
        }
        long page = 0;
        int left = bytes;
        for (int i = 0; i < pieces.size() && left > 0; i++) {
            inside = pieces.address(i) & pageBytes - 1L;
            into.add(page * pageBytes + inside, Math.min(left, pieces.length(i)));
            left -= pieces.length(i);
            page += (inside + pieces.length(i) + pageBytes - 1) / pageBytes;
        }
    }

    @Override
    public void prepare(WorkChain chain, long id, boolean remote) {
        // It is mapped without a work request.
    }
}
