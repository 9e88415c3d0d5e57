package org.railyard.dlc.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.NiInfo;
import org.railyard.lnet.PeerInfo;
import org.railyard.lnet.RouteInfo;
import org.railyard.lnet.Settings;
import org.railyard.lnet.UdspRule;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * What a node is set up to be, and, if it runs, how it does.
 *
 * @param nis its NIs, without loopback
 * @param peerNids NIDs of others that are known
 * @param routes routes to other nets
 * @param rules selection rules, by index
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
    }

    /**
     * An NI.
     *
     * @param net its net
     * @param device its device; empty if it was given by an address that no device has
     * @param nid its NID, null if its device has no address
     * @param tunables the tunables of its net
     * @param lndTimeout the limit of its transport for a send, s; 0 to derive it
     */
    public record Ni(Net net, String device, @Nullable Nid nid, NetTunables tunables, int lndTimeout) {
        /** Returns its address, if it has one of IP. */
        Optional<InetAddress> address() {
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
     * @param silent primary NIDs of peers that were pinged without success, with the reason; empty if nobody was
     */
    public record Running(List<NiInfo> nis, List<PeerInfo> peers, List<RouteInfo> routes, Map<Nid, String> silent) {
        /** Copies the collections. */
        public Running {
            nis = List.copyOf(nis);
            peers = List.copyOf(peers);
            routes = List.copyOf(routes);
            silent = Map.copyOf(silent);
        }
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
