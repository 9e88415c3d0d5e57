package org.railyard.mad.umad;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.railyard.base.wire.Wire;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.transport.MadAddress;

/** What stands before a MAD in the buffers of umad, partly in the byte order of the machine (spec 40 §8.2). */
final class UmadHeader {
    private static final ValueLayout.OfShort BE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt HOST32 = ValueLayout.JAVA_INT_UNALIGNED;

    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            HOST32.withName("agent"),
            HOST32.withName("status"),
            HOST32.withName("timeout"),
            HOST32.withName("retries"),
            HOST32.withName("length"),
            Wire.BE32.withName("qpn"),
            Wire.BE32.withName("qkey"),
            BE16.withName("lid"),
            ValueLayout.JAVA_BYTE.withName("sl"),
            ValueLayout.JAVA_BYTE.withName("pathBits"),
            ValueLayout.JAVA_BYTE.withName("grh"),
            ValueLayout.JAVA_BYTE.withName("gidIndex"),
            ValueLayout.JAVA_BYTE.withName("hopLimit"),
            ValueLayout.JAVA_BYTE.withName("trafficClass"),
            Wire.BE64.withName("gidPrefix"),
            Wire.BE64.withName("gidGuid"),
            Wire.BE32.withName("flowLabel"),
            ValueLayout.JAVA_SHORT_UNALIGNED.withName("pKeyIndex"),
            MemoryLayout.paddingLayout(6));

    /** Bytes of the header. */
    static final int BYTES = (int) LAYOUT.byteSize();

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final VarHandle QPN = Wire.field(LAYOUT, "qpn");
    private static final VarHandle Q_KEY = Wire.field(LAYOUT, "qkey");
    private static final VarHandle LID = Wire.field(LAYOUT, "lid");
    private static final VarHandle SL = Wire.field(LAYOUT, "sl");
    private static final VarHandle PATH_BITS = Wire.field(LAYOUT, "pathBits");
    private static final VarHandle GRH = Wire.field(LAYOUT, "grh");
    private static final VarHandle HOP_LIMIT = Wire.field(LAYOUT, "hopLimit");
    private static final VarHandle GID_PREFIX = Wire.field(LAYOUT, "gidPrefix");
    private static final VarHandle GID_GUID = Wire.field(LAYOUT, "gidGuid");
    private static final VarHandle P_KEY_INDEX = Wire.field(LAYOUT, "pKeyIndex");

    /** Of the route header that an answer carries; the other end is in this subnet or behind one router. */
    private static final byte HOPS = 64;

    private UmadHeader() {}

    static int status(MemorySegment umad) {
        return (int) STATUS.get(umad, 0L);
    }

    static MadAddress source(MemorySegment umad) {
        boolean grh = (byte) GRH.get(umad, 0L) != 0;
        Gid gid = grh ? new Gid((long) GID_PREFIX.get(umad, 0L), (long) GID_GUID.get(umad, 0L)) : Gid.ZERO;
        return new MadAddress(
                (short) LID.get(umad, 0L) & 0xFFFF,
                (int) QPN.get(umad, 0L),
                (int) Q_KEY.get(umad, 0L),
                (byte) SL.get(umad, 0L) & 0xF,
                (byte) PATH_BITS.get(umad, 0L) & 0x7F,
                (short) P_KEY_INDEX.get(umad, 0L) & 0xFFFF,
                gid);
    }

    static void write(MemorySegment umad, MadAddress to) {
        umad.asSlice(0, BYTES).fill((byte) 0);
        QPN.set(umad, 0L, to.qpn());
        Q_KEY.set(umad, 0L, to.qKey());
        LID.set(umad, 0L, (short) to.lid());
        SL.set(umad, 0L, (byte) to.sl());
        PATH_BITS.set(umad, 0L, (byte) to.pathBits());
        P_KEY_INDEX.set(umad, 0L, (short) to.pKeyIndex());
        if (!to.gid().equals(Gid.ZERO)) {
            GRH.set(umad, 0L, (byte) 1);
            HOP_LIMIT.set(umad, 0L, HOPS);
            GID_PREFIX.set(umad, 0L, to.gid().prefix());
            GID_GUID.set(umad, 0L, to.gid().guid());
        }
    }
}
