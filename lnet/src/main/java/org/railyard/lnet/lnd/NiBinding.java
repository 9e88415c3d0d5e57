package org.railyard.lnet.lnd;

import org.railyard.lnet.nid.Nid;

/**
 * The device that a transport found for an {@link NiRequest}.
 *
 * @param nid the NID of the NI to be
 * @param interfaceName name of the device
 * @param deviceCpt CPU partition near the device, −1 if unknown
 */
public record NiBinding(Nid nid, String interfaceName, int deviceCpt) {}
