package org.railyard.node;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Spelling;
import org.railyard.config.ni.NiGroups;
import org.railyard.node.o2ib.DaemonCards;
import org.railyard.node.selftest.SelftestService;
import org.railyard.socklnd.tune.SockLndConfig;

/** The module parameters by name: of LNet, of the transports, of the self-test (spec 12 §7.5). */
final class ParameterNames {
    /** Read where LNet is configured. */
    private static final Set<String> OF_LNET = Set.of(
            "networks", "ip2nets", "routes", "config_on_load", "cpu_npartitions", "cpu_pattern", NiGroups.BONDING);

    /** Mean something to a kernel only. Sorted, as they are listed. */
    private static final List<String> OF_KERNELS = List.of(
            "brw_inject_errors",
            "brw_srv_workitems",
            "enable_sysctl_setup",
            "ping_srv_workitems",
            "portal_rotor",
            "rnet_htable_size",
            "use_tcp_bonding");

    private static final int MOST_NEAR = 3;

    private ParameterNames() {}

    /** Tells whether a parameter is one of the TCP transport. */
    static boolean isOfSockets(String name) {
        boolean others = OF_LNET.contains(name)
                || OF_KERNELS.contains(name)
                || StartSettings.has(name)
                || DaemonCards.takes(name)
                || SelftestService.takes(name);
        return !others;
    }

    /** Tells whether a parameter is taken and changes nothing on this node. */
    static boolean isWithoutEffect(String name) {
        return OF_KERNELS.contains(name)
                || StartSettings.isWithoutEffect(name)
                || isOfSockets(name) && SockLndConfig.isWithoutEffect(name);
    }

    /**
     * Refuses a name that no parameter has.
     *
     * @throws ErrnoException EINVAL with the names that are near it; with all of them if none is
     */
    static void check(String name) {
        if (!isOfSockets(name) || SockLndConfig.names().contains(name)) {
            return;
        }
        Set<String> all = all();
        // Those of one transport have its name in front, also where kernel nodes have none.
        List<String> same =
                all.stream().filter(each -> each.endsWith("." + name)).toList();
        List<String> near = same.isEmpty() ? Spelling.near(name, all, MOST_NEAR) : same;
        throw new ErrnoException(
                Errno.EINVAL,
                "there is no module parameter '" + name + "'"
                        + (near.isEmpty()
                                ? "; expected one of " + String.join(", ", all)
                                : "; did you mean " + String.join(", ", near) + "?"));
    }

    /** Returns all names, sorted; those of the InfiniBand transport with their prefix. */
    static Set<String> all() {
        Set<String> all = new TreeSet<>(OF_LNET);
        List<Collection<String>> more = List.of(
                OF_KERNELS,
                StartSettings.names(),
                SockLndConfig.names(),
                DaemonCards.parameters(),
                SelftestService.parameters());
        more.forEach(all::addAll);
        return all;
    }
}
