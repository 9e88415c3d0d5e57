package org.railyard.ibverbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import org.railyard.ibverbs.CardProblem.Kind;
import org.railyard.verbs.PortAttributes.LinkLayer;
import org.railyard.verbs.PortAttributes.State;

/**
 * Settings of the system that cards depend on.
 *
 * @param memoryLimit how much memory may be registered, bytes; empty without limit
 * @param firstFreePort the lowest port that programs without privileges may take
 * @param capabilities the effective capabilities of the process, as bits
 * @param hasPathDaemon whether ibacm runs
 * @param prefix length of the IP subnet of a local address, 0 if it is not known
 */
record SystemSettings(
        OptionalLong memoryLimit,
        int firstFreePort,
        long capabilities,
        boolean hasPathDaemon,
        IntUnaryOperator prefix) {
    /** The port of LNet over InfiniBand. */
    static final int SERVICE = 987;

    /** Where the system tells of its cards. */
    static final Path CARDS = Path.of("/sys/class/infiniband");

    private static final long NET_BIND_SERVICE = 1L << 10;
    private static final long IPC_LOCK = 1L << 14;
    private static final int USUAL_FIRST_FREE_PORT = 1024;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path FREE_PORTS = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    private static final String EFFECTIVE = "CapEff:";

    static SystemSettings read() {
        return new SystemSettings(
                MemoryLimit.read(),
                firstFreePort(text(FREE_PORTS)),
                capabilities(text(STATUS)),
                NativeCards.hasPathDaemon(),
                SystemSettings::prefixOf);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            // Without it, what is usual is taken.
            return "";
        }
    }

    /** Returns the NUMA node that a card is on; −1 if it is on none, or nothing is told of it. */
    static int numaNode(Path cards, String name) {
        try {
            return Integer.parseInt(text(cards.resolve(name).resolve("device").resolve("numa_node"))
                    .strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int firstFreePort(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return USUAL_FIRST_FREE_PORT;
        }
    }

    /** Reads the effective capabilities from the text of {@code /proc/self/status}; 0 if they are not there. */
    static long capabilities(String status) {
        return status.lines()
                .filter(line -> line.startsWith(EFFECTIVE))
                .map(line -> line.substring(EFFECTIVE.length()).strip())
                .filter(word -> word.matches("[0-9a-fA-F]{1,16}"))
                .mapToLong(word -> Long.parseUnsignedLong(word, 16))
                .findFirst()
                .orElse(0);
    }

    private static int prefixOf(int ip) {
        byte[] bytes = {(byte) (ip >>> 24), (byte) (ip >>> 16), (byte) (ip >>> 8), (byte) ip};
        try {
            NetworkInterface itf = NetworkInterface.getByInetAddress(InetAddress.getByAddress(bytes));
            if (itf != null) {
                for (InterfaceAddress each : itf.getInterfaceAddresses()) {
                    if (Arrays.equals(each.getAddress().getAddress(), bytes)) {
                        return each.getNetworkPrefixLength();
                    }
                }
            }
        } catch (SocketException | UnknownHostException e) {
            return 0;
        }
        return 0;
    }

    /** Returns what is wrong with the system or with ports, each with what to do. */
    List<CardProblem> problems(List<CardReport.Card> cards) {
        List<CardProblem> all = new ArrayList<>();
        if (memoryLimit.isPresent()
                && memoryLimit.getAsLong() < MemoryLimit.USUAL_NEED
                && (capabilities & IPC_LOCK) == 0) {
            String found = MemoryLimit.found(memoryLimit.getAsLong(), MemoryLimit.USUAL_NEED);
            all.add(new CardProblem(Kind.MEMORY, "", found, MemoryLimit.REMEDY));
        }
        if (firstFreePort > SERVICE && (capabilities & NET_BIND_SERVICE) == 0) {
            all.add(new CardProblem(
                    Kind.SERVICE_PORT,
                    "",
                    "port " + SERVICE + ", as every one below " + firstFreePort + ", needs CAP_NET_BIND_SERVICE",
                    "or 'sysctl net.ipv4.ip_unprivileged_port_start=" + SERVICE + "'"));
        }
        if (hasPathDaemon) {
            all.add(new CardProblem(
                    Kind.PATH_DAEMON,
                    "",
                    "ibacm runs: paths come from it, and types of service have no effect",
                    "'systemctl stop ibacm'"));
        }
        Map<Long, List<String>> subnets = new LinkedHashMap<>();
        for (CardReport.Card card : cards) {
            for (CardReport.Port port : card.ports()) {
                check(card.name() + "/" + port.number(), port, all);
                port.interfaces().stream()
                        .limit(1)
                        .forEach(itf -> subnets.computeIfAbsent(subnet(itf.ip()), _ -> new ArrayList<>())
                                .add(itf.name()));
            }
        }
        subnets.values().stream().filter(each -> each.size() > 1).forEach(each -> all.add(sharedSubnet(each)));
        return all;
    }

    private static void check(String name, CardReport.Port port, List<CardProblem> all) {
        boolean ethernet = port.attributes().layer() == LinkLayer.ETHERNET;
        State state = port.attributes().state();
        if (state == State.INIT || state == State.ARMED) {
            all.add(new CardProblem(
                    Kind.PORT_WAITS,
                    name,
                    "is " + state + ": the link is up, but no subnet manager has made it active",
                    "start opensm, or look at the one that runs"));
        } else if (state == State.DOWN) {
            all.add(new CardProblem(
                    Kind.PORT_DOWN, name, "is DOWN", "look at cable, transceiver and the port of the switch"));
        } else if (port.interfaces().isEmpty()) {
            all.add(new CardProblem(
                    Kind.NO_ADDRESS,
                    name,
                    "has no IP address",
                    ethernet ? "configure one on its Ethernet interface" : "configure IPoIB (ib0): modprobe ib_ipoib"));
        }
    }

    private long subnet(int ip) {
        int length = prefix.applyAsInt(ip);
        // An address whose subnet is not known shares it with nobody.
        return length == 0 ? ip & 0xFFFF_FFFFL : (long) length << 32 | (ip & -1L << 32 - length & 0xFFFF_FFFFL);
    }

    private static CardProblem sharedSubnet(List<String> interfaces) {
        return new CardProblem(
                Kind.ONE_SUBNET,
                String.join(", ", interfaces),
                "are in one subnet",
                "give each its own, or set arp_ignore=1, arp_announce=2 and rp_filter=2 of net.ipv4.conf for each of"
                        + " them, so that each answers for its own address only",
                interfaces);
    }
}
