package org.railyard.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.nid.Nid;

/**
 * A peer as configured.
 *
 * @param primary its primary NID
 * @param nids its NIDs, the primary one perhaps among them; none if that is the only one
 * @param multiRail whether it understands multi-rail
 * @param locked whether its primary NID stays, whatever it announces
 * @param health what the health of some of its NIDs is set to, 0…1000
 * @param place where it is in the file
 */
public record PeerSpec(
        Nid primary, List<Nid> nids, boolean multiRail, boolean locked, Map<Nid, Integer> health, Place place) {
    /** Copies the collections. */
    public PeerSpec {
        nids = List.copyOf(nids);
        health = Collections.unmodifiableMap(new LinkedHashMap<>(health));
    }

    /**
     * Tells whether a node knows it already, with all its NIDs, as the gateway of a route: discovery looks after it.
     */
    public boolean isGatewayOf(LNet lnet) {
        return lnet.inventory().peer(primary).stream()
                .filter(known -> known.primaryNid().equals(primary) && !known.isConfigured())
                .map(known -> known.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList())
                .anyMatch(known -> known.containsAll(nids)
                        && lnet.routes().list().stream().anyMatch(route -> known.contains(route.gateway())));
    }
}
