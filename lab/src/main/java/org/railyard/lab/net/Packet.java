package org.railyard.lab.net;

import org.jspecify.annotations.Nullable;
import org.railyard.lab.engine.SimEvent;

/** A copy of a frame on its way: an event, which is its arrival. */
final class Packet extends SimEvent {
    private final SimNetwork network;
    private @Nullable SimFrame frame;
    private @Nullable Inbound inbound;
    private boolean processed;

    Packet(SimNetwork network) {
        this.network = network;
    }

    void load(SimFrame carried, Inbound to) {
        frame = carried;
        inbound = to;
        processed = false;
    }

    @Override
    protected void run() {
        SimFrame carried = frame;
        Inbound to = inbound;
        if (carried == null || to == null) {
            throw new IllegalStateException("an empty packet arrives");
        }
        SimMachine machine = to.machine();
        if (machine.delayNanos > 0 && !processed) {
            // A slow machine takes one frame after the other.
            processed = true;
            machine.busyUntil = Math.max(network.queue.now(), machine.busyUntil) + machine.delayNanos;
            network.queue.schedule(this, machine.busyUntil);
            return;
        }
        frame = null;
        inbound = null;
        network.giveBack(this);
        to.arrive(carried);
        network.letGo(carried);
    }
}
