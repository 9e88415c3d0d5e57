package org.railyard.lnet.stack;

import java.lang.foreign.MemorySegment;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.MeConfig;
import org.railyard.lnet.model.MatchEntry;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.portal.Portal;
import org.railyard.lnet.wire.Wire;

/** Making and unmaking memory descriptors and match entries (spec 10 §4.2). */
public final class Descriptors {
    private final Node node;
    private final Completer completer;
    private final Receiver receiver;

    /** Makes the maker. */
    public Descriptors(Node node, Completer completer, Receiver receiver) {
        this.node = node;
        this.completer = completer;
        this.receiver = receiver;
    }

    /**
     * Makes a free-floating MD, to send from and to get into.
     *
     * @throws LNetException EINVAL if it has OP_PUT or OP_GET, is longer than the MTU, or its parameters are out of range
     */
    public MemoryDescriptor bind(MdConfig config) {
        check(config);
        if (config.options().contains(MdOption.OP_PUT) || config.options().contains(MdOption.OP_GET)) {
            throw new LNetException(
                    Errno.EINVAL,
                    "a bound memory descriptor takes neither OP_PUT nor OP_GET; attach it to a match entry");
        }
        MemoryDescriptor md = new MemoryDescriptor(config, this::unlink);
        if (md.length() > Wire.MTU) {
            throw new LNetException(
                    Errno.EINVAL,
                    "a bound memory descriptor of " + md.length() + " bytes; one message carries at most " + Wire.MTU);
        }
        node.lock.lock();
        try {
            node.mds.add(md);
        } finally {
            node.lock.unlock();
        }
        return md;
    }

    /**
     * Makes a match entry with its MD, to receive. PUTs that wait for it are delivered at once.
     *
     * @throws LNetException EINVAL if there is no such portal, the MD has neither OP_PUT nor OP_GET, or its parameters are out of range; EPERM if
     *     the portal holds entries of the other kind
     */
    public MemoryDescriptor attach(MeConfig meConfig, MdConfig config) {
        check(config);
        if (!config.options().contains(MdOption.OP_PUT) && !config.options().contains(MdOption.OP_GET)) {
            throw new LNetException(Errno.EINVAL, "an attached memory descriptor needs OP_PUT, OP_GET or both");
        }
        MemoryDescriptor md = new MemoryDescriptor(config, this::unlink);
        Portal portal = node.portals.get(meConfig.portal());
        Pending work = node.pending();
        node.lock.lock();
        try {
            MatchEntry entry = new MatchEntry(meConfig, md);
            node.mds.add(md);
            try {
                portal.attach(entry);
            } catch (LNetException e) {
                node.mds.remove(md);
                throw e;
            }
            md.entry = entry;
            receiver.matchDelayed(portal, work);
        } finally {
            node.lock.unlock();
        }
        completer.run(work);
        return md;
    }

    private static void check(MdConfig config) {
        long length =
                config.memory().stream().mapToLong(MemorySegment::byteSize).sum();
        if (config.memory().size() > Wire.MAX_FRAGMENTS) {
            throw new LNetException(
                    Errno.EINVAL,
                    "a memory descriptor of " + config.memory().size() + " fragments; the limit is "
                            + Wire.MAX_FRAGMENTS);
        }
        if (length > Integer.MAX_VALUE) {
            throw new LNetException(
                    Errno.EINVAL, "a memory descriptor of " + length + " bytes; the limit is " + Integer.MAX_VALUE);
        }
        if (config.threshold() < MdConfig.UNLIMITED) {
            throw new LNetException(
                    Errno.EINVAL, "threshold " + config.threshold() + "; expected 0 or more, or -1 for any number");
        }
        if (config.options().contains(MdOption.MAX_SIZE) && (config.maxSize() < 0 || config.maxSize() > length)) {
            throw new LNetException(
                    Errno.EINVAL, "max_size " + config.maxSize() + "; expected 0…" + length + ", the length");
        }
        if (config.timeoutNanos() < 0) {
            throw new LNetException(Errno.EINVAL, "a time limit below 0");
        }
        for (MemorySegment segment : config.memory()) {
            if (segment.isReadOnly() && config.options().contains(MdOption.OP_PUT)) {
                throw new LNetException(Errno.EINVAL, "read-only memory can not take PUTs");
            }
        }
    }

    /** Unlinks a descriptor. */
    public void unlink(MemoryDescriptor md) {
        if (!completer.unlink(md)) {
            throw new LNetException(Errno.ENOENT, "the memory descriptor is unlinked already");
        }
    }

    /**
     * Lets unmatched PUTs wait on a portal, or not; when not, those that wait are dropped.
     *
     * @throws LNetException EINVAL if there is no such portal
     */
    public void setLazy(int index, boolean lazy) {
        Portal portal = node.portals.get(index);
        node.lock.lock();
        try {
            portal.setLazy(lazy);
            if (!lazy) {
                receiver.dropDelayed(portal);
            }
        } finally {
            node.lock.unlock();
        }
    }

    /** Unlinks all descriptors; those that are busy go with their last message. */
    public void unlinkAll() {
        MemoryDescriptor[] all;
        node.lock.lock();
        try {
            all = node.mds.all();
        } finally {
            node.lock.unlock();
        }
        for (MemoryDescriptor md : all) {
            completer.unlink(md);
        }
    }
}
