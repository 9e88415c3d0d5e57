package org.railyard.verbs.card;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.memory.CardPd;

/**
 * A software card: who listens to it, and the queues on it within its limits.
 *
 * @param <Q> its queue pairs
 */
public abstract class CardDevice<Q extends CardQp> implements VerbsDevice {
    private final String name;
    private final DeviceAttributes attributes;
    private final AsyncListeners listeners = new AsyncListeners();
    private final QpTable<Q> qps;
    private int cqs;

    /**
     * Makes a card without queues.
     *
     * @param lastQpNumber the first queue pair has the next number
     */
    protected CardDevice(String name, DeviceAttributes attributes, int lastQpNumber) {
        this.name = name;
        this.attributes = attributes;
        this.qps = new QpTable<>(lastQpNumber);
    }

    /** Throws a {@link VerbsException}, ENODEV, if nothing can be made on it any more. */
    protected abstract void checkUsable();

    /** Returns a loop as one of this provider; throws a {@link VerbsException}, EINVAL, if it is of another one. */
    protected abstract CardLoop own(EventLoop loop);

    /** Makes a queue pair. */
    protected abstract Q newQp(CardPd pd, CardCq cq, int number, QpCapabilities capabilities);

    /** Tells whether making a completion queue has to fail, as if there were no memory. */
    protected boolean failsCq() {
        return false;
    }

    /** Tells whether making a queue pair has to fail, as if there were no memory. */
    protected boolean failsQp() {
        return false;
    }

    /** Lets a listener be told that there are completions. */
    protected void tell(CardLoop loop, Runnable telling) {
        loop.execute(telling);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public final void listen(EventLoop loop, AsyncListener listener) {
        listeners.add(own(loop), listener);
    }

    @Override
    public final void unlisten(AsyncListener listener) {
        listeners.remove(listener);
    }

    /** Tells the listeners of an event. */
    public final void raise(AsyncEvent event) {
        listeners.raise(this, event);
    }

    private void limit(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, what + ": " + value + "; " + this + " makes 1…" + most);
        }
    }

    private VerbsException full(int present, String what) {
        return new VerbsException(
                VerbsException.Code.ENOMEM, this + " has no memory for one more than " + present + " " + what);
    }

    @Override
    public final Cq createCq(int entries, EventLoop loop, CqListener listener) {
        checkUsable();
        limit("a completion queue with entries", entries, attributes.maxCqe());
        if (cqs >= attributes.maxCq() || failsCq()) {
            throw full(cqs, "completion queues");
        }
        CardCq made = new CardCq(this, own(loop), entries, listener);
        cqs++;
        return made;
    }

    /**
     * Makes a queue pair of a connection.
     *
     * @param loop the loop of the connection
     */
    public final Q createQp(Pd pd, Cq cq, CardLoop loop, QpCapabilities capabilities) {
        checkUsable();
        if (!(pd instanceof CardPd ownPd)
                || !(cq instanceof CardCq ownCq)
                || ownPd.device() != this
                || ownCq.device() != this
                || ownCq.loop() != loop) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "protection domain, completion queue and loop must be those of " + this);
        }
        limit("a queue pair with sends", capabilities.sends(), attributes.maxQpWr());
        limit("a queue pair with receives", capabilities.receives(), attributes.maxQpWr());
        limit("a queue pair with gather entries", capabilities.gather(), attributes.maxSge());
        if (qps.size() >= attributes.maxQp() || failsQp()) {
            throw full(qps.size(), "queue pairs");
        }
        Q made = newQp(ownPd, ownCq, qps.nextNumber(), capabilities);
        qps.add(made);
        return made;
    }

    /** Returns how many queue pairs there are. */
    public final int qpCount() {
        return qps.size();
    }

    /** Returns the queue pair with a number, 24 bits; null if there is none. */
    public final @Nullable Q qp(int number) {
        return qps.find(number);
    }

    /** Returns a copy of the list of queue pairs. */
    protected final List<Q> qps() {
        return qps.all();
    }

    final void forget(CardQp qp) {
        qps.remove(qp);
    }

    final void cqClosed() {
        cqs = Math.max(0, cqs - 1);
    }

    /** A queue was full when a completion came: queue pairs on it can not go on. */
    protected void overflow(CardCq cq) {
        for (Q qp : qps()) {
            if (qp.cq() == cq) {
                qp.abandon();
            }
        }
        raise(AsyncEvent.ofDevice(AsyncEvent.Type.CQ_ERROR));
    }

    /** Forgets listeners and queues: their owner has ended. */
    protected final void clear() {
        listeners.clear();
        qps.clear();
        cqs = 0;
    }
}
