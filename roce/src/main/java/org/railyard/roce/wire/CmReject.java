package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;
import static org.railyard.roce.wire.Bth.BE16;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.verbs.CmRejectReason;

/**
 * REJ: no.
 *
 * @param localId the sender's number of the connection; 0 if it has none
 * @param remoteId the receiver's
 * @param rejected what it is about: {@link #OF_REQUEST}, {@link #OF_REPLY} or {@link #OF_NOTHING}
 * @param reason why, 0…65535
 * @param caGuid of the device that sends it, which the receiver finds its end by if it is not named because its answer
 *     did not come (reason {@link CmRejectReason#TIMEOUT}); 0 if that is not said
 * @param privateData at most {@link #PRIVATE_BYTES}; all of them in what was read
 */
public record CmReject(int localId, int remoteId, int rejected, int reason, long caGuid, MemorySegment privateData)
        implements CmBody {
    /** What was rejected: a request. */
    public static final int OF_REQUEST = 0;

    /** A reply. */
    public static final int OF_REPLY = 1;

    /** No message: the connection as such. */
    public static final int OF_NOTHING = 2;

    /** Room for private data, bytes. */
    public static final int PRIVATE_BYTES = 148;

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("localId"),
                    BE32.withName("remoteId"),
                    ValueLayout.JAVA_BYTE.withName("rejected"),
                    ValueLayout.JAVA_BYTE.withName("infoLength"),
                    BE16.withName("reason"),
                    BE64.withName("caGuid"),
                    MemoryLayout.paddingLayout(64))
            .withName("rej");

    private static final VarHandle LOCAL_ID = Wire.field(LAYOUT, "localId");
    private static final VarHandle REMOTE_ID = Wire.field(LAYOUT, "remoteId");
    private static final VarHandle REJECTED = Wire.field(LAYOUT, "rejected");
    private static final VarHandle REASON = Wire.field(LAYOUT, "reason");
    private static final VarHandle INFO_LENGTH = Wire.field(LAYOUT, "infoLength");
    private static final VarHandle CA_GUID = Wire.field(LAYOUT, "caGuid");

    /** The upper seven bits count the bytes that are said in addition. */
    private static final int INFO_LENGTH_SHIFT = 1;

    private static final int INFO_LENGTH_MASK = 0x7F;
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
        INFO_LENGTH.set(to, 0L, (byte) (caGuid == 0 ? 0 : Long.BYTES << INFO_LENGTH_SHIFT));
        CA_GUID.set(to, 0L, caGuid);
        CmPrivate.put(privateData, to, LAYOUT.byteSize(), PRIVATE_BYTES);
    }

    static CmReject read(MemorySegment from) {
        int reason = (short) REASON.get(from, 0L) & 0xFFFF;
        int infoLength = (byte) INFO_LENGTH.get(from, 0L) >> INFO_LENGTH_SHIFT & INFO_LENGTH_MASK;
        boolean saysGuid = reason == CmRejectReason.TIMEOUT && infoLength >= Long.BYTES;
        return new CmReject(
                (int) LOCAL_ID.get(from, 0L),
                (int) REMOTE_ID.get(from, 0L),
                (byte) REJECTED.get(from, 0L) >> REJECTED_SHIFT & REJECTED_MASK,
                reason,
                saysGuid ? (long) CA_GUID.get(from, 0L) : 0,
                CmPrivate.copy(from, LAYOUT.byteSize(), PRIVATE_BYTES));
    }
}
