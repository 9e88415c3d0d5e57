package org.railyard.lnet.lnd;

import org.railyard.lnet.nid.Nid;

/**
 * The device that a transport found for an {@link NiRequest}.
 *
 * @param nid the NID of the NI to be
 * @param interfaceName name of the device
 * @param numaNode number of the NUMA node that the device is on, −1 if unknown
 */
public record NiBinding(Nid nid, String interfaceName, int numaNode) {}
