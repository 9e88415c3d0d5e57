package org.railyard.softverbs;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardPd;

/**
 * A queue pair of a simulated card: what is posted, and its state. {@link SendSide} and {@link ReceiveSide} carry it
 * out.
 */
final class SoftQp implements Qp {
    /** A receive that was posted. */
    record Receive(long id, long address, int length, int key) {}

    private final SoftDevice device;
    private final CardPd pd;
    private final SoftCq cq;
    private final int number;
    private final QpCapabilities capabilities;
    private final ArrayDeque<Receive> receives = new ArrayDeque<>();
    private final SendSide sends;
    private final ReceiveSide arrivals;
    private State state = State.INIT;
    private @Nullable Peering peering;
    private @Nullable PortPair way;
    private boolean knownToBeUp;

    SoftQp(SoftDevice device, CardPd pd, SoftCq cq, int number, QpCapabilities capabilities) {
        this.device = device;
        this.pd = pd;
        this.cq = cq;
        this.number = number;
        this.capabilities = capabilities;
        this.sends = new SendSide(this);
        this.arrivals = new ReceiveSide(this);
    }

    SoftDevice device() {
        return device;
    }

    SoftFabric fabric() {
        return device.node().fabric();
    }

    CardPd pd() {
        return pd;
    }

    SoftCq cq() {
        return cq;
    }

    ArrayDeque<Receive> receives() {
        return receives;
    }

    SendSide sends() {
        return sends;
    }

    ReceiveSide arrivals() {
        return arrivals;
    }

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

    /** Connects it: it gets messages, and sends them unless the other side has yet to say that it is ready. */
    void connect(Peering with) {
        peering = with;
        way = new PortPair(with.own(), with.remote(), with.sl());
        arrivals.begin(with.receivePsn());
        sends.begin(with.sendPsn());
        state = State.READY_TO_SEND;
    }

    /** Returns the way to the peer; null while it has none. */
    @Nullable
    PortPair way() {
        return way;
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
        for (int i = 0; i < chain.size(); i++) {
            boolean fits = chain.gatherEnd(i) - chain.gatherStart(i) <= capabilities.gather();
            if (state == State.ERROR) {
                cq.addFlushed(chain.id(i), chain.operation(i), number, false);
            } else if (state != State.READY_TO_SEND || sends.posted() == capabilities.sends() || !fits) {
                sends.pump();
                return i;
            } else {
                sends.post(new SendRequest(chain, i));
            }
        }
        sends.pump();
        return chain.size();
    }

    @Override
    public boolean postReceive(long id, long address, int length, int key) {
        cq.loop().check(this);
        if (state == State.ERROR) {
            cq.add(id, WorkStatus.FLUSHED, Operation.RECEIVE, 0, number);
            return true;
        }
        if (receives.size() == capabilities.receives()) {
            return false;
        }
        receives.add(new Receive(id, address, length, key));
        return true;
    }

    /** Lets posted requests go on that were halted. */
    void resume() {
        sends.pump();
    }

    @Override
    public void modifyToError() {
        cq.loop().check(this);
        fail();
    }

    /** Goes to error and flushes what is posted. */
    void fail() {
        if (state == State.ERROR) {
            return;
        }
        state = State.ERROR;
        fabric().trace("qp error", device.toString(), number, 0);
        sends.flush();
        // One by one: a completion queue that overflows takes away the rest.
        for (Receive each = receives.poll(); each != null; each = receives.poll()) {
            cq.add(each.id(), WorkStatus.FLUSHED, Operation.RECEIVE, 0, number);
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
        sends.forget();
        receives.clear();
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
