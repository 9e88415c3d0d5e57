package org.railyard.decode.tcp;

import java.nio.ByteBuffer;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * An IPv4 or IPv6 address.
 *
 * @param high first half of an IPv6 address; 0 for IPv4
 * @param low second half of an IPv6 address, or the IPv4 address
 * @param v6 which of the two
 */
public record IpAddress(long high, long low, boolean v6) {
    /** Returns the text form; that of NIDs on {@code tcp} serves. */
    @Override
    public String toString() {
        Nid nid = v6
                ? Nid.of(
                        Net.TCP,
                        ByteBuffer.allocate(16).putLong(high).putLong(low).array())
                : Nid.of(Net.TCP, (int) low);
        String text = nid.toString();
        return text.substring(0, text.indexOf('@'));
    }
}
