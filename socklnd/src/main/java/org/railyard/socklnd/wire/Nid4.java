package org.railyard.socklnd.wire;

import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;

/** NIDs of IPv4 in messages of socklnd (spec 02 §3). */
final class Nid4 {
    private static final int UNUSED_SHIFT = 56;

    private Nid4() {}

    /**
     * Turns the number of a field into a NID.
     *
     * @throws WireFormatException if its first byte is not 0: a NID has no place for it
     */
    static Nid of(String field, long nid4) throws WireFormatException {
        if (nid4 >>> UNUSED_SHIFT != 0 && nid4 != -1L) {
            throw new WireFormatException(field + " is 0x" + Long.toHexString(nid4)
                    + ", expected 0 in its first byte, or all ones (any NID)");
        }
        return Nid.ofNid4(nid4);
    }
}
