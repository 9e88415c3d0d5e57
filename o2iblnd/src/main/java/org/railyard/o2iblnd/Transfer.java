package org.railyard.o2iblnd;

import org.railyard.lnet.lnd.LndMessage;
import org.railyard.verbs.WorkChain;

/** Memory that a card reads or writes for one transfer: the message's own, or a registered piece that is copied. */
sealed interface Transfer permits Chunk, Mapped {
    /** Returns the address of the first byte; all of them are in one piece. */
    long address();

    /** Returns the key for writes from it. */
    int localKey();

    /** Returns the key for writes into it. */
    int remoteKey();

    /** Appends what the card has to do before it touches the memory. */
    void prepare(WorkChain chain, long id);

    /** Puts the beginning of a payload where the card finds it. */
    void fill(LndMessage from, int bytes);

    /** Puts what the card wrote where the message wants it. */
    void drain(LndMessage to, int bytes);
}
