package org.railyard.socklnd.link;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/** The machine's network devices: finds the one an NI is to be bound to. */
public final class InterfaceTable {
    private static final int LOOPBACK_NET = 127;

    private final Path classNet;

    /** Reads the interfaces in a folder such as {@code /sys/class/net}. */
    public InterfaceTable(Path classNet) {
        this.classNet = classNet;
    }

    /**
     * Finds device and address for a request: by NID, by interface name, or the first usable one.
     *
     * @throws ErrnoException ENETDOWN if there is none
     */
    public NiBinding resolve(NiRequest request) {
        String name = request.interfaceName();
        Nid nid = request.nid();
        if (nid != null) {
            return holding(nid, name);
        }
        if (name != null) {
            NetworkInterface device = named(name);
            requireUp(device);
            InetAddress address = InterfaceAddresses.of(device)
                    .findFirst()
                    .orElseThrow(() -> new ErrnoException(
                            Errno.ENETDOWN,
                            "network interface " + device.getName()
                                    + " has no usable address (link-local ones do not count)"));
            return binding(request, device, address);
        }
        return all().stream()
                .filter(InterfaceTable::isUsable)
                .findFirst()
                .map(found -> binding(
                        request, found, InterfaceAddresses.of(found).findFirst().orElseThrow()))
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENETDOWN,
                        "no network interface that is up and has a usable address, apart from loopback"));
    }

    /** Binds to the interface that has the address of a NID: by its label if it has one. */
    private NiBinding holding(Nid nid, @Nullable String wanted) {
        InetAddress address = addressOf(nid);
        NetworkInterface holder = holderOf(address);
        if (holder == null) {
            throw new ErrnoException(Errno.ENETDOWN, "no network interface has the address of NID " + nid);
        }
        String label = holder.subInterfaces()
                .filter(each -> each.inetAddresses().anyMatch(address::equals))
                .map(NetworkInterface::getName)
                .findFirst()
                .orElse(holder.getName());
        if (wanted != null) {
            String found = named(wanted).getName();
            if (!found.equals(label) && !found.equals(holder.getName())) {
                throw new ErrnoException(
                        Errno.ENETDOWN, "the address of NID " + nid + " is on " + label + ", not on " + found);
            }
        }
        return new NiBinding(nid, label, numaNode(label));
    }

    private NiBinding binding(NiRequest request, NetworkInterface device, InetAddress address) {
        return new NiBinding(Nid.of(request.net(), address.getAddress()), device.getName(), numaNode(device.getName()));
    }

    /** Returns the NUMA node of a device as Linux shows it; −1 for one that is not real, or on another system. */
    private int numaNode(String interfaceName) {
        try {
            Path node = classNet.resolve(InterfaceAddresses.deviceOf(interfaceName))
                    .resolve("device")
                    .resolve("numa_node");
            return Integer.parseInt(Files.readString(node).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /**
     * Returns the address that a NID is made of.
     *
     * @throws ErrnoException EINVAL if it has neither 4 nor 16 bytes
     */
    public static InetAddress addressOf(Nid nid) {
        try {
            return InetAddress.getByAddress(nid.address());
        } catch (IOException e) {
            throw new ErrnoException(Errno.EINVAL, "NID " + nid + " has no IP address", e);
        }
    }

    /**
     * Returns an address to dial from: the NI's own if it is of the destination's family, else another one of the same
     * device.
     *
     * @throws ErrnoException ENETUNREACH if the device has none: no way leads there, and nothing is wrong with the NI
     */
    public static InetAddress sourceFor(InetAddress own, String interfaceName, InetAddress destination) {
        if (own.getClass() == destination.getClass()) {
            return own;
        }
        return sourceAmong(
                InterfaceAddresses.of(named(InterfaceAddresses.deviceOf(interfaceName))), interfaceName, destination);
    }

    static InetAddress sourceAmong(Stream<InetAddress> addresses, String interfaceName, InetAddress destination) {
        return addresses
                .filter(address -> address.getClass() == destination.getClass())
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENETUNREACH,
                        "network interface " + interfaceName + " has no address of the family of "
                                + destination.getHostAddress()));
    }

    private static NetworkInterface named(String name) {
        try {
            NetworkInterface device = NetworkInterface.getByName(name);
            if (device == null) {
                throw new ErrnoException(Errno.ENETDOWN, "no network interface '" + name + "' that has an IP address");
            }
            return device;
        } catch (SocketException e) {
            throw new ErrnoException(Errno.ENETDOWN, "network interface '" + name + "' can not be read", e);
        }
    }

    private static @Nullable NetworkInterface holderOf(InetAddress address) {
        try {
            // Any address of 127.0.0.0/8 works on the loopback device without being listed there.
            return address instanceof Inet4Address && address.getAddress()[0] == LOOPBACK_NET
                    ? NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"))
                    : NetworkInterface.getByInetAddress(address);
        } catch (SocketException e) {
            throw new ErrnoException(Errno.ENETDOWN, "network interfaces can not be read", e);
        }
    }

    private static List<NetworkInterface> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .toList();
        } catch (SocketException e) {
            throw new ErrnoException(Errno.ENETDOWN, "network interfaces can not be read", e);
        }
    }

    private static boolean isUsable(NetworkInterface device) {
        try {
            return device.isUp()
                    && !device.isLoopback()
                    && InterfaceAddresses.of(device).findAny().isPresent();
        } catch (SocketException e) {
            // It went away while we looked.
            return false;
        }
    }

    private static void requireUp(NetworkInterface device) {
        try {
            if (!device.isUp()) {
                throw new ErrnoException(Errno.ENETDOWN, "network interface " + device.getName() + " is down");
            }
        } catch (SocketException e) {
            throw new ErrnoException(Errno.ENETDOWN, "network interface " + device.getName() + " can not be read", e);
        }
    }

    /** Returns the number of bulk connections per direction that fits the speed of a device (spec 02 §4). */
    public int connectionsFor(String interfaceName) {
        return connectionsFor(speedMegabits(interfaceName).orElse(0));
    }

    /** Returns the number of bulk connections per direction for a link speed, Mb/s; 0 or less means unknown. */
    public static int connectionsFor(int megabits) {
        int gigabits = Math.max(megabits / 1000, 1);
        int log2 = 31 - Integer.numberOfLeadingZeros(gigabits);
        return log2 / 2 + 1;
    }

    private Optional<Integer> speedMegabits(String interfaceName) {
        try {
            return Optional.of(
                    Integer.parseInt(Files.readString(classNet.resolve(InterfaceAddresses.deviceOf(interfaceName))
                                    .resolve("speed"))
                            .trim()));
        } catch (IOException | NumberFormatException e) {
            // Virtual devices and those without a link can not tell.
            return Optional.empty();
        }
    }
}
