package org.railyard.softverbs;

import org.railyard.verbs.CqListener;
import org.railyard.verbs.card.CardCq;

/** A completion queue of a simulated card. */
final class SoftCq extends CardCq {
    private final SoftDevice device;
    private final SoftLoop loop;

    SoftCq(SoftDevice device, SoftLoop loop, int entries, CqListener listener) {
        super(entries, listener);
        this.device = device;
        this.loop = loop;
    }

    SoftLoop loop() {
        return loop;
    }

    SoftDevice device() {
        return device;
    }

    @Override
    protected void checkLoop() {
        loop.check(this);
    }

    @Override
    protected void notice(Runnable telling) {
        SoftFabric fabric = device.node().fabric();
        long at = fabric.time().now() + fabric.settings().noticeDelay() + device.completionDelay();
        fabric.time().at(at, () -> loop.execute(telling));
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
