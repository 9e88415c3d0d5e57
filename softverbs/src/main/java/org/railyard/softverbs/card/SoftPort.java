package org.railyard.softverbs.card;

import org.railyard.softverbs.net.FabricPort;
import org.railyard.verbs.AsyncEvent;

/** A port of a simulated card. Identity is object identity. */
public final class SoftPort extends FabricPort {
    private final SoftDevice device;

    SoftPort(SoftDevice device, int number, int fabricPort, int lid) {
        super(number, fabricPort, lid);
        this.device = device;
    }

    /** Returns its device. */
    public SoftDevice device() {
        return device;
    }

    boolean isUp() {
        return device.fabric().isUp(this);
    }

    @Override
    protected boolean isBroken() {
        return device.isBroken();
    }

    @Override
    protected void raise(AsyncEvent.Type type) {
        device.raise(AsyncEvent.ofPort(type, number()));
    }

    @Override
    public String toString() {
        return device + "/" + number();
    }
}
