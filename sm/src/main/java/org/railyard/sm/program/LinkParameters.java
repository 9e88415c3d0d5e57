package org.railyard.sm.program;

import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.subnet.ManagedNode;

/**
 * What both ends of a cable shall have: the most that both can (spec 41 §4).
 *
 * @param vls data VLs, coded as VLCap
 * @param mtu as PortInfo has it
 */
record LinkParameters(int vls, int mtu) {
    /** Returns those of the cable at a port of a fabric. */
    static LinkParameters of(Fabric fabric, int index, ManagedNode node, ManagedNode far, PortPolicy ports) {
        int peer = fabric.peer(index);
        int vls = Math.min(fabric.vlCap(index), fabric.vlCap(peer));
        PortInfo here = node.port(fabric.portNumber(index));
        PortInfo there = far.port(fabric.portNumber(peer));
        int mtu = here == null || there == null
                ? 0
                : Math.min(here.getInt(PortInfo.MTU_CAP), there.getInt(PortInfo.MTU_CAP));
        return new LinkParameters(Math.min(vls, ports.maxOpVls()), mtu);
    }
}
