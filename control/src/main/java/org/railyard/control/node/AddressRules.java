package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.config.Configuration;
import org.railyard.config.Ip2NetSpec;
import org.railyard.config.NiSpec;
import org.railyard.config.ni.Device;
import org.railyard.config.ni.NiGroups;
import org.railyard.config.parameter.Ip2Nets;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;

/** The section {@code ip2nets}: NIs that follow from the addresses of the machine. */
final class AddressRules {
    /** What to say where a document has rules and none of them fits. */
    static final String NONE_FITS = "no rule of the section 'ip2nets' is for an address of this machine";

    private AddressRules() {}

    /**
     * Returns the NIs of a configuration, then those that follow from addresses; of the rules for one net, the first
     * that fits.
     */
    static List<NiSpec> nis(Configuration wanted, List<Device> machine) {
        List<NiSpec> all = new ArrayList<>(wanted.nis());
        Set<Net> done = new LinkedHashSet<>();
        for (Ip2NetSpec rule : wanted.rest().ip2nets()) {
            List<Device> devices =
                    machine.stream().filter(device -> fits(rule, device)).toList();
            if (!devices.isEmpty() && done.add(rule.like().net())) {
                names(rule, devices).forEach(name -> all.add(new NiSpec(named(rule.like(), name), null, rule.place())));
            }
        }
        return all;
    }

    /** The interfaces of a group are one NI. */
    private static List<String> names(Ip2NetSpec rule, List<Device> devices) {
        List<String> names = devices.stream().map(Device::name).toList();
        boolean group = NiGroups.isBondable(rule.like().net())
                && rule.like().lndTunables().getOrDefault(NiGroups.BONDING, 0) != 0;
        return group ? List.of(InterfaceNames.join(names)) : names;
    }

    private static boolean fits(Ip2NetSpec rule, Device device) {
        boolean named = rule.interfaces().contains(device.name());
        boolean addressed = Ip2Nets.matches(device, rule.ranges());
        if (rule.interfaces().isEmpty()) {
            return device.up() && addressed;
        }
        return named && (rule.ranges().isEmpty() || addressed);
    }

    private static NiRequest named(NiRequest like, String name) {
        return NiRequest.ofInterface(like.net(), name)
                .withTunables(like.tunables())
                .withLndTunables(like.lndTunables())
                .withCpts(like.cpts());
    }
}
