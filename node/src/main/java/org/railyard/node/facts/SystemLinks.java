package org.railyard.node.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.doctor.HostFacts.Address;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.socklnd.link.InterfaceAddresses;

/** Devices. The JDK knows only those with an address; the kernel's list has all. */
final class SystemLinks {
    private static final Path NAMES = Path.of("/proc/net/dev");
    private static final Path DEVICES = Path.of("/sys/class/net");
    private static final int UP = 0x1;
    private static final int LOOPBACK = 0x8;

    private SystemLinks() {}

    static List<Link> list() {
        List<Link> links = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(NAMES)) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    links.add(link(line.substring(0, colon).strip()));
                }
            }
        } catch (IOException e) {
            System.getLogger("org.railyard.node")
                    .log(System.Logger.Level.DEBUG, "{0} can not be read: {1}", NAMES, e.getMessage());
        }
        return links;
    }

    private static Link link(String name) {
        int flags = number(name, "flags", 0);
        boolean up = (flags & UP) != 0;
        // Without the right to know it, a device that is up counts as connected.
        boolean carrier = up && number(name, "carrier", 1) != 0;
        return new Link(name, up, carrier, (flags & LOOPBACK) != 0, number(name, "mtu", 0), addresses(name));
    }

    private static int number(String device, String what, int otherwise) {
        try {
            return Integer.decode(
                    Files.readString(DEVICES.resolve(device).resolve(what)).strip());
        } catch (IOException | NumberFormatException e) {
            return otherwise;
        }
    }

    private static List<Address> addresses(String name) {
        try {
            @Nullable NetworkInterface device = NetworkInterface.getByName(name);
            if (device == null) {
                return List.of();
            }
            List<InetAddress> order = InterfaceAddresses.of(device).toList();
            return device.getInterfaceAddresses().stream()
                    .filter(each -> order.contains(each.getAddress()))
                    .sorted(Comparator.comparingInt(each -> order.indexOf(each.getAddress())))
                    .map(each -> new Address(unscoped(each.getAddress()), each.getNetworkPrefixLength()))
                    .toList();
        } catch (SocketException e) {
            // It went away while we looked.
            return List.of();
        }
    }

    /** The JDK adds the device to IPv6 addresses, {@code fd00::1%eth0}, which {@code ip} takes for no address. */
    private static InetAddress unscoped(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has a length that none has", e);
        }
    }
}
