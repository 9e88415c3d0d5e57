package org.railyard.softverbs.card;

import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.net.PortPair;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardCq;
import org.railyard.verbs.card.CardQp;
import org.railyard.verbs.card.memory.CardPd;

/** A queue pair of a simulated card. {@link SoftRequester} and {@link SoftResponder} carry out what is posted. */
public final class SoftQp extends CardQp {
    private final SoftDevice device;
    private final SoftRequester requester;
    private final SoftResponder responder;
    private @Nullable SoftPeer peer;
    private @Nullable PortPair route;

    SoftQp(SoftDevice device, CardPd pd, CardCq cq, int number, QpCapabilities capabilities) {
        super(device, pd, cq, number, capabilities);
        this.device = device;
        this.requester = new SoftRequester(this);
        this.responder = new SoftResponder(this);
    }

    SoftDevice device() {
        return device;
    }

    SimulatedFabric fabric() {
        return device.fabric();
    }

    SoftRequester requester() {
        return requester;
    }

    SoftResponder responder() {
        return responder;
    }

    @Nullable
    SoftPeer peer() {
        return peer;
    }

    /** Returns the route to the peer; null while it has none. */
    @Nullable
    PortPair route() {
        return route;
    }

    /** Connects it. */
    public void connect(SoftPeer with) {
        peer = with;
        route = new PortPair(with.own(), with.remote(), with.sl());
        responder.begin(with.receivePsn());
        requester.begin(with);
        setReady();
    }

    @Override
    protected void pump() {
        requester.pump();
    }

    @Override
    protected void stop() {
        requester.stop();
    }

    @Override
    protected void requestFailed(WorkStatus status) {
        fabric().trace("failed", device.toString(), number(), status.code());
    }

    @Override
    public void fail() {
        if (state() != State.ERROR) {
            fabric().trace("qp error", device.toString(), number(), 0);
        }
        super.fail();
    }
}
