package org.railyard.control.node;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.config.BondSpec;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.config.PeerSpec;
import org.railyard.config.RuleSpec;
import org.railyard.config.ni.Device;
import org.railyard.config.ni.NiGroups;
import org.railyard.doctor.HostFacts;
import org.railyard.doctor.HostFacts.Address;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.doctor.Setup;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/** What a node would be that is started with a configuration on a machine. */
public final class SetupOfFile {
    private static final String TIMEOUT = "timeout";

    private final Configuration wanted;
    private final List<Link> links;
    private final int lndTimeout;

    private SetupOfFile(Configuration wanted, List<Link> links, int lndTimeout) {
        this.wanted = wanted;
        this.links = links;
        this.lndTimeout = lndTimeout;
    }

    /**
     * Returns it.
     *
     * @param wanted the configuration
     * @param start how it would be started
     * @param facts the machine
     * @param lndTimeout the limit of a transport for a send where the file names none, s
     */
    public static Setup of(Configuration wanted, Setup.Start start, HostFacts facts, int lndTimeout) {
        return new SetupOfFile(wanted, facts.links(), lndTimeout).setup(start);
    }

    private Setup setup(Setup.Start start) {
        List<Setup.Way> routes = new ArrayList<>();
        wanted.rest()
                .routes()
                .forEach(route -> route.gateways().forEach(gateway -> routes.add(new Setup.Way(route.net(), gateway))));
        Set<Nid> peers = new LinkedHashSet<>();
        for (PeerSpec peer : wanted.peers()) {
            peers.add(peer.primary());
            peers.addAll(peer.nids());
        }
        List<Device> devices = links.stream()
                .map(link -> new Device(
                        link.name(),
                        link.up(),
                        link.loopback(),
                        link.addresses().stream().map(Address::ip).toList()))
                .toList();
        return new Setup(
                AddressRules.nis(wanted, devices).stream()
                        .flatMap(spec -> nis(spec).stream())
                        .toList(),
                List.copyOf(peers),
                routes,
                wanted.rules().stream().map(RuleSpec::rule).toList(),
                wanted.rest().bonds().stream().map(BondSpec::bond).toList(),
                wanted.settingsAtStart(),
                Boolean.TRUE.equals(wanted.rest().forwarding()),
                start,
                null);
    }

    private List<Setup.Ni> nis(NiSpec spec) {
        String name = spec.request().interfaceName();
        return name != null && NiGroups.isGroup(name, spec.request().lndTunables())
                ? ni(spec).members(links)
                : List.of(ni(spec));
    }

    private Setup.Ni ni(NiSpec spec) {
        NiRequest request = spec.request();
        String name = request.interfaceName();
        Nid nid = request.nid() == null && name != null
                ? nidOf(request, InterfaceNames.split(name).getFirst())
                : request.nid();
        int timeout = request.lndTunables().getOrDefault(TIMEOUT, -1);
        return new Setup.Ni(
                request.net(),
                name != null ? name : nid == null ? "" : deviceOf(nid),
                nid,
                request.tunables(),
                timeout < 0 ? lndTimeout : timeout);
    }

    private @Nullable Nid nidOf(NiRequest request, String device) {
        return links.stream()
                .filter(link -> link.name().equals(device))
                .flatMap(link -> link.addresses().stream())
                .findFirst()
                .map(address -> Nid.of(request.net(), address.ip().getAddress()))
                .orElse(null);
    }

    private String deviceOf(Nid nid) {
        Optional<InetAddress> ip = Setup.addressOf(nid);
        return links.stream()
                .filter(link -> ip.isPresent() && link.has(ip.get()))
                .findFirst()
                .map(Link::name)
                .orElse("");
    }
}
