package org.railyard.roce.wire;

import java.lang.foreign.MemorySegment;

/** What a message between connection managers says. */
public sealed interface CmBody permits CmRequest, CmReply, CmReject, CmNotice {
    /** Returns what kind of message it is. */
    CmAttribute attribute();

    /** Returns the sender's number of the connection. */
    int localId();

    /** Returns the receiver's number of the connection; 0 if the sender does not know it. */
    int remoteId();

    /** Writes it into zeroed memory. */
    void write(MemorySegment to);
}
