package org.railyard.doctor;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A machine on paper: two rails in one subnet, set up as they should be. */
final class FakeFacts implements HostFacts {
    final List<Link> links = new ArrayList<>();
    final Map<String, Integer> settings = new LinkedHashMap<>();
    final Map<String, String> ways = new LinkedHashMap<>();
    final Map<Integer, Port> ports = new LinkedHashMap<>();
    final List<String> tried = new ArrayList<>();
    boolean ipIsInstalled = true;
    /** Largest packet that gets to another machine, and what becomes of larger ones. */
    int largest = 65_536;

    Passage tooLong = Passage.LOST;
    String holder = "";
    /** Machines that are looked for, by address. */
    final Map<String, Contact> contacts = new LinkedHashMap<>();

    /** Other machines that have an address of this one, by address. */
    final Map<String, Holder> holders = new LinkedHashMap<>();

    Descriptors descriptors = new Descriptors(65_536, 80, 16_640);

    final List<CardFault> cards = new ArrayList<>();

    FakeFacts() {
        links.add(new Link("lo", true, true, true, 65_536, List.of(address("127.0.0.1", 8))));
        link(new Link("eth0", true, true, false, 1500, List.of(address("10.0.0.1", 24))));
        link(new Link("eth1", true, true, false, 1500, List.of(address("10.0.0.2", 24))));
        way("10.0.0.1", "eth0");
        way("10.0.0.2", "eth1");
        settings.put("net/ipv4/conf/all/rp_filter", 0);
        settings.put("net/ipv4/conf/all/arp_ignore", 0);
        settings.put("net/ipv4/conf/all/arp_announce", 0);
        settings.put("net/ipv4/conf/all/arp_filter", 0);
        for (String device : List.of("eth0", "eth1")) {
            set(device, "rp_filter", 1);
            set(device, "arp_ignore", 1);
            set(device, "arp_announce", 2);
            set(device, "arp_filter", 0);
        }
    }

    @Override
    public Descriptors descriptors() {
        return descriptors;
    }

    @Override
    public List<CardFault> cards() {
        return List.copyOf(cards);
    }

    static Address address(String ip, int prefix) {
        return new Address(InetAddress.ofLiteral(ip), prefix);
    }

    /** Adds a device, or puts it in the place of the one with its name. */
    void link(Link link) {
        links.removeIf(each -> each.name().equals(link.name()));
        links.add(link);
    }

    void set(String device, String name, int value) {
        settings.put("net/ipv4/conf/" + device + "/" + name, value);
    }

    /** Packets from an address leave by a device, wherever they go. */
    void way(String from, String device) {
        ways.put(from, device);
    }

    @Override
    public List<Link> links() {
        return List.copyOf(links);
    }

    @Override
    public OptionalInt setting(String path) {
        Integer value = settings.get(path);
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    @Override
    public Way way(InetAddress from, InetAddress to) {
        if (!ipIsInstalled) {
            return new Way(Way.Kind.UNKNOWN, "the program ip is not installed (package iproute2)");
        }
        String device =
                ways.getOrDefault(from.getHostAddress() + " " + to.getHostAddress(), ways.get(from.getHostAddress()));
        return device == null
                ? new Way(Way.Kind.NONE, "RTNETLINK answers: Network is unreachable")
                : new Way(Way.Kind.DEVICE, device);
    }

    @Override
    public List<Passage> passages(List<Path> paths) {
        return paths.stream()
                .map(path -> {
                    tried.add(path.from().getHostAddress() + " " + path.to().getHostAddress() + " " + path.bytes());
                    return path.bytes() <= largest ? Passage.FITS : tooLong;
                })
                .toList();
    }

    @Override
    public List<Contact> contacts(List<Call> calls) {
        return calls.stream()
                .map(call ->
                        contacts.getOrDefault(call.to().getHostAddress(), new Contact(Presence.UNKNOWN, Dial.UNKNOWN)))
                .toList();
    }

    @Override
    public Holder otherHolder(String device, InetAddress ip) {
        return holders.getOrDefault(ip.getHostAddress(), new Holder(Way.Kind.NONE, ""));
    }

    @Override
    public Port port(InetAddress at, int port) {
        return ports.getOrDefault(port, Port.FREE);
    }

    @Override
    public String holder(int port) {
        return holder;
    }
}
