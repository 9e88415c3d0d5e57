package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * The LND of the simulated network, for one node and one type of nets. NIs of type tcp complete small messages when the
 * connection has taken them, as a socket does; all others complete when the receiving LND has acknowledged. Belongs to
 * the thread of its run.
 */
public final class SimLnd implements Lnd {
    /** LND tunables that configurations of real nodes have; here they are accepted and have no effect. */
    private static final Set<String> KNOWN_TUNABLES = Set.of(
            "conns_per_peer",
            "timeout",
            "tos",
            "peercredits_hiw",
            "map_on_demand",
            "concurrent_sends",
            "fmr_pool_size",
            "fmr_flush_trigger",
            "fmr_cache",
            "ntx");

    private final SimNetwork network;
    private final SimMachine machine;
    private final NetType type;
    private final LndUpcalls stack;
    private final List<SimEndpoint> endpoints = new ArrayList<>();

    private SimLnd(SimNetwork network, SimMachine machine, NetType type, LndUpcalls stack) {
        this.network = network;
        this.machine = machine;
        this.type = type;
        this.stack = stack;
    }

    /** Returns what makes the transports of a machine for a type of nets. */
    public static LndProvider provider(SimNetwork network, SimMachine machine, NetType type) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return type;
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                return new SimLnd(network, machine, type, stack);
            }
        };
    }

    @Override
    public NetType type() {
        return type;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        for (String tunable : request.lndTunables().keySet()) {
            if (!KNOWN_TUNABLES.contains(tunable)) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "found the LND tunable " + tunable + ", expected one of "
                                + String.join(", ", new TreeSet<>(KNOWN_TUNABLES)));
            }
        }
        for (SimDevice device : machine.devices()) {
            Nid nid = Nid.of(request.net(), device.address());
            boolean wanted = request.interfaceName() != null
                    ? device.name().equals(request.interfaceName())
                    : request.nid() == null || nid.equals(request.nid());
            if (wanted) {
                return new NiBinding(nid, device.name(), -1);
            }
        }
        throw new ErrnoException(
                Errno.ENETDOWN,
                machine.name() + " has no device "
                        + (request.interfaceName() == null ? request.nid() : request.interfaceName()) + "; it has "
                        + machine.devices());
    }

    @Override
    public void startup(LndNi ni) {
        if (find(ni) != null) {
            throw new ErrnoException(Errno.EEXIST, "NI " + ni.nid() + " is started already");
        }
        SimDevice device = machine.device(ni.interfaceName());
        if (device == null) {
            throw new ErrnoException(Errno.ENETDOWN, machine.name() + " has no device " + ni.interfaceName());
        }
        if (device.endpoint(ni.nid()) != null) {
            throw new ErrnoException(Errno.EEXIST, "NI " + ni.nid() + " is started already on " + device);
        }
        endpoints.add(new SimEndpoint(network, device, ni, stack));
    }

    @Override
    public void shutdown(LndNi ni) {
        SimEndpoint endpoint = find(ni);
        if (endpoint != null) {
            endpoint.shutdown();
            endpoints.remove(endpoint);
        }
    }

    private @Nullable SimEndpoint find(LndNi ni) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.get(i).ni == ni) {
                return endpoints.get(i);
            }
        }
        return null;
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        SimEndpoint endpoint = find(ni);
        return endpoint == null ? Errno.ESHUTDOWN.status() : endpoint.send(message);
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {
        List.copyOf(endpoints).forEach(SimEndpoint::shutdown);
        endpoints.clear();
    }
}
