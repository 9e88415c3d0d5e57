package org.railyard.socklnd.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lnet.lnd.Incarnations;
import org.railyard.lnet.nid.Nid;

/** Who has called with which NID lately; outlives peers, which are forgotten with their connections. Thread-safe. */
final class NidClaims {
    /** Most NIDs that are remembered; for further ones those that came first go. */
    private static final int MAX_NIDS = 1024;

    @GuardedBy("this")
    private final Map<Nid, Incarnations> byNid = new LinkedHashMap<>();

    /** Takes in what a connection said; returns whether two nodes were seen to have the NID. */
    synchronized boolean heard(Nid nid, long incarnation) {
        if (byNid.size() >= MAX_NIDS && !byNid.containsKey(nid)) {
            byNid.remove(byNid.keySet().iterator().next());
        }
        return byNid.computeIfAbsent(nid, key -> new Incarnations()).heard(incarnation);
    }
}
