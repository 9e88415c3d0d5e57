package org.railyard.verbs.card;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.railyard.verbs.VerbsException;

/** Private data of messages of the connection manager. */
public final class PrivateBytes {
    private PrivateBytes() {}

    /** Takes a copy of what a user says, if it fits. */
    public static byte[] checked(MemorySegment data, int limit) {
        if (data.byteSize() > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, data.byteSize() + " bytes of private data, at most " + limit + " fit");
        }
        return data.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns what the other user hears: always all bytes that the message has. */
    public static MemorySegment padded(byte[] data, int bytes) {
        return MemorySegment.ofArray(Arrays.copyOf(data, bytes)).asReadOnly();
    }
}
