package org.railyard.softverbs;

import org.railyard.verbs.PortAttributes;

/** A port of a simulated card. Identity is object identity. */
public final class SoftPort {
    private final SoftDevice device;
    private final int number;
    private final int fabricPort;
    private final int lid;
    /** When the last bit of what was handed to it leaves, ns of virtual time. */
    private long busyUntil;

    SoftPort(SoftDevice device, int number, int fabricPort, int lid) {
        this.device = device;
        this.number = number;
        this.fabricPort = fabricPort;
        this.lid = lid;
    }

    /** Returns its device. */
    public SoftDevice device() {
        return device;
    }

    /** Returns its number on the device, from 1. */
    public int number() {
        return number;
    }

    /** Returns its index in the fabric. */
    public int fabricPort() {
        return fabricPort;
    }

    /** Returns its LID. */
    public int lid() {
        return lid;
    }

    PortAttributes attributes(Subnet subnet, int mtu) {
        return new PortAttributes(
                subnet.isUp(fabricPort) && !device.isBroken() ? PortAttributes.State.ACTIVE : PortAttributes.State.DOWN,
                lid,
                PortAttributes.LinkLayer.INFINIBAND,
                mtu,
                mtu,
                PortAttributes.widthCode(subnet.lanes(fabricPort)),
                LinkRates.speedCode(subnet.speed(fabricPort)));
    }

    /** Takes the wire for a message; returns when its last bit has left, ns. */
    long occupy(long from, long spanNanos) {
        busyUntil = Math.max(from, busyUntil) + spanNanos;
        return busyUntil;
    }

    @Override
    public String toString() {
        return device + "/" + number;
    }
}
