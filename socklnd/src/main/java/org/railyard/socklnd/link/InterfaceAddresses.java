package org.railyard.socklnd.link;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The addresses of network interfaces in the order that decides on NIDs (spec 02 §11). */
public final class InterfaceAddresses {
    private InterfaceAddresses() {}

    /**
     * Returns the addresses that an NI may have, the primary one first: IPv4 in the order of the kernel, those with a
     * label of their own last, then IPv6, those that stay before those that pass; link-local ones of IPv6 never. Of a
     * label such as {@code eth0:0}, only its own.
     */
    public static Stream<InetAddress> of(NetworkInterface device) {
        Set<InetAddress> labelled =
                device.subInterfaces().flatMap(NetworkInterface::inetAddresses).collect(Collectors.toSet());
        // The kernel lists the primary address first, and the JDK turns its list around.
        Stream<InetAddress> four =
                device.inetAddresses().filter(Inet4Address.class::isInstance).toList().reversed().stream()
                        .sorted(Comparator.comparing(labelled::contains));
        List<InetAddress> six = device.inetAddresses()
                .filter(address -> !(address instanceof Inet4Address) && !address.isLinkLocalAddress())
                .toList();
        return Stream.concat(four, six.size() < 2 ? six.stream() : lastingFirst(six, AddressFlags.read()));
    }

    /** Returns IPv6 addresses, those that stay first; of equals, the order is kept. */
    static Stream<InetAddress> lastingFirst(List<InetAddress> six, AddressFlags flags) {
        return six.stream().sorted(Comparator.comparingInt(flags::rank));
    }

    /** Returns the device of an interface: what stands before the colon of a label such as {@code eth0:0}. */
    public static String deviceOf(String interfaceName) {
        int colon = interfaceName.indexOf(':');
        return colon > 0 ? interfaceName.substring(0, colon) : interfaceName;
    }
}
