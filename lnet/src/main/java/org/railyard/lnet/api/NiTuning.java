package org.railyard.lnet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lnet.lnd.NetTunables;

/**
 * What an NI of this node is tuned to (spec 12 §4.1, §4.2).
 *
 * @param net the tunables of its net
 * @param lnd those of its transport that count for it, by their names in YAML, in the order of output
 */
public record NiTuning(NetTunables net, Map<String, Integer> lnd) {
    /** Copies the map, in its order. */
    public NiTuning {
        lnd = Collections.unmodifiableMap(new LinkedHashMap<>(lnd));
    }
}
