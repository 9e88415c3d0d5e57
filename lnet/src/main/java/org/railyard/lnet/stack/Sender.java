package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.Wire;

/** Sending: from a call to the transport's hands (spec 10 §5–§8). */
public final class Sender {
    private final Node node;
    private final Completer completer;
    private final LocalNi loopback;
    private @Nullable DiscoveryGate gate;

    /** Makes a sender. */
    public Sender(Node node, Completer completer, LocalNi loopback) {
        this.node = node;
        this.completer = completer;
        this.loopback = loopback;
        completer.setSender(this);
    }

    /** Connects discovery. */
    public void setGate(DiscoveryGate discovery) {
        gate = discovery;
    }

    /**
     * Sends a PUT of a free-floating MD (spec 10 §5.1). The outcome is an event.
     *
     * @throws LNetException ENOENT if the MD is gone, exhausted or attached to a match entry; EINVAL; ENOBUFS
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
            Message message = start(md, self, target, exact, md.length());
            message.header()
                    .setPut(
                            md.length(),
                            ack ? node.cookie : Wire.NO_COOKIE,
                            ack ? md.cookie : Wire.NO_COOKIE,
                            portal,
                            matchBits,
                            offset,
                            hdrData);
            if (ack) {
                track(md, MessageType.PUT, portal);
            }
            prepare(message, work);
        } finally {
            node.lock.unlock();
        }
        completer.run(work);
    }

    /**
     * Sends a GET into a free-floating MD (spec 10 §5.2). The outcome is an event.
     *
     * @throws LNetException as {@link #put}
     */
    public void get(
            MemoryDescriptor md, Nid self, ProcessId target, int portal, long matchBits, int offset, boolean exact) {
        Pending work = node.pending();
        node.lock.lock();
        try {
            Message message = start(md, self, target, exact, 0);
            message.header().setGet(node.cookie, md.cookie, portal, matchBits, offset, md.length());
            track(md, MessageType.GET, portal);
            prepare(message, work);
        } finally {
            node.lock.unlock();
        }
        completer.run(work);
    }

    private Message start(MemoryDescriptor md, Nid self, ProcessId target, boolean exact, int length) {
        if (md.unlinked || md.entry != null || md.threshold == 0) {
            throw new LNetException(
                    Errno.ENOENT,
                    md.entry != null
                            ? "the memory descriptor is attached to a match entry; sending needs a bound one"
                            : md.unlinked
                                    ? "the memory descriptor is unlinked"
                                    : "the memory descriptor's threshold is used up");
        }
        if (target.nid().isAny()) {
            throw new LNetException(Errno.EINVAL, "a message needs a destination NID, not the wildcard");
        }
        node.requireRoom();
        Message message = node.take();
        message.md = md;
        message.length = length;
        message.openViews();
        message.sending = true;
        message.exactTarget = exact;
        message.requestedSource = self;
        message.requestedTarget = target.nid();
        message.header().setRoute(target.nid(), target.pid(), self, node.pid);
        md.use();
        md.refs++;
        return message;
    }

    private void track(MemoryDescriptor md, MessageType type, int portal) {
        int wanted = type == MessageType.GET ? 1 : 2;
        boolean tracked = !md.has(MdOption.NO_TRACK_RESPONSE)
                && (md.has(MdOption.TRACK_RESPONSE)
                        || portal == Wire.RESERVED_PORTAL
                        || (node.settings.responseTracking() & wanted) != 0);
        if (tracked) {
            long limit = md.timeoutNanos() > 0 ? md.timeoutNanos() : transactionTimeoutNanos();
            node.responses.track(md, type, node.now() + limit);
        }
    }

    private long transactionTimeoutNanos() {
        return node.settings.transactionTimeout() * 1_000_000_000L;
    }

