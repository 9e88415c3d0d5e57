package org.railyard.config;

import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.Bond;

/**
 * A bond as configured: LNet's own, which is another thing than the channel bonding of a transport.
 *
 * @param bond what it is to be, or what is to be added to it
 * @param namesPolicy whether the file says its policy; if not, one that is there keeps its own
 * @param place where it is in the file
 */
public record BondSpec(Bond bond, boolean namesPolicy, Place place) {}
