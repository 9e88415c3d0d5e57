package org.railyard.config.ni;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Item;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.lnd.InterfaceNames;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;

/** NIs that are groups of interfaces (spec 21 §2). */
public final class NiGroups {
    /** The tunable of the transport that says of an NI that it is one. */
    public static final String BONDING = "channel_bonding";

    /**
     * The key of an NI in documents whose value is the NID of a group, where that does not follow from its interfaces.
     */
    public static final String NID = "group nid";

    /** What stands before the name of a tunable of the transport among the module parameters. */
    private static final String OF_TRANSPORT = "o2iblnd.";

    private NiGroups() {}

    /**
     * Tells whether the module parameters make groups of the interfaces of nets.
     *
     * @throws ErrnoException EINVAL if the parameter is neither 0 nor 1
     */
    public static boolean isDefault(Map<String, String> parameters) {
        return isOne(parameters, BONDING) || isOne(parameters, OF_TRANSPORT + BONDING);
    }

    private static boolean isOne(Map<String, String> parameters, String name) {
        String value = parameters.getOrDefault(name, "0").strip();
        if (!value.equals("0") && !value.equals("1")) {
            throw new ErrnoException(Errno.EINVAL, name + " is '" + value + "'; expected 0 or 1");
        }
        return value.equals("1");
    }

    /** Tells whether an NI is a group. */
    public static boolean isGroup(String interfaceName, Map<String, Integer> lndTunables) {
        return InterfaceNames.isSeveral(interfaceName) || lndTunables.getOrDefault(BONDING, 0) != 0;
    }

    /**
     * Tells whether a group has another NID than its interfaces would give it: the address of the NID is not that of
     * the first interface, which has left, or somebody has chosen the NID.
     *
     * @param machine the devices of the machine
     */
    public static boolean hasNidOfItsOwn(NiInfo group, List<Device> machine) {
        String first = InterfaceNames.split(group.interfaceName()).getFirst();
        return machine.stream()
                .filter(device -> device.name().equals(first))
                .flatMap(device -> device.addresses().stream().limit(1))
                .noneMatch(ip -> Arrays.equals(ip.getAddress(), group.nid().address()));
    }

    /** Tells whether NIs on a net can be groups. */
    public static boolean isBondable(Net net) {
        return net.typeNumber() == NetType.O2IB.number();
    }

    /**
     * Refuses a net whose NIs can not be groups.
     *
     * @throws ErrnoException EINVAL
     */
    public static void requireBondable(Net net) {
        if (!isBondable(net)) {
            throw new ErrnoException(Errno.EINVAL, "channel bonding is for nets of type o2ib, not for " + net);
        }
    }

    /** Returns the names under numbers from 0 on, as documents have them. */
    public static List<String> namesOf(Map<String, Item.Entry> interfaces) {
        return interfaces.values().stream().map(entry -> entry.value().text()).toList();
    }
}