    /** Finds the way of a message and sends it, queues it, parks it for discovery, or fails it. Needs the lock. */
    void prepare(Message message, Pending work) {
        if (node.stopping) {
            fail(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ERROR, work);
            return;
        }
        LNetHeader header = message.header();
        if (message.requestedTarget.isLoopback()) {
            header.setRoute(Nid.LOOPBACK, header.destPid(), Nid.LOOPBACK, node.pid);
            message.ni = loopback;
            loopback.refs++;
            work.toSend.add(message);
            return;
        }
        PeerNi target = node.peers.findOrCreate(message.requestedTarget, null);
        if (target == null) {
            fail(message, Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR, work);
            return;
        }
        if (gate != null && isGated(message) && !gate.isUpToDate(target.peer())) {
            target.peer().parked.add(message);
            gate.request(target.peer());
            return;
        }
        int status = node.selector.select(message, target);
        if (status < 0) {
            boolean local = status == Errno.EINVAL.status();
            fail(message, status, local ? HealthStatus.LOCAL_ERROR : HealthStatus.REMOTE_ERROR, work);
            return;
        }
        commit(message, work);
    }

    private static boolean isGated(Message message) {
        return !message.response && message.header().portal() != Wire.RESERVED_PORTAL;
    }

    private void commit(Message message, Pending work) {
        LocalNi ni = message.ni;
        PeerNi peerNi = message.peerNi;
        if (ni == null || peerNi == null) {
            throw new IllegalStateException("selection left a message without a path");
        }
        LNetHeader header = message.header();
        header.setRoute(peerNi.nid(), header.destPid(), ni.nid(), node.pid);
        long timeout = transactionTimeoutNanos();
        message.deadline = node.now() + timeout;
        message.timeout = timeout;
        if (message.md != null) {
            message.md.trackedNextHop = peerNi.nid();
        }
        ni.refs++;
        peerNi.queuedBytes += charge(message);
        message.peerCredit = peerNi.credits.take(message);
        if (message.peerCredit) {
            takeNiCredit(message, ni, work);
        }
    }

    private static int charge(Message message) {
        return LNetHeader.NID4_BYTES + message.header().payloadLength();
    }

    private void takeNiCredit(Message message, LocalNi ni, Pending work) {
        message.niCredit = ni.credits.take(message);
        if (message.niCredit) {
            post(message, work);
        }
    }

    /** A message has all its credits: it goes, unless it is too late (spec 10 §7, drop check). */
    private void post(Message message, Pending work) {
        if (message.md != null && message.md.aborted) {
            fail(message, Errno.ECANCELED.status(), HealthStatus.LOCAL_ERROR, work);
        } else if (message.deadline - node.now() <= 0) {
            fail(message, Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT, work);
        } else {
            work.toSend.add(message);
        }
    }

    private static void fail(Message message, int status, HealthStatus health, Pending work) {
        message.status = status;
        message.health = health;
        work.toFail.add(message);
    }

    /** Gives the credits of a message back, which may start others. Needs the lock. */
    void returnCredits(Message message, Pending work) {
        LocalNi ni = message.ni;
        PeerNi peerNi = message.peerNi;
        if (message.niCredit && ni != null) {
            message.niCredit = false;
            Message next = ni.credits.giveBack();
            if (next != null) {
                next.niCredit = true;
                post(next, work);
            }
        }
        if (peerNi != null && message.sending) {
            peerNi.queuedBytes -= charge(message);
            if (message.peerCredit) {
                message.peerCredit = false;
                Message next = peerNi.credits.giveBack();
                if (next != null && next.ni != null) {
                    next.peerCredit = true;
                    takeNiCredit(next, next.ni, work);
                }
            }
        }
    }

    /** Hands a message to its transport. Needs no lock. */
    void hand(Message message) {
        LocalNi ni = message.ni;
        if (ni == null) {
            throw new IllegalStateException("a message without an NI can not be sent");
        }
        int status = ni.lnd().send(ni, message);
        if (status < 0) {
            completer.complete(message, status, HealthStatus.LOCAL_ERROR);
        }
    }

    /** Sends again, with their original parameters, messages that waited for discovery. Needs the lock. */
    public void resume(Message message) {
        prepare(message, node.pending());
    }

    /** Fails a message that waited for discovery. Needs the lock. */
    public void abandon(Message message, int status) {
        fail(message, status, HealthStatus.LOCAL_ERROR, node.pending());
    }

    /** Calls something when the lock is free again. Needs the lock. */
    public void later(Runnable call) {
        node.pending().calls.add(call);
    }

    /** Does what the calling thread has decided under the lock. Needs no lock. */
    public void flush() {
        completer.run(node.pending());
    }
}
