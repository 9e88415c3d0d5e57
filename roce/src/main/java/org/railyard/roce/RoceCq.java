package org.railyard.roce;

import org.railyard.verbs.CqListener;
import org.railyard.verbs.card.CardCq;

/** A completion queue. */
final class RoceCq extends CardCq {
    private final RoceDevice device;
    private final RoceLoop loop;

    RoceCq(RoceDevice device, RoceLoop loop, int entries, CqListener listener) {
        super(entries, listener);
        this.device = device;
        this.loop = loop;
    }

    RoceDevice device() {
        return device;
    }

    RoceLoop loop() {
        return loop;
    }

    @Override
    protected void checkLoop() {
        loop.check(this);
    }

    @Override
    protected void notice(Runnable telling) {
        loop.execute(telling);
    }

    @Override
    protected void overflow() {
        device.overflow(this);
    }

    @Override
    protected void forget() {
        device.forget(this);
    }

    @Override
    public String toString() {
        return "completion queue of " + device;
    }
}
