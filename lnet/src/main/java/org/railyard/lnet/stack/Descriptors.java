package org.railyard.lnet.stack;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.model.MatchEntry;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.portal.Portal;

/** Making and unmaking memory descriptors and match entries (spec 10 §4.2). */
public final class Descriptors {
    private final Node node;
    private final DelayedPuts delayed;
    private final Completer completer;
    private final Dispatcher dispatcher;
    private final MemoryDescriptor.Unlinker unlinker = this::unlink;

    Descriptors(Node node, DelayedPuts delayed, Completer completer, Dispatcher dispatcher) {
        this.node = node;
        this.delayed = delayed;
        this.completer = completer;
        this.dispatcher = dispatcher;
    }

    /**
     * Makes a free-floating MD, to send from and to get into.
     *
     * @throws ErrnoException EINVAL if it has OP_PUT or OP_GET, is longer than the MTU, or its parameters are out of
     *     range; ERANGE if there is no such CPU partition; ENOMEM; ESHUTDOWN when the node is stopping
     */
    public MemoryDescriptor bind(MdConfig config) {
        check(config);
        if (config.options().contains(MdOption.OP_PUT) || config.options().contains(MdOption.OP_GET)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a bound memory descriptor takes neither OP_PUT nor OP_GET; attach it to a match entry");
        }
        MemoryDescriptor md = make(config);
        if (md.length() > Wire.MTU) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a bound memory descriptor of " + md.length() + " bytes; one message carries at most " + Wire.MTU);
        }
        node.lock.lock();
        try {
            requireRunning();
            node.mds.add(md);
        } finally {
            node.lock.unlock();
        }
        return md;
    }

    /**
     * Makes a match entry with its MD, to receive. PUTs that wait for it are delivered at once.
     *
     * @throws ErrnoException EINVAL if there is no such portal, the MD has neither OP_PUT nor OP_GET, or its parameters
     *     are out of range; EPERM if the portal holds entries of the other kind; ENOMEM; ESHUTDOWN when the node is
     *     stopping
     */
    public MemoryDescriptor attach(MeConfig meConfig, MdConfig config) {
        return attach(meConfig, config, null);
    }

    /**
     * Makes a match entry with its MD, to receive what is sent to some of the NIDs of this node.
     *
     * @param destinations tells whether it takes what is sent to a NID, null if to any; called with the lock held
     * @throws ErrnoException as {@link #attach(MeConfig, MdConfig)}
     */
    public MemoryDescriptor attach(MeConfig meConfig, MdConfig config, @Nullable Predicate<Nid> destinations) {
        check(config);
        if (!config.options().contains(MdOption.OP_PUT) && !config.options().contains(MdOption.OP_GET)) {
            throw new ErrnoException(Errno.EINVAL, "an attached memory descriptor needs OP_PUT, OP_GET or both");
        }
        MemoryDescriptor md = make(config);
        Portal portal = node.portals.get(meConfig.portal());
        Pending work = node.pending();
        node.lock.lock();
        try {
            requireRunning();
            MatchEntry entry = new MatchEntry(meConfig, md, destinations);
            node.mds.add(md);
            try {
                portal.attach(entry);
            } catch (ErrnoException e) {
                node.mds.remove(md);
                throw e;
            }
            md.entry = entry;
            delayed.matchAll(portal, completer, work);
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
        return md;
    }

    private void requireRunning() {
        node.lock.assertHeld();
        if (node.stopping) {
            throw new ErrnoException(Errno.ESHUTDOWN, "the node is closed");
        }
    }

    private MemoryDescriptor make(MdConfig config) {
        try {
            return new MemoryDescriptor(config, unlinker);
        } catch (UnsupportedOperationException e) {
            throw new ErrnoException(Errno.EINVAL, "memory on the heap must be that of a byte array", e);
        }
    }

    private void check(MdConfig config) {
        long length = config.bytes();
        if (config.memory().size() > Wire.MAX_FRAGMENTS) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a memory descriptor of " + config.memory().size() + " fragments; the limit is "
                            + Wire.MAX_FRAGMENTS);
        }
        if (length > Integer.MAX_VALUE) {
            throw new ErrnoException(
                    Errno.EINVAL, "a memory descriptor of " + length + " bytes; the limit is " + Integer.MAX_VALUE);
        }
        if (config.threshold() < MdConfig.UNLIMITED) {
            throw new ErrnoException(
                    Errno.EINVAL, "threshold " + config.threshold() + "; expected 0 or more, or -1 for any number");
        }
        if (config.options().contains(MdOption.MAX_SIZE) && (config.maxSize() < 0 || config.maxSize() > length)) {
            throw new ErrnoException(
                    Errno.EINVAL, "max_size " + config.maxSize() + "; expected 0…" + length + ", the length");
        }
        if (config.cpt() != CptTable.ANY) {
            node.cpts.check(List.of(config.cpt()));
        }
        if (config.timeoutNanos() < 0) {
            throw new ErrnoException(Errno.EINVAL, "a time limit below 0");
        }
        if (config.options().contains(MdOption.OP_PUT) && config.isReadOnly()) {
            throw new ErrnoException(Errno.EINVAL, "read-only memory can not take PUTs");
        }
    }

    /**
     * Unlinks a descriptor (spec 10 §4.3): at once with an UNLINK event if it is idle, else with its last message,
     * whose success is none. The event has been delivered when this returns, unless the caller is a handler.
     *
     * @throws ErrnoException ENOENT if it is unlinked already
     */
    public void unlink(MemoryDescriptor md) {
        if (!end(md, true)) {
            throw new ErrnoException(Errno.ENOENT, "the memory descriptor is unlinked already");
        }
    }

    /** Unlinks a descriptor unless that has happened; operations that have begun end as if nothing were. */
    public void withdraw(MemoryDescriptor md) {
        end(md, false);
    }

    private boolean end(MemoryDescriptor md, boolean abort) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            if (md.unlinked) {
                return false;
            }
            completer.unlink(md, EventKind.UNLINK, 0, abort, work);
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
        awaitDelivery(md);
        return true;
    }

    /** Waits until no event of a descriptor is being delivered by another thread; a handler can not wait for itself. */
    private void awaitDelivery(MemoryDescriptor md) {
        if (dispatcher.isInside()) {
            return;
        }
        node.lock.lock();
        try {
            node.lock.awaitUntil(() -> md.current == null);
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Lets unmatched PUTs wait on a portal, or not; when not, those that wait are dropped.
     *
     * @throws ErrnoException EINVAL if there is no such portal
     */
    public void setLazy(int index, boolean lazy) {
        Portal portal = node.portals.get(index);
        Pending work = node.pending();
        node.lock.lock();
        try {
            portal.setLazy(lazy);
            if (!lazy) {
                delayed.drop(portal, "the portal is not lazy any more", work);
            }
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    /**
     * Unlinks all descriptors and drops what waits for one: the node is stopping. Those that are busy go with their
     * last message.
     */
    public void close() {
        Pending work = node.pending();
        MemoryDescriptor[] all;
        node.lock.lock();
        try {
            all = node.mds.all();
            for (int i = 0; i < Wire.PORTALS; i++) {
                delayed.drop(node.portals.get(i), "the node is stopping", work);
            }
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
        for (MemoryDescriptor md : all) {
            end(md, true);
        }
    }
}
