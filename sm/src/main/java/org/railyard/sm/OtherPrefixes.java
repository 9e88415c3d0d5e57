package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;

/** Hosts that get another GID prefix while they are in use, as after a subnet manager with another one. */
final class OtherPrefixes {
    /** Most ports that a line names. */
    private static final int MAX_NAMED = 4;

    private OtherPrefixes() {}

    /**
     * Returns a line for each prefix that hosts have and are not to have. Of links that do not carry data yet it means
     * nothing: a port begins with the default.
     */
    static List<String> notes(FoundSubnet found, long prefix) {
        Fabric fabric = found.fabric();
        Map<Long, List<String>> byPrefix = new TreeMap<>();
        for (int index = 0; index < fabric.portCount(); index++) {
            ManagedNode node = SubnetSweep.node(found, index);
            int port = fabric.portNumber(index);
            PortInfo said = node.port(port);
            boolean isHost = !node.isSwitch() && fabric.isEndPort(index);
            if (isHost
                    && said != null
                    && said.state().compareTo(PortState.INIT) > 0
                    && said.get(PortInfo.GID_PREFIX) != prefix
                    && !node.held().isIgnored(port, PortInfo.GID_PREFIX)) {
                byPrefix.computeIfAbsent(said.get(PortInfo.GID_PREFIX), _ -> new ArrayList<>())
                        .add(fabric.portName(index));
            }
        }
        return byPrefix.entrySet().stream()
                .map(had -> ("GID prefix 0x%016x instead of 0x%016x, so other GIDs, for %s; it is subnet_prefix of"
                                + " opensm.conf, which all subnet managers of a subnet need alike")
                        .formatted(prefix, had.getKey(), SomeNames.of(had.getValue(), MAX_NAMED)))
                .toList();
    }
}
