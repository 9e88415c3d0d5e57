package org.railyard.verbs.card.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.railyard.verbs.VerbsException;

/** Private data of messages of the connection manager. */
public final class PrivateBytes {
    private PrivateBytes() {}

    /** Takes a copy of what a user says, if it fits. */
    static MemorySegment checked(MemorySegment data, int limit) {
        if (data.byteSize() > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, data.byteSize() + " bytes of private data, at most " + limit + " fit");
        }
        return MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns what the other user hears: always all bytes that the message has. */
    public static MemorySegment padded(MemorySegment data, int bytes) {
        return MemorySegment.ofArray(Arrays.copyOf(data.toArray(ValueLayout.JAVA_BYTE), bytes))
                .asReadOnly();
    }
}
