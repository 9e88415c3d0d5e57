package org.railyard.dlc;

import org.railyard.lnet.lnd.NiRequest;

/**
 * An NI as configured.
 *
 * @param request what to ask the node for
 * @param place where it is in the file
 */
public record NiSpec(NiRequest request, Place place) {}
