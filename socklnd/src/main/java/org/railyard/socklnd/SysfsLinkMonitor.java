package org.railyard.socklnd;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Asks the operating system: interface flags and addresses, and carrier and operating state where Linux shows them. */
final class SysfsLinkMonitor implements LinkMonitor {
    private static final Set<String> DOWN_STATES = Set.of("down", "lowerlayerdown", "notpresent");

    private final Path classNet;

    /** Makes a monitor that reads link states below the given directory, usually {@code /sys/class/net}. */
    SysfsLinkMonitor(Path classNet) {
        this.classNet = classNet;
    }

    @Override
    public boolean isUp(String interfaceName, InetAddress address) {
        try {
            NetworkInterface device = NetworkInterface.getByName(interfaceName);
            return device != null && device.isUp() && holds(device, address) && hasLink(interfaceName);
        } catch (SocketException e) {
            // The device went away between two questions.
            return false;
        }
    }

    private static boolean holds(NetworkInterface device, InetAddress address) {
        // The whole of 127.0.0.0/8 belongs to lo, whatever is listed.
        return device.isVirtual()
                || address.isLoopbackAddress()
                || device.inetAddresses().anyMatch(address::equals);
    }

    /** Tells whether the files of an interface speak of a link; files that are missing speak of nothing. */
    boolean hasLink(String interfaceName) {
        return !DOWN_STATES.contains(read(interfaceName, "operstate"))
                && !read(interfaceName, "carrier").equals("0");
    }

    private String read(String interfaceName, String file) {
        try {
            return Files.readString(classNet.resolve(interfaceName).resolve(file))
                    .trim();
        } catch (IOException e) {
            // Not Linux, or a device that can not tell, such as one whose link is administratively down: the flags
            // decide.
            return "";
        }
    }
}
