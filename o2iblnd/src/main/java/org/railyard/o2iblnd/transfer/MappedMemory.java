package org.railyard.o2iblnd.transfer;

import org.railyard.lnet.lnd.LndMessage;
import org.railyard.verbs.DmaList;

/** The memory of a message itself, mapped for the card: nothing is copied (spec 20 §11). */
public sealed interface MappedMemory extends MemoryTransfer permits FastMapped, FmrMapped, GlobalMapped {
    /** Returns its pieces by their DMA addresses. */
    DmaList pieces();

    @Override
    default boolean fill(LndMessage from, int bytes) {
        Payload.skip(from, bytes);
        return true;
    }

    @Override
    default boolean drain(LndMessage to, int bytes) {
        Payload.skip(to, bytes);
        return true;
    }
}
