package org.railyard.config;

import java.util.regex.Pattern;

/**
 * Names of devices that programs make for containers, virtual machines and tunnels on this machine. Nobody else is
 * reached through their addresses, or not as a rule; who wants one as an NI names it.
 */
public final class VirtualDevices {
    private static final Pattern NAMES =
            Pattern.compile("docker\\d+|docker_gwbridge|br-[0-9a-f]{12}|podman\\d+|virbr\\d+(-nic)?|vnet\\d+|veth.*"
                    + "|lxcbr\\d+|lxdbr\\d+|cni\\d+|cni-podman\\d+|cbr\\d+|cali.*|flannel.*|cilium_.*|kube-.*|vmnet\\d+"
                    + "|vboxnet\\d+|tun\\d+|tap\\d+|wg\\d+|dummy\\d+");

    private VirtualDevices() {}

    /** Tells whether a name is that of such a device. */
    public static boolean isOne(String name) {
        return NAMES.matcher(name).matches();
    }
}
