package org.railyard.config.ni;

import java.net.InetAddress;
import java.util.List;

/**
 * A network device of a machine.
 *
 * @param name its name
 * @param up whether it is up
 * @param loopback whether it only leads back
 * @param addresses its addresses, the one that an NI gets first
 */
public record Device(String name, boolean up, boolean loopback, List<InetAddress> addresses) {
    /** Copies the list. */
    public Device {
        addresses = List.copyOf(addresses);
    }
}
