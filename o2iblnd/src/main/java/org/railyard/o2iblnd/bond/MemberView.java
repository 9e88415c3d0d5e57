package org.railyard.o2iblnd.bond;

import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.PortAttributes;

/**
 * An interface of an NI as it is now.
 *
 * @param interfaceName for example {@code ib0}
 * @param ip its address, first octet in the highest bits; 0 if it has none
 * @param prefixLength of the IP subnet, 1…32; 0 if it is not known
 * @param device name of the device
 * @param attributes of the device
 * @param portNumber from 1
 * @param port as it is now
 * @param expectedRate of the link, in units of 0.1 Mb/s
 * @param state as the transport sees it
 * @param registration how memory is registered
 */
public record MemberView(
        String interfaceName,
        int ip,
        int prefixLength,
        String device,
        DeviceAttributes attributes,
        int portNumber,
        PortAttributes port,
        long expectedRate,
        MemberState state,
        String registration) {
    /**
     * Returns what the design calls link speed: lanes times the code of the speed (spec 20 §16). For people only, it is
     * no rate.
     */
    public int linkSpeed() {
        return port.lanes() * port.speedCode();
    }

    /** Tells whether an address is in the IP subnet of this one; true if it is not known. */
    boolean reaches(int other) {
        return prefixLength == 0 || (ip ^ other) >>> Integer.SIZE - prefixLength == 0;
    }

    @Override
    public String toString() {
        return interfaceName + " (" + Ipv4.text(ip) + ")";
    }
}
