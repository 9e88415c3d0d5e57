package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * RTU, MRA, DREQ or DREP: a step in the life of a connection.
 *
 * @param attribute which of them
 * @param localId the sender's number of the connection
 * @param remoteId the receiver's
 * @param detail what stands behind them: in a DREQ the receiver's queue pair in the upper 24 bits, otherwise nothing of
 *     interest
 */
public record CmNotice(CmAttribute attribute, int localId, int remoteId, int detail) implements CmBody {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("localId"), BE32.withName("remoteId"), BE32.withName("detail"))
            .withName("notice");

    private static final VarHandle LOCAL_ID = Wire.field(LAYOUT, "localId");
    private static final VarHandle REMOTE_ID = Wire.field(LAYOUT, "remoteId");
    private static final VarHandle DETAIL = Wire.field(LAYOUT, "detail");
    private static final int BYTE_BITS = 8;

    /** Returns a DREQ. */
    public static CmNotice disconnect(int localId, int remoteId, int remoteQpn) {
        return new CmNotice(CmAttribute.DISCONNECT_REQUEST, localId, remoteId, remoteQpn << BYTE_BITS);
    }

    /** Returns an RTU or a DREP. */
    public static CmNotice of(CmAttribute attribute, int localId, int remoteId) {
        return new CmNotice(attribute, localId, remoteId, 0);
    }

    @Override
    public void write(MemorySegment to) {
        LOCAL_ID.set(to, 0L, localId);
        REMOTE_ID.set(to, 0L, remoteId);
        DETAIL.set(to, 0L, detail);
    }

    static CmNotice read(CmAttribute attribute, MemorySegment from) {
        return new CmNotice(
                attribute, (int) LOCAL_ID.get(from, 0L), (int) REMOTE_ID.get(from, 0L), (int) DETAIL.get(from, 0L));
    }
}
