package org.railyard.config;

import java.util.List;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.nid.Nid;

/**
 * A target of channel bonding as configured.
 *
 * @param nid of the peer
 * @param ips its addresses, in dotted decimal
 * @param place where it is in the file
 */
public record O2ibSpec(Nid nid, List<String> ips, Place place) {
    /** Copies the list. */
    public O2ibSpec {
        ips = List.copyOf(ips);
    }
}
