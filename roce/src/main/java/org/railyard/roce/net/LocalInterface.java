package org.railyard.roce.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.roce.wire.Frame;
import org.railyard.verbs.CmAddress;

/**
 * An IPv4 address of this machine.
 *
 * @param name of the interface; with the address behind it if another address of the interface is used as well
 * @param systemName what the operating system calls the interface
 * @param ip first octet in the highest bits
 * @param prefix how many bits of it are those of the network, 0…32
 * @param mtu largest IP packet, bytes
 */
public record LocalInterface(String name, String systemName, int ip, int prefix, int mtu) {
    private static final int IP_AND_UDP_BYTES = 28;
    private static final int SMALLEST_PATH_MTU = 256;
    private static final int LOOPBACK_PREFIX = 8;
    private static final int LOOPBACK_NET = 127;

    /**
     * Finds interfaces by name or address.
     *
     * @param wanted names such as {@code eth0}, of which the primary IPv4 address counts, or IPv4 addresses
     * @throws ErrnoException ENODEV if there is no such interface, EADDRNOTAVAIL if it has no such address, EINVAL if
     *     its packets are too small
     */
    public static List<LocalInterface> find(List<String> wanted) {
        List<LocalInterface> found = new ArrayList<>();
        for (String each : wanted) {
            LocalInterface one = find(each);
            boolean again = found.stream().anyMatch(other -> other.systemName.equals(one.systemName));
            found.add(again ? one.withName(one.systemName + ":" + text(one.ip)) : one);
        }
        return List.copyOf(found);
    }

    private LocalInterface withName(String other) {
        return new LocalInterface(other, systemName, ip, prefix, mtu);
    }

    /** Returns it with another MTU, bytes. */
    public LocalInterface withMtu(int other) {
        return new LocalInterface(name, systemName, ip, prefix, other);
    }

    private static LocalInterface find(String wanted) {
        try {
            NetworkInterface named = NetworkInterface.getByName(wanted);
            if (named != null) {
                InterfaceAddress first = addresses(named).stream()
                        .findFirst()
                        .orElseThrow(() -> new ErrnoException(
                                Errno.EADDRNOTAVAIL, "interface " + wanted + " has no IPv4 address"));
                return of(named, number(first.getAddress()), first.getNetworkPrefixLength());
            }
            int ip = parse(wanted)
                    .orElseThrow(() -> new ErrnoException(
                            Errno.ENODEV,
                            "no interface is called " + wanted + "; expected a name such as eth0, or an IPv4 address"));
            return withAddress(ip);
        } catch (SocketException e) {
            throw new ErrnoException(Errno.EIO, "interface " + wanted + ": " + e.getMessage());
        }
    }

    private static LocalInterface withAddress(int ip) throws SocketException {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress address : addresses(each)) {
                if (number(address.getAddress()) == ip) {
                    return of(each, ip, address.getNetworkPrefixLength());
                }
            }
            // The whole of 127.0.0.0/8 belongs to lo, whatever is listed.
            if (each.isLoopback() && ip >>> 24 == LOOPBACK_NET) {
                return of(each, ip, LOOPBACK_PREFIX);
            }
        }
        throw new ErrnoException(Errno.EADDRNOTAVAIL, "no interface has the address " + text(ip));
    }

    /** Returns the IPv4 addresses of an interface, the primary one first; those with a label of their own last. */
    private static List<InterfaceAddress> addresses(NetworkInterface of) {
        Set<InetAddress> labelled =
                of.subInterfaces().flatMap(NetworkInterface::inetAddresses).collect(Collectors.toSet());
        // The kernel lists the primary address first, and the JDK turns its list around.
        return of.getInterfaceAddresses().reversed().stream()
                .filter(each -> each.getAddress() instanceof Inet4Address)
                .sorted(Comparator.comparing(each -> labelled.contains(each.getAddress())))
                .toList();
    }

    private static LocalInterface of(NetworkInterface which, int ip, int prefix) throws SocketException {
        LocalInterface found = new LocalInterface(which.getName(), which.getName(), ip, prefix, which.getMTU());
        if (found.pathMtu() < SMALLEST_PATH_MTU) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "interface " + which.getName() + " takes IP packets of " + found.mtu + " bytes, at least "
                            + (SMALLEST_PATH_MTU + IP_AND_UDP_BYTES + Frame.MAX_OVERHEAD) + " are needed");
        }
        return found;
    }

    private static Optional<Integer> parse(String text) {
        try {
            return Optional.of(number(InetAddress.ofLiteral(text))).filter(_ -> !text.contains(":"));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static int number(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    /** Returns an address as text. */
    public static String text(int ip) {
        String withPort = new CmAddress(ip, 0).toString();
        return withPort.substring(0, withPort.indexOf(':'));
    }

    /** Returns an address as Java sees it. */
    public static InetAddress address(int ip) {
        try {
            return InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(ip).array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** Returns the largest payload of a packet that fits into its IP packets: 256 … 4096; 0 if none fits. */
    public int pathMtu() {
        int room = mtu - IP_AND_UDP_BYTES - Frame.MAX_OVERHEAD;
        return room < SMALLEST_PATH_MTU ? 0 : Math.min(Frame.MAX_PAYLOAD, Integer.highestOneBit(room));
    }

    /** Tells whether an address is in its network. */
    public boolean reaches(int other) {
        return prefix == 0 || (ip ^ other) >>> Integer.SIZE - prefix == 0;
    }
}
