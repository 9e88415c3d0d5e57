package org.railyard.doctor;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * What a node is set up to be, and, if it runs, how it does.
 *
 * @param nis its NIs, without loopback
 * @param peerNids NIDs of others that are known
 * @param routes routes to other nets
 * @param rules selection rules, by index
 * @param bonds LNet's bonds, in order
 * @param settings node-wide settings
 * @param forwards whether it forwards messages of others
 * @param start how it is going to be started; null if it runs
 * @param running how it does; null if it does not run
 */
public record Setup(
        List<Ni> nis,
        List<Nid> peerNids,
        List<Way> routes,
        List<UdspRule> rules,
        List<Bond> bonds,
        Settings settings,
        boolean forwards,
        @Nullable Start start,
        @Nullable Running running) {
    /** Copies the lists. */
    public Setup {
        nis = List.copyOf(nis);
        peerNids = List.copyOf(peerNids);
        routes = List.copyOf(routes);
        rules = List.copyOf(rules);
        bonds = List.copyOf(bonds);
    }

    /**
     * An NI.
     *
     * @param net its net
     * @param device its device; empty if it was given by an address that no device has
     * @param nid its NID, null if its device has no address
     * @param tunables the tunables of its net
     * @param lndTimeout the limit of its transport for a send, s; 0 to derive it
     * @param further whether it is an interface of a group beside the one that stands for its NID, which peers know;
     *     then its own is only what its address makes of it
     * @param elsewhere the address of the device of a group whose NID has that of none of its interfaces; null if the
     *     NID has the address
     */
    public record Ni(
            Net net,
            String device,
            @Nullable Nid nid,
            NetTunables tunables,
            int lndTimeout,
            boolean further,
            @Nullable InetAddress elsewhere) {
        /** Takes the device of a label such as {@code eth0:0}: it has the label's address, too. */
        public Ni {
            int colon = device.indexOf(':');
            device = colon > 0 ? device.substring(0, colon) : device;
        }

        /** Makes one with a NID that peers know. */
        public Ni(Net net, String device, @Nullable Nid nid, NetTunables tunables, int lndTimeout) {
            this(net, device, nid, tunables, lndTimeout, false, null);
        }

        /**
         * Returns a group as one NI for each of its interfaces, each with an address of its own. The one with the
         * address of its NID has that; the first if there is none.
         *
         * @param links devices of the machine
         */
        public List<Ni> members(List<HostFacts.Link> links) {
            List<String> names = InterfaceNames.split(device);
            Optional<InetAddress> ip = nid == null ? Optional.empty() : addressOf(nid);
            Optional<String> at = names.stream()
                    .filter(name -> links.stream()
                            .anyMatch(link -> link.name().equals(name) && ip.isPresent() && link.has(ip.get())))
                    .findFirst();
            String chief = at.orElse(names.getFirst());
            List<Ni> members = new ArrayList<>();
            for (String name : names) {
                InetAddress own = ipOf(name, links);
                if (name.equals(chief)) {
                    members.add(new Ni(net, name, nid, tunables, lndTimeout, false, at.isPresent() ? null : own));
                } else {
                    Nid further = own == null ? null : Nid.of(net, own.getAddress());
                    members.add(new Ni(net, name, further, tunables, lndTimeout, true, null));
                }
            }
            return members;
        }

        private static @Nullable InetAddress ipOf(String device, List<HostFacts.Link> links) {
            return links.stream()
                    .filter(link -> link.name().equals(device))
                    .flatMap(link -> link.addresses().stream())
                    .map(HostFacts.Address::ip)
                    .filter(address -> address instanceof Inet4Address)
                    .findFirst()
                    .orElse(null);
        }

        /** Returns its address, if it has one of IP. */
        Optional<InetAddress> address() {
            if (elsewhere != null) {
                return Optional.of(elsewhere);
            }
            return nid == null ? Optional.empty() : addressOf(nid);
        }

        /** Tells whether it has a NID. */
        boolean has(Nid other) {
            return nid != null && nid.equals(other);
        }

        /** Returns what it is called in findings. */
        String subject() {
            return device.isEmpty() ? String.valueOf(nid) : nid == null ? device : device + " (" + nid + ")";
        }
    }

    /**
     * A route.
     *
     * @param net where it leads to
     * @param gateway through whom
     */
    public record Way(Net net, Nid gateway) {}

    /**
     * How a node is going to be started.
     *
     * @param port TCP port that it will listen at; 0 if a node of this machine has it already
     * @param anySourcePort whether it dials from any local port
     */
    public record Start(int port, boolean anySourcePort) {}

    /**
     * How a node does.
     *
     * @param nis its NIs
     * @param peers its peers
     * @param routes its routes
     * @param routing whether it forwards messages of others
     * @param port TCP port that its transport listens at and dials
     * @param probes what came of asking its peers
     * @param agreed what connections over InfiniBand have agreed on
     * @param connections the connections over TCP
     */
    public record Running(
            List<NiInfo> nis,
            List<PeerInfo> peers,
            List<RouteInfo> routes,
            RoutingState routing,
            int port,
            Probes probes,
            List<Agreed> agreed,
            List<Connected> connections) {
        /** Copies the collections. */
        public Running {
            connections = List.copyOf(connections);
            agreed = List.copyOf(agreed);
            nis = List.copyOf(nis);
            peers = List.copyOf(peers);
            routes = List.copyOf(routes);
        }
    }

    /**
     * What came of pinging the peers of a node.
     *
     * @param asked whether they were
     * @param silent primary NIDs of peers that do not answer at all, with the reason
     * @param rails ways to peers that answer on others
     * @param reports the NIDs that peers said they have
     */
    public record Probes(boolean asked, Map<Nid, String> silent, List<Rail> rails, List<Reported> reports) {
        /** Nobody was asked. */
        public static final Probes NONE = new Probes(false, Map.of(), List.of(), List.of());

        /** Copies the collections. */
        public Probes {
            silent = Map.copyOf(silent);
            rails = List.copyOf(rails);
            reports = List.copyOf(reports);
        }
    }

    /**
     * The NIDs that a peer said it has.
     *
     * @param peer its primary NID as this node knows it
     * @param asked the NID that was asked
     * @param nids in its order, at least one; the first tells nodes apart
     */
    public record Reported(Nid peer, Nid asked, List<Nid> nids) {
        /** Copies the list. */
        public Reported {
            nids = List.copyOf(nids);
        }
    }

    /**
     * What a connection over InfiniBand has agreed on.
     *
     * @param peer NID of the peer
     * @param asked queue depth that this node asks for
     * @param depth the one that was agreed on
     */
    public record Agreed(Nid peer, int asked, int depth) {}

    /**
     * What there is between an NI and a peer NI.
     *
     * @param ni NID of the NI
     * @param with the connections
     */
    public record Connected(Nid ni, PeerConnections with) {}

    /**
     * A way on which a peer does not answer.
     *
     * @param peer its primary NID
     * @param from NID of the NI that it was asked from
     * @param to NID that it was asked at
     * @param why what came of it
     */
    public record Rail(Nid peer, Nid from, Nid to, String why) {}

    /**
     * Returns the address of this node that a NID on TCP over IPv4 is reached from; empty for others, and for its own.
     */
    Optional<HostFacts.Call> callTo(Nid to, int port) {
        if (to.net().typeNumber() != NetType.TCP.number() || nis.stream().anyMatch(ni -> ni.has(to))) {
            return Optional.empty();
        }
        return addressOf(to)
                .filter(address -> address instanceof Inet4Address)
                .flatMap(address -> nis.stream()
                        .filter(ni -> ni.net().equals(to.net()))
                        .flatMap(ni -> ni.address().stream())
                        .filter(own -> own instanceof Inet4Address)
                        .findFirst()
                        .map(own -> new HostFacts.Call(own, address, port)));
    }

    /** Tells whether the node is on a net. */
    boolean isOn(Net net) {
        return nis.stream().anyMatch(ni -> ni.net().equals(net));
    }

    /** Returns the address in a NID, if it is one of IP. */
    public static Optional<InetAddress> addressOf(Nid nid) {
        try {
            return Optional.of(InetAddress.getByAddress(nid.address()));
        } catch (UnknownHostException e) {
            // Neither 4 nor 16 bytes: another kind of address.
            return Optional.empty();
        }
    }
}
