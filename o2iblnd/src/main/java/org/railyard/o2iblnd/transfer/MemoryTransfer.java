package org.railyard.o2iblnd.transfer;

import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.WorkChain;

/** Memory that a card reads or writes for one transfer: the message's own, or a registered piece that is copied. */
public sealed interface MemoryTransfer permits Chunk, MappedMemory {
    /**
     * Says where the first bytes are.
     *
     * @param into gets the key and the fragments
     * @param remote whether the peer is to write there; otherwise this node's card is to read there
     */
    void describe(RdmaDescriptor into, int bytes, boolean remote);

    /**
     * Appends what the card has to do before it touches the memory.
     *
     * @param remote whether the peer is to write there
     */
    void prepare(WorkChain chain, long id, boolean remote);

    /** Puts the beginning of a payload where the card finds it; false if its memory can not be read. */
    boolean fill(LndMessage from, int bytes);

    /** Puts what the card wrote where the message wants it; false if that can not be written. */
    boolean drain(LndMessage to, int bytes);
}
