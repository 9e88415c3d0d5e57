package org.railyard.conformance;

import java.util.Map;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * An NI for tests of transports.
 *
 * @param nid its NID
 * @param net its net
 * @param interfaceName its interface
 * @param tunables of its net
 * @param lndTunables of the transport, by their names in YAML
 */
public record TestNi(Nid nid, Net net, String interfaceName, NetTunables tunables, Map<String, Integer> lndTunables)
        implements LndNi {
    /** Makes an NI with default tunables of its net. */
    public TestNi(Nid nid, String interfaceName, Map<String, Integer> lndTunables) {
        this(nid, nid.net(), interfaceName, NetTunables.DEFAULT, lndTunables);
    }
}
