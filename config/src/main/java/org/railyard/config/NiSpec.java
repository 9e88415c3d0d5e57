package org.railyard.config;

import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/**
 * An NI as configured.
 *
 * @param request what to ask the node for
 * @param nid the NID that the file shows beside the interface, as exports do; null if it shows none. It is no part of
 *     the request, as the interface has another address on another machine; but for the {@code group nid} of a group.
 * @param place where it is in the file
 */
public record NiSpec(NiRequest request, @Nullable Nid nid, Place place) {}
