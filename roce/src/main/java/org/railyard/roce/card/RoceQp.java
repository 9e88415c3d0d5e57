package org.railyard.roce.card;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.card.CardCq;
import org.railyard.verbs.card.CardQp;
import org.railyard.verbs.card.memory.CardPd;

/** A queue pair. {@link RoceRequester} and {@link RoceResponder} carry out what is posted. */
public final class RoceQp extends CardQp {
    private static final System.Logger LOG = System.getLogger(RoceQp.class.getName());

    private final RoceDevice device;
    private final RoceRequester requester;
    private final RoceResponder responder;
    private @Nullable RocePeer peer;

    RoceQp(RoceDevice device, CardContext context, CardPd pd, CardCq cq, int number, QpCapabilities capabilities) {
        super(device, pd, cq, number, capabilities);
        this.device = device;
        this.requester = new RoceRequester(this, device.port(), context);
        this.responder = new RoceResponder(this, device.port(), context);
    }

    RoceRequester requester() {
        return requester;
    }

    RoceResponder responder() {
        return responder;
    }

    /** Returns whom it is connected with, or was until it went to error; null if with nobody. */
    @Nullable
    RocePeer peer() {
        return peer;
    }

    /** Connects it: it gets packets and sends them. */
    public void connect(RocePeer with) {
        peer = with;
        responder.begin(with);
        requester.begin(with);
        setReady();
        device.connected(with);
    }

    @Override
    protected void pump() {
        try {
            requester.pump();
        } catch (RuntimeException e) {
            // Whoever posts is told by completions, as of an adapter.
            failed(e);
        }
    }

    /** Goes to error over what it was about to do, as a rule with memory that its owner has freed. */
    void failed(RuntimeException cause) {
        LOG.log(System.Logger.Level.ERROR, this + " failed over a packet", cause);
        failByPeer();
    }

    /** Returns something that its thread is to do for it, after which others go on whatever comes of it. */
    Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (RuntimeException e) {
                failed(e);
            }
        };
    }

    @Override
    protected void stop() {
        responder.settle();
        requester.stop();
    }

    @Override
    public void abandon() {
        super.abandon();
        peer = null;
        responder.stop();
    }
}
