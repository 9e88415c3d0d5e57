package org.railyard.socklnd.link;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Tells what the device of an NI can do. Asked about four times a second; thread-safe, must not wait. */
@FunctionalInterface
public interface LinkMonitor {
    /**
     * Looks at a device.
     *
     * @param interfaceName name of the NI's interface, a label such as {@code eth0:0} included
     * @param address address of the NI
     */
    DeviceLinkState look(String interfaceName, InetAddress address);

    /**
     * Returns what a device has counted; null if it does not tell.
     *
     * @param interfaceName name of the NI's interface, a label such as {@code eth0:0} included
     */
    default @Nullable LinkCounts counts(String interfaceName) {
        return null;
    }
}
