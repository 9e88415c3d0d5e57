package org.railyard.mad.umad;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.transport.MadAddress;

/**
 * What stands before a MAD in the buffers of umad, partly in the byte order of the machine (spec 40 §8.2): agent,
 * status, timeout, retries and length, of which only the status is of use here, then the address. Buffers are
 * big-endian ones.
 */
final class UmadHeader {
    /** Bytes of the header. */
    static final int BYTES = 64;

    private static final int STATUS = 4;
    private static final int QPN = 20;
    private static final int Q_KEY = 24;
    private static final int LID = 28;
    private static final int SL = 30;
    private static final int PATH_BITS = 31;
    private static final int GRH = 32;
    private static final int HOP_LIMIT = 34;
    private static final int GID_PREFIX = 36;
    private static final int GID_GUID = 44;
    private static final int P_KEY_INDEX = 56;

    private static final boolean IS_BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    /** Of the route header that an answer carries; the other end is in this subnet or behind one router. */
    private static final byte HOPS = 64;

    private UmadHeader() {}

    static int status(ByteBuffer umad) {
        int status = umad.getInt(STATUS);
        return IS_BIG_ENDIAN ? status : Integer.reverseBytes(status);
    }

    static MadAddress source(ByteBuffer umad) {
        if (isDirected(umad)) {
            return MadAddress.DIRECTED;
        }
        Gid gid = umad.get(GRH) != 0 ? new Gid(umad.getLong(GID_PREFIX), umad.getLong(GID_GUID)) : Gid.ZERO;
        return new MadAddress(
                umad.getShort(LID) & 0xFFFF,
                umad.getInt(QPN),
                umad.getInt(Q_KEY),
                umad.get(SL) & 0xF,
                umad.get(PATH_BITS) & 0x7F,
                hostOrder(umad.getShort(P_KEY_INDEX)) & 0xFFFF,
                gid);
    }

    /** Tells whether it came on a directed route, as nearly all do while a fabric is brought up. */
    private static boolean isDirected(ByteBuffer umad) {
        return umad.getShort(LID) == (short) MadAddress.PERMISSIVE
                && umad.getLong(QPN) == 0
                && umad.getShort(SL) == 0
                && umad.getShort(P_KEY_INDEX) == 0
                && umad.get(GRH) == 0;
    }

    static void write(ByteBuffer umad, MadAddress to) {
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            umad.putLong(at, 0);
        }
        umad.putInt(QPN, to.qpn());
        umad.putInt(Q_KEY, to.qKey());
        umad.putShort(LID, (short) to.lid());
        umad.put(SL, (byte) to.sl());
        umad.put(PATH_BITS, (byte) to.pathBits());
        umad.putShort(P_KEY_INDEX, hostOrder((short) to.pKeyIndex()));
        if (!to.gid().equals(Gid.ZERO)) {
            umad.put(GRH, (byte) 1);
            umad.put(HOP_LIMIT, HOPS);
            umad.putLong(GID_PREFIX, to.gid().prefix());
            umad.putLong(GID_GUID, to.gid().guid());
        }
    }

    private static short hostOrder(short value) {
        return IS_BIG_ENDIAN ? value : Short.reverseBytes(value);
    }
}
