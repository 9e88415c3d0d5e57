package org.railyard.lnet.lnd;

import java.util.Map;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** An NI as its transport sees it. Identity is object identity. Thread-safe. */
public interface LndNi {
    /** Returns the NID. */
    Nid nid();

    /** Returns the net. */
    Net net();

    /** Returns the name of the device. */
    String interfaceName();

    /** Returns the tunables of the net. */
    NetTunables tunables();

    /** Returns the tunables of the LND for this NI, by their names in YAML. */
    Map<String, Integer> lndTunables();
}
