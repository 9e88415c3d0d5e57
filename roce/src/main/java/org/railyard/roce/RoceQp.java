package org.railyard.roce;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardPd;

/** A queue pair: its state. {@link SendSide} and {@link ReceiveSide} carry out what is posted. */
final class RoceQp implements Qp {
    private final RoceDevice device;
    private final CardPd pd;
    private final RoceCq cq;
    private final int number;
    private final SendSide sender;
    private final ReceiveSide receiver;
    private State state = State.INIT;
    private @Nullable Peering peering;
    private boolean knownToBeUp;

    RoceQp(RoceDevice device, RoceProvider provider, CardPd pd, RoceCq cq, int number, QpCapabilities capabilities) {
        this.device = device;
        this.pd = pd;
        this.cq = cq;
        this.number = number;
        RocePort port = provider.port(device);
        this.sender = new SendSide(
                this,
                provider.engine(),
                port,
                capabilities,
                provider.settings().probeNanos(),
                provider.settings().window());
        this.receiver = new ReceiveSide(this, provider.engine(), port, capabilities.receives());
    }

    RoceDevice device() {
        return device;
    }

    CardPd pd() {
        return pd;
    }

    RoceCq cq() {
        return cq;
    }

    SendSide sender() {
        return sender;
    }

    ReceiveSide receiver() {
        return receiver;
    }

    /** Returns whom it is connected with, or was until it went to error; null if with nobody. */
    @Nullable
    Peering peering() {
        return peering;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public State state() {
        return state;
    }

    boolean isReady() {
        return state == State.READY_TO_SEND;
    }

    /** Connects it: it gets packets and sends them. */
    void connect(Peering with) {
        peering = with;
        receiver.begin(with);
        sender.begin(with);
        state = State.READY_TO_SEND;
    }

    /** The connection manager knows that the connection is up. */
    void setKnownToBeUp() {
        knownToBeUp = true;
    }

    /** Tells the software, once, that a message came before the connection manager knew of the connection. */
    void noticeArrival() {
        if (!knownToBeUp) {
            knownToBeUp = true;
            device.raise(AsyncEvent.ofQp(AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED, number));
        }
    }

    @Override
    public int postSend(WorkChain chain) {
        cq.loop().check(this);
        if (state == State.ERROR) {
            for (int i = 0; i < chain.size(); i++) {
                cq.addFlushed(chain.id(i), chain.operation(i), number, false);
            }
            return chain.size();
        }
        int taken = isReady() ? sender.take(chain) : 0;
        sender.pump();
        return taken;
    }

    @Override
    public boolean postReceive(long id, long address, int length, int key) {
        cq.loop().check(this);
        if (state == State.ERROR) {
            cq.add(id, WorkStatus.FLUSHED, Completion.Operation.RECEIVE, 0, number);
            return true;
        }
        return receiver.post(id, address, length, key);
    }

    @Override
    public void modifyToError() {
        cq.loop().check(this);
        fail();
    }

    /** Goes to error and flushes what is posted. */
    void fail() {
        if (state != State.ERROR) {
            state = State.ERROR;
            sender.flush();
            receiver.flush();
        }
    }

    /** Goes to error because of what the peer did. */
    void failByPeer() {
        fail();
        device.raise(AsyncEvent.ofQp(AsyncEvent.Type.QP_FATAL, number));
    }

    /** Goes to error without a word: its completions are lost. */
    void abandon() {
        state = State.ERROR;
        peering = null;
        sender.forget();
        receiver.forget();
    }

    @Override
    public void close() {
        abandon();
        device.forget(this);
    }

    @Override
    public String toString() {
        return "queue pair " + number + " of " + device;
    }
}
