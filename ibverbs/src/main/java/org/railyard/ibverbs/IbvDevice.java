package org.railyard.ibverbs;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.NativeVerbs;
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
    private static final System.Logger LOG = System.getLogger(IbvDevice.class.getName());

    private final IbvProvider provider;
    private final NativeCard card;
    private final DeviceAttributes attributes;
    private final MemoryMode memoryMode;
    private final int numaNode;
    private final AsyncListeners listeners = new AsyncListeners();
    private final AtomicBoolean removed = new AtomicBoolean();

    /** Its ports as they were when it last told. */
    private final AtomicReferenceArray<@Nullable PortAttributes> ports;

    IbvDevice(IbvProvider provider, NativeCard card) {
        this.provider = provider;
        this.card = card;
        DeviceFacts facts = DeviceFacts.read(provider.verbs(), card);
        this.memoryMode = switch (provider.memoryMode()) {
            case ON_DEMAND -> hasOnDemand(provider.verbs(), card) ? MemoryMode.ON_DEMAND : MemoryMode.COPY;
            case WINDOW -> hasWindows(facts, card) ? MemoryMode.WINDOW : MemoryMode.COPY;
            case COPY -> MemoryMode.COPY;
            case CACHE -> MemoryMode.CACHE;
        };
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
                switch (memoryMode) {
                    case COPY -> Set.of();
                    case CACHE, WINDOW -> Set.of(DeviceAttributes.Ability.FAST_REG);
                    case ON_DEMAND -> Set.of(DeviceAttributes.Ability.GLOBAL_REGION);
                });
        this.ports = new AtomicReferenceArray<>(attributes.ports());
        this.numaNode = SystemSettings.numaNode(SystemSettings.CARDS, card.name());
    }

    private static boolean hasWindows(DeviceFacts facts, NativeCard card) {
        boolean has = facts.hasWindows();
        if (!has) {
            LOG.log(System.Logger.Level.WARNING, "{0} has no memory windows of type 2; payload is copied", card.name());
        }
        return has;
    }

    /** Tries it, because what a card says of itself is not the same with every driver. */
    private static boolean hasOnDemand(NativeVerbs verbs, NativeCard card) {
        long pd = verbs.allocatePd(card.context());
        if (pd == 0) {
            return false;
        }
        try {
            OnDemandMemory.register(verbs, pd, card.name()).close();
            return true;
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.WARNING, "{0}; payload is copied", e.getMessage());
            return false;
        } finally {
            verbs.deallocatePd(pd);
        }
    }

    /** Returns how it reaches the memory of messages. */
    MemoryMode memoryMode() {
        return memoryMode;
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

    /**
     * The device was taken away; its listeners hear it once, and give back what they have of it. Its context belongs to
     * librdmacm and stays open.
     */
    void remove() {
        if (removed.compareAndSet(false, true)) {
            provider.lose(card);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} was taken away; when it is there again, restart this program to use it: until this program"
                            + " ends, librdmacm keeps the device open, and the kernel may wait for that",
                    this);
            raise(AsyncEvent.ofDevice(AsyncEvent.Type.DEVICE_REMOVED));
            provider.releaseChannels(this);
        }
    }

    void raise(AsyncEvent event) {
        if (event.type() == AsyncEvent.Type.DEVICE_FATAL) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} tells of a fatal error: it carries nothing until its driver is loaded anew and this program is"
                            + " restarted; ''dmesg'' says more",
                    this);
        }
        listeners.raise(this, event);
    }

    private void checkUsable() {
        if (removed.get()) {
            throw new VerbsException(
                    VerbsException.Code.ENODEV,
                    this + " was taken away; when it is there again, restart this program to use it");
        }
        provider.checkOpen();
    }

    @Override
    public String name() {
        return card.name();
    }

    @Override
    public int numaNode() {
        return numaNode;
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
        if (!removed.get()) {
            try {
                PortAttributes now = PortFacts.attributes(provider.verbs(), card, number);
                ports.set(number - 1, now);
                return now;
            } catch (VerbsException e) {
                if (e.code() != VerbsException.Code.EIO && e.code() != VerbsException.Code.ENODEV) {
                    throw e;
                }
                LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", this, e.getMessage());
            }
        }
        // It was taken away, or is about to: whoever asks has to learn that the port is down.
        PortAttributes last = ports.get(number - 1);
        return last == null
                ? new PortAttributes(PortAttributes.State.DOWN, 0, PortAttributes.LinkLayer.INFINIBAND, 256, 256, 0, 0)
                : new PortAttributes(
                        PortAttributes.State.DOWN,
                        last.lid(),
                        last.layer(),
                        last.maxMtu(),
                        last.activeMtu(),
                        last.widthCode(),
                        last.speedCode());
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
