package org.railyard.ibverbs;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.Cq;
import org.railyard.verbs.CqListener;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.AsyncListeners;

/** A card as a provider gives it. */
final class IbvDevice implements VerbsDevice {
    private final IbvProvider provider;
    private final NativeCard card;
    private final DeviceAttributes attributes;
    private final AsyncListeners listeners = new AsyncListeners();
    private final AtomicBoolean removed = new AtomicBoolean();

    IbvDevice(IbvProvider provider, NativeCard card) {
        this.provider = provider;
        this.card = card;
        DeviceFacts facts = DeviceFacts.read(provider.verbs(), card);
        this.attributes = new DeviceAttributes(
                facts.driver(),
                facts.ports(),
                facts.maxQp(),
                facts.maxQpWr(),
                facts.maxCq(),
                facts.maxCqe(),
                facts.maxSge(),
                facts.maxMr(),
                DeviceFacts.MAX_PAGE_LIST,
                Set.of());
    }

    long context() {
        return card.context();
    }

    IbvProvider provider() {
        return provider;
    }

    boolean isRemoved() {
        return removed.get();
    }

    /** The device was taken away; its listeners hear it once. */
    void remove() {
        if (removed.compareAndSet(false, true)) {
            raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_REMOVED));
        }
    }

    void raise(AsyncEvent event) {
        listeners.raise(this, event);
    }

    private void checkUsable() {
        if (removed.get()) {
            throw new VerbsException(VerbsException.Code.ENODEV, this + " was taken away");
        }
        provider.checkOpen();
    }

    @Override
    public String name() {
        return card.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public PortAttributes port(int number) {
        if (number < 1 || number > attributes.ports()) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, this + " has no port " + number + ", only 1…" + attributes.ports());
        }
        return PortFacts.attributes(provider.verbs(), card, number);
    }

    @Override
    public void listen(EventLoop loop, AsyncListener listener) {
        listeners.add(provider.own(loop), listener);
    }

    @Override
    public void unlisten(AsyncListener listener) {
        listeners.remove(listener);
    }

    @Override
    public Pd openPd() {
        checkUsable();
        return new IbvPd(this);
    }

    private void limit(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, what + ": " + value + "; " + this + " makes 1…" + most);
        }
    }

    @Override
    public Cq createCq(int entries, EventLoop loop, CqListener listener) {
        checkUsable();
        IbvLoop own = provider.own(loop);
        own.check(this);
        limit("a completion queue with entries", entries, attributes.maxCqe());
        return new IbvCq(this, own, entries, listener);
    }

    /** Checks what a queue pair is to have. */
    void check(QpCapabilities capabilities) {
        checkUsable();
        limit("a queue pair with sends", capabilities.sends(), attributes.maxQpWr());
        limit("a queue pair with receives", capabilities.receives(), attributes.maxQpWr());
        limit("a queue pair with gather entries", capabilities.gather(), attributes.maxSge());
    }

    @Override
    public String toString() {
        return card.name();
    }
}
