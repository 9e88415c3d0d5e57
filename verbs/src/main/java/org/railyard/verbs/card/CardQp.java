package org.railyard.verbs.card;

import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.memory.CardPd;

/**
 * A queue pair of a software card: its state and its queues. A subclass sends and receives.
 *
 * <table>
 * <caption>Transitions; {@link #enter} makes them</caption>
 * <tr><th>From</th><th>To</th><th>When</th></tr>
 * <tr><td>INIT</td><td>READY_TO_SEND</td><td>the connection manager knows the peer</td></tr>
 * <tr><td>INIT, READY_TO_SEND</td><td>ERROR</td><td>a request fails, the peer breaks the protocol, the connection ends,
 * the card breaks, the completion queue overflows, or the user wants it</td></tr>
 * </table>
 */
public abstract class CardQp implements Qp {
    private final CardDevice<?> device;
    private final CardPd pd;
    private final CardCq cq;
    private final int number;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private State state = State.INIT;
    private boolean knownToBeUp;

    /** Makes one that is not connected. */
    @SuppressWarnings("this-escape") // The queues use it only once something is posted.
    protected CardQp(CardDevice<?> device, CardPd pd, CardCq cq, int number, QpCapabilities capabilities) {
        this.device = device;
        this.pd = pd;
        this.cq = cq;
        this.number = number;
        this.sends = new SendQueue(this, capabilities);
        this.receives = new ReceiveQueue(this, capabilities.receives());
    }

    /** Sends what may be sent. */
    protected abstract void pump();

    /** Stops sending: the queue pair is in error. */
    protected abstract void stop();

    /** A request has failed, and is about to complete. */
    protected void requestFailed(WorkStatus status) {
        // For those who keep a log.
    }

    /** Returns its protection domain. */
    public final CardPd pd() {
        return pd;
    }

    /** Returns its completion queue. */
    public final CardCq cq() {
        return cq;
    }

    /** Returns what is posted to be sent. */
    public final SendQueue sends() {
        return sends;
    }

    /** Returns what is posted to be received into. */
    public final ReceiveQueue receives() {
        return receives;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final State state() {
        return state;
    }

    /** Tells whether it is connected and not in error. */
    public final boolean isReady() {
        return state == State.READY_TO_SEND;
    }

    /** Changes the state; false if that is no transition of the table, then nothing changes. */
    private boolean enter(State next) {
        boolean legal = switch (next) {
            case READY_TO_SEND -> state == State.INIT;
            case ERROR -> state != State.ERROR;
            case INIT, READY_TO_RECEIVE -> false;
        };
        if (legal) {
            state = next;
        }
        return legal;
    }

    /** Lets it send and receive, as its peer is known; no effect if it is in error by now. */
    protected final void setReady() {
        enter(State.READY_TO_SEND);
    }

    /** The connection manager knows that the connection is up. */
    public final void setKnownToBeUp() {
        knownToBeUp = true;
    }

    /** Tells the software, once, that a message came before the connection manager knew of the connection. */
    public final void noticeArrival() {
        if (!knownToBeUp) {
            knownToBeUp = true;
            device.raise(AsyncEvent.ofQp(AsyncEvent.Type.QP_COMMUNICATION_ESTABLISHED, number));
        }
    }

    @Override
    public final int postSend(WorkChain chain) {
        cq.loop().check(this);
        if (state == State.ERROR) {
            for (int i = 0; i < chain.size(); i++) {
                cq.addFlushed(chain.id(i), chain.operation(i), number, false);
            }
            return chain.size();
        }
        int taken = isReady() ? sends.take(chain) : 0;
        pump();
        return taken;
    }

    @Override
    public final boolean postReceive(long id, long address, int length, int key) {
        cq.loop().check(this);
        if (state == State.ERROR) {
            cq.add(id, WorkStatus.FLUSHED, Operation.RECEIVE, 0, number);
            return true;
        }
        return receives.post(id, address, length, key);
    }

    @Override
    public final void modifyToError() {
        cq.loop().check(this);
        fail();
    }

    /** Goes to error and flushes what is posted. */
    public void fail() {
        if (enter(State.ERROR)) {
            stop();
            sends.flush();
            receives.flush();
        }
    }

    /** Goes to error because of what the peer did. */
    public final void failByPeer() {
        fail();
        device.raise(AsyncEvent.ofQp(AsyncEvent.Type.QP_FATAL, number));
    }

    /** Goes to error without completions. */
    public void abandon() {
        enter(State.ERROR);
        stop();
        sends.clear();
        receives.clear();
    }

    @Override
    public final void close() {
        abandon();
        device.forget(this);
    }

    @Override
    public final String toString() {
        return "queue pair " + number + " of " + device;
    }
}
