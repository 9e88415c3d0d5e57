package org.railyard.roce.net;

import java.net.NetworkInterface;
import java.net.SocketException;

/** Interfaces as the operating system shows them. */
public final class SystemInterfaces {
    private SystemInterfaces() {}

    /** Tells what an interface is good for at present; {@link Datagrams.Link#NONE} if it is not there. */
    public static Datagrams.Link look(LocalInterface which) {
        try {
            NetworkInterface device = NetworkInterface.getByName(which.systemName());
            if (device == null) {
                return Datagrams.Link.NONE;
            }
            boolean hasAddress =
                    device.isLoopback() || device.inetAddresses().anyMatch(LocalInterface.address(which.ip())::equals);
            return new Datagrams.Link(device.isUp() && hasAddress, device.getMTU());
        } catch (SocketException e) {
            // The device went away between two questions.
            return Datagrams.Link.NONE;
        }
    }
}
