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
 * @param wanted the same with what was asked for where another value counts for it, such as 0 for a limit of LNet's; to
 *     ask for it again
 */
public record NiTuning(NetTunables net, Map<String, Integer> lnd, Map<String, Integer> wanted) {
    /** Copies the maps, in their order. */
    public NiTuning {
        lnd = Collections.unmodifiableMap(new LinkedHashMap<>(lnd));
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
    }
}
