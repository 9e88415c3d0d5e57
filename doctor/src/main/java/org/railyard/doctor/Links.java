package org.railyard.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.railyard.doctor.HostFacts.Address;
import org.railyard.doctor.HostFacts.Link;

/** Devices and subnets by address. */
final class Links {
    private static final int BITS = 8;

    private final List<Link> links;

    Links(HostFacts facts) {
        this.links = facts.links();
    }

    Optional<Link> named(String device) {
        return links.stream().filter(link -> link.name().equals(device)).findFirst();
    }

    /** Returns the device that has an address. */
    Optional<Link> holder(InetAddress ip) {
        return links.stream().filter(link -> link.has(ip)).findFirst();
    }

    /** Returns an address of a device with its subnet. */
    static Optional<Address> address(Link link, InetAddress ip) {
        return link.addresses().stream()
                .filter(address -> address.ip().equals(ip))
                .findFirst();
    }

    Stream<InetAddress> addresses() {
        return links.stream().flatMap(link -> link.addresses().stream()).map(Address::ip);
    }

    /** Returns the names of devices that an NI can be on: up, with an address, and not loopback. */
    List<String> usable() {
        return links.stream()
                .filter(link ->
                        link.up() && !link.loopback() && !link.addresses().isEmpty())
                .map(Link::name)
                .toList();
    }

    /** Returns the names of devices, without those that only lead back. */
    String names() {
        return String.join(
                ", ",
                links.stream().filter(link -> !link.loopback()).map(Link::name).toList());
    }

    /** Tells whether an address is in the subnet of another. */
    static boolean isIn(Address subnet, InetAddress ip) {
        byte[] one = masked(subnet.ip().getAddress(), subnet.prefix());
        byte[] other = ip.getAddress();
        return one.length == other.length && Arrays.equals(one, masked(other, subnet.prefix()));
    }

    /** Returns the subnet of an address as text: {@code 10.0.0.0/24}. */
    static String subnet(Address address) {
        return parse(masked(address.ip().getAddress(), address.prefix())).getHostAddress() + "/" + address.prefix();
    }

    private static byte[] masked(byte[] address, int prefix) {
        byte[] masked = address.clone();
        for (int i = 0; i < masked.length; i++) {
            int bits = Math.clamp(prefix - (long) i * BITS, 0, BITS);
            masked[i] &= (byte) (0xff << (BITS - bits));
        }
        return masked;
    }

    /** Returns an address of a subnet that a neighbour may have: the first that is not one of this machine. */
    Optional<InetAddress> neighbour(Address subnet) {
        byte[] base = masked(subnet.ip().getAddress(), subnet.prefix());
        int free = base.length * BITS - subnet.prefix();
        // The first is the subnet itself, the last of IPv4 is for all: but not where there are two only (RFC 3021).
        int reserved = free > 1 ? 1 : 0;
        int last = free > BITS ? 0xff : (1 << free) - 1;
        List<InetAddress> own = addresses().toList();
        for (int i = reserved; i <= last - reserved; i++) {
            byte[] next = base.clone();
            next[next.length - 1] |= (byte) i;
            InetAddress ip = parse(next);
            if (!own.contains(ip)) {
                return Optional.of(ip);
            }
        }
        return Optional.empty();
    }

    private static InetAddress parse(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address.length + " bytes of an address", e);
        }
    }
}
