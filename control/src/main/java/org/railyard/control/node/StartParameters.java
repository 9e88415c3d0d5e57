package org.railyard.control.node;

import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.VirtualDevices;
import org.railyard.config.ni.Device;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.Ip2Nets;
import org.railyard.config.parameter.NetSpecs;
import org.railyard.config.parameter.RouteSpecs;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;

/**
 * What {@code lnet configure --all} does: the module parameters {@code networks}, {@code ip2nets} and {@code routes}
 * (spec 12 §2.1, §7).
 */
final class StartParameters {
    private final Map<String, String> parameters;
    private final List<Device> devices;

    StartParameters(Map<String, String> parameters, List<Device> devices) {
        this.parameters = parameters;
        this.devices = devices;
    }

    /**
     * Adds what they say.
     *
     * @throws ErrnoException EINVAL if they can not be read or exclude each other; what the node says
     */
    void apply(Edits edits) {
        String networks = parameters.getOrDefault("networks", "");
        String ip2nets = parameters.getOrDefault("ip2nets", "");
        if (!networks.isBlank() && !ip2nets.isBlank()) {
            throw new ErrnoException(Errno.EINVAL, "both networks and ip2nets are set; expected one of them");
        }
        List<NiRequest> requests = ip2nets.isBlank()
                ? NetSpecs.requests(NetSpecs.parse(networks), NiGroups.isDefault(parameters))
                : Ip2Nets.parse(ip2nets).requests(devices, NiGroups.isDefault(parameters));
        requests.forEach(request -> edits.addNi(chosen(request)));
        RouteSpecs.parse(parameters.getOrDefault("routes", "")).forEach(route -> add(route, edits));
    }

    /**
     * A net without an interface takes the first device that is up; those of containers and virtual machines are passed
     * over, as long as there is another.
     */
    NiRequest chosen(NiRequest request) {
        if (request.interfaceName() != null
                || request.nid() != null
                || request.net().typeNumber() != NetType.TCP.number()) {
            return request;
        }
        List<String> usable = devices.stream()
                .filter(device ->
                        device.up() && !device.loopback() && !device.addresses().isEmpty())
                .map(Device::name)
                .toList();
        List<String> real =
                usable.stream().filter(name -> !VirtualDevices.isOne(name)).toList();
        if (real.isEmpty() || real.getFirst().equals(usable.getFirst())) {
            return request;
        }
        System.getLogger("org.railyard.dlc")
                .log(
                        System.Logger.Level.WARNING,
                        "{0}: takes {1} and passes over {2}, which belongs to containers, virtual machines or a tunnel;"
                                + " to take it, name it: networks={0}({2})",
                        request.net(),
                        real.getFirst(),
                        String.join(", ", usable.subList(0, usable.indexOf(real.getFirst()))));
        return NiRequest.ofInterface(request.net(), real.getFirst()).withCpts(request.cpts());
    }

    /**
     * Routes that are there, or whose router is on no net of this node, are left out: the same text serves many nodes.
     */
    private static void add(RouteSpecs.Route route, Edits edits) {
        try {
            edits.addRoute(route.net(), route.gateway(), route.hops(), route.priority());
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST && e.errno() != Errno.EHOSTUNREACH) {
                throw e;
            }
        }
    }
}
