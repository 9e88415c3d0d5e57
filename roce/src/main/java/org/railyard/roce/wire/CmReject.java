package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * REJ: no.
 *
 * @param localId the sender's number of the connection; 0 if it has none
 * @param remoteId the receiver's
 * @param rejected what it is about: 0 a request, 1 a reply, 2 nothing of these
 * @param reason why, 0…65535
 * @param privateData at most {@link #PRIVATE_BYTES}; all of them in what was read
 */
public record CmReject(int localId, int remoteId, int rejected, int reason, MemorySegment privateData)
        implements CmBody {
    /** Room for private data, bytes. */
    public static final int PRIVATE_BYTES = 148;

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("localId"),
                    BE32.withName("remoteId"),
                    ValueLayout.JAVA_BYTE.withName("rejected"),
                    ValueLayout.JAVA_BYTE.withName("infoLength"),
                    BE16.withName("reason"),
                    MemoryLayout.paddingLayout(72))
            .withName("rej");

    private static final VarHandle LOCAL_ID = Wire.field(LAYOUT, "localId");
    private static final VarHandle REMOTE_ID = Wire.field(LAYOUT, "remoteId");
    private static final VarHandle REJECTED = Wire.field(LAYOUT, "rejected");
    private static final VarHandle REASON = Wire.field(LAYOUT, "reason");
    private static final int REJECTED_SHIFT = 6;
    private static final int REJECTED_MASK = 3;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REJECT;
    }

    @Override
    public void write(MemorySegment to) {
        LOCAL_ID.set(to, 0L, localId);
        REMOTE_ID.set(to, 0L, remoteId);
        REJECTED.set(to, 0L, (byte) (rejected << REJECTED_SHIFT));
        REASON.set(to, 0L, (short) reason);
        CmPrivate.put(privateData, to, LAYOUT.byteSize(), PRIVATE_BYTES);
    }

    static CmReject read(MemorySegment from) {
        return new CmReject(
                (int) LOCAL_ID.get(from, 0L),
                (int) REMOTE_ID.get(from, 0L),
                (byte) REJECTED.get(from, 0L) >> REJECTED_SHIFT & REJECTED_MASK,
                (short) REASON.get(from, 0L) & 0xFFFF,
                CmPrivate.copy(from, LAYOUT.byteSize(), PRIVATE_BYTES));
    }
}
