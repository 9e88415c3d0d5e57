package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * REP: a request is accepted.
 *
 * @param localId the sender's number of the connection
 * @param remoteId the number in the request
 * @param qpn the sender's queue pair
 * @param startingPsn number that the first packet to the sender has to have
 * @param rnrRetryCount how often the receiver is to send a message again that had no receive, 0…7
 * @param caGuid the sender's card
 * @param room how much the sender's socket has room for, KiB, 0…65535; 0 if it does not say
 * @param privateData at most {@link #PRIVATE_BYTES}; all of them in what was read
 */
public record CmReply(
        int localId,
        int remoteId,
        int qpn,
        int startingPsn,
        int rnrRetryCount,
        long caGuid,
        int room,
        MemorySegment privateData)
        implements CmBody {
    /** Room for private data, bytes. */
    public static final int PRIVATE_BYTES = 196;

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("localId"),
                    BE32.withName("remoteId"),
                    BE32.withName("key"),
                    BE32.withName("qpn"),
                    MemoryLayout.paddingLayout(4),
                    BE32.withName("psn"),
                    MemoryLayout.paddingLayout(2),
                    ValueLayout.JAVA_BYTE.withName("ackDelay"),
                    ValueLayout.JAVA_BYTE.withName("rnr"),
                    BE64.withName("caGuid"))
            .withName("rep");

    private static final VarHandle LOCAL_ID = Wire.field(LAYOUT, "localId");
    private static final VarHandle REMOTE_ID = Wire.field(LAYOUT, "remoteId");
    private static final VarHandle KEY = Wire.field(LAYOUT, "key");
    private static final VarHandle QPN = Wire.field(LAYOUT, "qpn");
    private static final VarHandle PSN = Wire.field(LAYOUT, "psn");
    private static final VarHandle ACK_DELAY = Wire.field(LAYOUT, "ackDelay");
    private static final VarHandle RNR = Wire.field(LAYOUT, "rnr");
    private static final VarHandle CA_GUID = Wire.field(LAYOUT, "caGuid");

    /** Answers within 4.096 µs · 2^15; no other path; flow control. */
    private static final byte USUAL_ACK_DELAY = 0x79;

    private static final int BYTE_BITS = 8;
    private static final int RNR_SHIFT = 5;
    private static final int COUNT_MASK = 7;

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REPLY;
    }

    @Override
    public void write(MemorySegment to) {
        LOCAL_ID.set(to, 0L, localId);
        REMOTE_ID.set(to, 0L, remoteId);
        KEY.set(to, 0L, CmRoom.toKey(room));
        QPN.set(to, 0L, qpn << BYTE_BITS);
        PSN.set(to, 0L, startingPsn << BYTE_BITS);
        ACK_DELAY.set(to, 0L, USUAL_ACK_DELAY);
        RNR.set(to, 0L, (byte) (rnrRetryCount << RNR_SHIFT));
        CA_GUID.set(to, 0L, caGuid);
        CmPrivate.put(privateData, to, LAYOUT.byteSize(), PRIVATE_BYTES);
    }

    static CmReply read(MemorySegment from) {
        return new CmReply(
                (int) LOCAL_ID.get(from, 0L),
                (int) REMOTE_ID.get(from, 0L),
                (int) QPN.get(from, 0L) >>> BYTE_BITS,
                (int) PSN.get(from, 0L) >>> BYTE_BITS,
                (byte) RNR.get(from, 0L) >> RNR_SHIFT & COUNT_MASK,
                (long) CA_GUID.get(from, 0L),
                CmRoom.ofKey((int) KEY.get(from, 0L)),
                CmPrivate.copy(from, LAYOUT.byteSize(), PRIVATE_BYTES));
    }
}
