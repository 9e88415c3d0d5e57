package org.railyard.socklnd;

import java.net.InetAddress;

/** Tells whether the device of an NI can carry traffic. Asked about four times a second; thread-safe, must not wait. */
@FunctionalInterface
public interface LinkMonitor {
    /**
     * Tells whether the device is up, has a carrier and still holds the address.
     *
     * @param interfaceName name of the device
     * @param address address of the NI
     */
    boolean isUp(String interfaceName, InetAddress address);
}
