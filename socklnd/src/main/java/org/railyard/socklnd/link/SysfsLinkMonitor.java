package org.railyard.socklnd.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks the operating system: interface flags and addresses, and carrier and operating state where Linux shows them. */
public final class SysfsLinkMonitor implements LinkMonitor {
    private static final Set<String> DOWN_STATES = Set.of("down", "lowerlayerdown", "notpresent");

    private final Path classNet;

    /** Makes a monitor that reads link states below the given directory, usually {@code /sys/class/net}. */
    public SysfsLinkMonitor(Path classNet) {
        this.classNet = classNet;
    }

    @Override
    public DeviceLinkState look(String interfaceName, InetAddress address) {
        String device = InterfaceAddresses.deviceOf(interfaceName);
        try {
            DeviceLinkState state = state(device, NetworkInterface.getByName(device), address);
            // Without file descriptors nothing can be read, and everything looks as if it were not there.
            return hasDescriptors() ? state : DeviceLinkState.UNKNOWN;
        } catch (SocketException e) {
            // No file descriptors, or the device went away between two questions: the next look tells.
            return DeviceLinkState.UNKNOWN;
        }
    }

    private DeviceLinkState state(String device, @Nullable NetworkInterface found, InetAddress address)
            throws SocketException {
        if (found == null) {
            // The JDK knows only devices with an address, and IPv6 addresses go with the link.
            return Files.exists(classNet.resolve(device)) ? DeviceLinkState.DOWN : DeviceLinkState.GONE;
        }
        return found.isUp() && holds(found, address) && hasLink(device) ? DeviceLinkState.UP : DeviceLinkState.DOWN;
    }

    private static boolean holds(NetworkInterface device, InetAddress address) {
        // The whole of 127.0.0.0/8 belongs to lo, whatever is listed.
        return address.isLoopbackAddress() || device.inetAddresses().anyMatch(address::equals);
    }

    private static boolean hasDescriptors() {
        try (SocketChannel channel = SocketChannel.open()) {
            return channel.isOpen();
        } catch (IOException e) {
            return false;
        }
    }

    /** Tells whether the files of a device speak of a link; files that are missing speak of nothing. */
    public boolean hasLink(String device) {
        return !DOWN_STATES.contains(read(device, "operstate"))
                && !read(device, "carrier").equals("0");
    }

    @Override
    public @Nullable LinkCounts counts(String interfaceName) {
        String statistics = InterfaceAddresses.deviceOf(interfaceName) + "/statistics";
        try {
            return new LinkCounts(
                    Long.parseLong(read(statistics, "rx_packets")) + Long.parseLong(read(statistics, "tx_packets")),
                    Long.parseLong(read(statistics, "rx_errors")) + Long.parseLong(read(statistics, "tx_errors")));
        } catch (NumberFormatException e) {
            // Not Linux, or the device is gone.
            return null;
        }
    }

    private String read(String device, String file) {
        try {
            return Files.readString(classNet.resolve(device).resolve(file)).trim();
        } catch (IOException e) {
            // Not Linux, or a device that can not tell, such as one whose link is administratively down: the flags
            // decide.
            return "";
        }
    }
}
