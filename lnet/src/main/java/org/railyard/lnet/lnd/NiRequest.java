package org.railyard.lnet.lnd;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * What someone asks for when adding an NI: a net, and the device by interface name, by NID, or not at all (first usable
 * device).
 *
 * @param net the net
 * @param interfaceName name of the device, for example {@code eth0}
 * @param nid the NID, whose address selects the device; for an NI of several interfaces together with {@code
 *     interfaceName} the NID that it is to have, whatever their addresses (spec 21 cb-003, cb-007)
 * @param tunables tunables of the net
 * @param lndTunables tunables of the LND for this NI, by their names in YAML, for example {@code conns_per_peer}
 * @param cpts the CPU partitions of the NI; none to leave that to the node
 */
public record NiRequest(
        Net net,
        @Nullable String interfaceName,
        @Nullable Nid nid,
        NetTunables tunables,
        Map<String, Integer> lndTunables,
        List<Integer> cpts) {
    /** Copies the collections; a NID must be on the net. */
    public NiRequest {
        if (nid != null && !nid.isOn(net)) {
            throw new IllegalArgumentException("NID " + nid + " is not on net " + net);
        }
        lndTunables = Map.copyOf(lndTunables);
        cpts = List.copyOf(cpts);
    }

    /** Asks for the NI of an interface, with default tunables. */
    public static NiRequest ofInterface(Net net, String interfaceName) {
        return new NiRequest(net, interfaceName, null, NetTunables.DEFAULT, Map.of(), List.of());
    }

    /** Asks for the NI of a NID, with default tunables. */
    public static NiRequest ofNid(Nid nid) {
        return new NiRequest(nid.net(), null, nid, NetTunables.DEFAULT, Map.of(), List.of());
    }

    /** Returns the same request for a NID of the same net. */
    public NiRequest withNid(Nid other) {
        return new NiRequest(net, interfaceName, other, tunables, lndTunables, cpts);
    }

    /** Returns the same request with other tunables of the net. */
    public NiRequest withTunables(NetTunables other) {
        return new NiRequest(net, interfaceName, nid, other, lndTunables, cpts);
    }

    /** Returns the same request with other tunables of the LND. */
    public NiRequest withLndTunables(Map<String, Integer> other) {
        return new NiRequest(net, interfaceName, nid, tunables, other, cpts);
    }

    /** Returns the same request for an NI on the given CPU partitions. */
    public NiRequest withCpts(List<Integer> other) {
        return new NiRequest(net, interfaceName, nid, tunables, lndTunables, other);
    }
}
