package org.railyard.lnet.stack;

import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.MessageType;

/** Sending: the calls that start a message, and what discovery does with those that wait for it (spec 10 §5). */
public final class Sender {
    private final Node node;
    private final Launcher launcher;
    private final Dispatcher dispatcher;

    Sender(Node node, Launcher launcher, Dispatcher dispatcher) {
        this.node = node;
        this.launcher = launcher;
        this.dispatcher = dispatcher;
    }

    /** Connects discovery. */
    public void setGate(DiscoveryGate discovery) {
        launcher.setGate(discovery);
    }

    /**
     * Sends a PUT of a free-floating MD (spec 10 §5.1). The outcome is an event.
     *
     * @param exact whether the target is that very NID, and not a name of its peer
     * @throws ErrnoException ENOENT if the MD is gone, exhausted or attached to a match entry; EINVAL if the target is
     *     the wildcard; ENOBUFS
     */
    public void put(
            MemoryDescriptor md,
            boolean ack,
            Nid self,
            ProcessId target,
            int portal,
            long matchBits,
            int offset,
            long hdrData,
            boolean exact) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            if (work.keepsTime) {
                node.keepNow();
            }
            Message message = start(md, Role.REQUEST, self, target, exact, md.length());
            long interfaceCookie = ack ? node.cookie : Wire.NO_COOKIE;
            long objectCookie = ack ? md.cookie : Wire.NO_COOKIE;
            message.header().setPut(md.length(), interfaceCookie, objectCookie, portal, matchBits, offset, hdrData);
            if (ack) {
                md.awaitedAcks++;
                await(md, MessageType.PUT, portal);
            }
            launcher.launch(message, work);
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    /**
     * Sends a GET into a free-floating MD (spec 10 §5.2). The outcome is an event.
     *
     * @param recovery whether it is a recovery ping: to that very NID, not to any of its peer, and never sent again
     * @throws ErrnoException as {@link #put}; EINVAL also if the MD has read-only memory
     */
    public void get(
            MemoryDescriptor md, Nid self, ProcessId target, int portal, long matchBits, int offset, boolean recovery) {
        if (md.isReadOnly()) {
            throw new ErrnoException(Errno.EINVAL, "read-only memory can not take a REPLY");
        }
        Pending work = node.pending();
        node.lock.lock();
        try {
            if (work.keepsTime) {
                node.keepNow();
            }
            Message message = start(md, roleOfGet(md, recovery), self, target, recovery, 0);
            message.header().setGet(node.cookie, md.cookie, portal, matchBits, offset, md.length());
            md.awaitedReplies++;
            await(md, MessageType.GET, portal);
            launcher.launch(message, work);
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    private static Role roleOfGet(MemoryDescriptor md, boolean recovery) {
        if (recovery) {
            return Role.RECOVERY_PING;
        }
        return md.probe ? Role.PROBE : Role.REQUEST;
    }

    private Message start(MemoryDescriptor md, Role role, Nid self, ProcessId target, boolean exact, int length) {
        node.lock.assertHeld();
        if (node.mds.find(md.cookie) != md) {
            throw new ErrnoException(Errno.ENOENT, "the memory descriptor is unlinked, or of another node");
        }
        if (md.entry != null) {
            throw new ErrnoException(
                    Errno.ENOENT, "the memory descriptor is attached to a match entry; sending needs a bound one");
        }
        if (md.threshold == 0) {
            throw new ErrnoException(Errno.ENOENT, "the memory descriptor's threshold is used up");
        }
        requireNode(target.nid());
        node.requireRoom();
        Message message = node.take();
        message.become(role);
        message.setPayload(md, 0, length);
        message.openViews();
        if (exact) {
            message.path().requestExact();
        }
        message.path().request(self, target.nid());
        message.header().setRoute(target.nid(), target.pid(), self, ProcessId.LUSTRE_PID);
        md.use();
        md.refs++;
        return message;
    }

    private static void requireNode(Nid target) {
        String why = target.isLoopback() ? null : target.whyNobodys();
        if (why != null) {
            throw new ErrnoException(
                    Errno.EINVAL, "a message needs the NID of a node as its destination; " + target + " " + why);
        }
    }

    /** A response may come now; it has a limit if options and tunables want it (spec 10 §16). */
    private void await(MemoryDescriptor md, MessageType type, int portal) {
        node.lock.assertHeld();
        md.called = node.now();
        int wanted = type == MessageType.GET ? 1 : 2;
        boolean tracked = !md.has(MdOption.NO_TRACK_RESPONSE)
                && (md.has(MdOption.TRACK_RESPONSE)
                        || portal == Wire.RESERVED_PORTAL
                        || (node.settings.get(Tunable.RESPONSE_TRACKING) & wanted) != 0);
        if (tracked) {
            long limit = md.timeoutNanos() > 0 ? md.timeoutNanos() : node.settings.transactionNanos();
            node.responses.track(md, type, md.called + limit);
        }
    }

    /**
     * Sends again, with its original parameters, a message that waited for discovery; it will not wait again.
     */
    public void resume(Message message) {
        node.lock.assertHeld();
        message.path().endDiscovery();
        launcher.launch(message, node.pending());
    }

    /**
     * Sends again, as if it had just been started, a message that waited for the discovery of a peer that is gone.
     */
    public void restart(Message message) {
        node.lock.assertHeld();
        launcher.launch(message, node.pending());
    }

    /** Fails a message that waited for discovery. */
    public void abandon(Message message, int status) {
        node.lock.assertHeld();
        node.pending().fail(message, status, HealthStatus.LOCAL_ERROR);
    }

    /**
     * Changes the CPU partitions of an NI; what waits for its credits goes on waiting at the new ones, or goes. Needs
     * no lock.
     *
     * @param ni finds the NI, called with the lock held
     * @param cpts the partitions, at least one
     */
    public void moveToCpts(Supplier<LocalNi> ni, int[] cpts) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            launcher.moveToCpts(ni.get(), cpts, work);
        } finally {
            node.lock.unlock();
        }
        dispatcher.run(work);
    }

    /** Calls something when the lock is free again. */
    public void later(Runnable call) {
        node.pending().calls.add(call);
    }

    /** Does what the calling thread has decided under the lock. Needs no lock. */
    public void flush() {
        dispatcher.flush();
    }
}
