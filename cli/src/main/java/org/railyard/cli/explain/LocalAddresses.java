package org.railyard.cli.explain;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.link.InterfaceAddresses;

/** The addresses of this machine, for configurations that name its interfaces only. */
final class LocalAddresses {
    private static final System.Logger LOG = System.getLogger(LocalAddresses.class.getName());

    private LocalAddresses() {}

    /**
     * Returns the NID that an interface of this machine has on a net: of its first IPv4 address, else of another; null
     * if there is none.
     */
    static @Nullable Nid nidOf(Net net, String name) {
        boolean hasAddresses = net.type()
                .map(type -> type.addressForm() != NetType.AddressForm.NUMBER)
                .orElse(false);
        if (!hasAddresses) {
            return null;
        }
        try {
            NetworkInterface device = NetworkInterface.getByName(name);
            if (device == null) {
                return null;
            }
            return InterfaceAddresses.of(device)
                    .findFirst()
                    .map(each -> Nid.of(net, each.getAddress()))
                    .orElse(null);
        } catch (SocketException e) {
            LOG.log(System.Logger.Level.DEBUG, "the interface " + name + " can not be looked at", e);
            return null;
        }
    }
}
