package org.railyard.lnet.discovery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Tunable;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.PeerState;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerMerger;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.DiscoveryGate;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.lnet.wire.Wire;

/**
 * The discovery of peers (spec 11 §3): for each peer on the list, one action at a time, the first that applies, until there is nothing left to do.
 */
public final class Discovery implements DiscoveryGate {
    /** Most pings within one discovery: a peer whose answers stay unreadable fails with EPROTO instead of being pinged for ever. */
    static final int MAX_PINGS = 4;

    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private enum Action {
        NONE,
        PING,
        PUSH
    }

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final PingTarget target;
    private final Announcements announcements;
    private final PeerMerger merger;
    private final Prober prober;
    private final Intake intake;
    private final Runnable wake;
    private final Deque<Peer> queue = new ArrayDeque<>();

    /**
     * Makes a discovery that does nothing until {@link #start}.
     *
     * @param wake makes {@link #run} be called soon; must not call it
     */
    public Discovery(Node node, Sender sender, Descriptors descriptors, PingTarget target, Runnable wake) {
        this.node = node;
        this.sender = sender;
        this.descriptors = descriptors;
        this.target = target;
        this.announcements = new Announcements(node, sender);
        this.merger = new PeerMerger(node.peers, node.health, line -> announcements.complain("configuration", line));
        this.intake = new Intake(node, sender, descriptors, announcements, this);
        this.prober = new Prober(node, sender, descriptors, target, intake);
        this.wake = wake;
        sender.setGate(this);
    }

    /** Takes pushes from now on, if the node is multi-rail; otherwise nobody answers them. */
    public void start() {
        if (node.settings.is(Tunable.MULTI_RAIL)) {
            intake.takePushes();
        } else {
            descriptors.setLazy(Wire.RESERVED_PORTAL, false);
        }
    }

    /** Takes no push any more. */
    public void stop() {
        intake.close();
    }

    @Override
    public boolean isUpToDate(Peer peer) {
        return !peer.isAny(PeerState.DISCOVERING | PeerState.FORCE_PING | PeerState.FORCE_PUSH | PeerState.REDISCOVER)
                && peer.is(PeerState.DISCOVERED | PeerState.NIDS_UPTODATE)
                && !isPushOwed(peer);
    }

    private boolean isPushOwed(Peer peer) {
        if (!peer.isMultiRail() || peer.isAny(PeerState.MARK_DELETION | PeerState.PUSH_SENT)) {
            return false;
        }
        return peer.is(PeerState.FORCE_PUSH)
                || (announcements.isOn()
                        && !peer.is(PeerState.NO_DISCOVERY)
                        && peer.acknowledgedSequence != target.sequence());
    }

    @Override
    public void request(Peer peer) {
        if (!peer.is(PeerState.DISCOVERING)) {
            peer.set(PeerState.DISCOVERING);
            peer.clear(PeerState.PING_FAILED | PeerState.PUSH_FAILED);
            peer.pings = 0;
            peer.error = 0;
        }
        enqueue(peer);
    }

    /** Puts a peer on the list. Needs the lock. */
    void enqueue(Peer peer) {
        if (!peer.queued) {
            peer.queued = true;
            queue.add(peer);
        }
        wake.run();
    }

    /**
     * Discovers the node with a NID, whatever is known of it.
     *
     * @param force ping and push even if there is no need
     * @param waiter gets the result
     * @throws LNetException EINVAL for the wildcard; ENOMEM if no more peers can be remembered; ESHUTDOWN when the node is stopping
     */
    public void discover(Nid nid, boolean force, Peer.Waiter waiter) {
        if (nid.isAny()) {
            throw new LNetException(Errno.EINVAL, "the wildcard can not be discovered, only a NID");
        }
        node.lock.lock();
        try {
            if (node.stopping) {
                throw new LNetException(Errno.ESHUTDOWN, "the node is closed");
            }
            PeerNi ni = node.peers.findOrCreate(nid, null);
            if (ni == null) {
                throw new LNetException(Errno.ENOMEM, "no room for another peer");
            }
            Peer peer = ni.peer();
            peer.clear(PeerState.NIDS_UPTODATE);
            if (force) {
                peer.set(PeerState.FORCE_PING | PeerState.FORCE_PUSH);
            }
            peer.waiters.add(waiter);
            request(peer);
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Tells all multi-rail peers what has changed here.
     *
     * @param force tell also those that acknowledged the current sequence number
     */
    public void publish(boolean force) {
        node.lock.lock();
        try {
            for (Peer peer : node.peers.all()) {
                if (force && peer.isMultiRail()) {
                    peer.set(PeerState.FORCE_PUSH);
                }
                if (isPushOwed(peer)) {
                    request(peer);
                }
            }
        } finally {
            node.lock.unlock();
        }
    }

    /** Does what is to be done now. Called by one thread at a time. */
    public void run() {
        while (step()) {
            // One action each time, so that the lock is never held for long.
        }
    }

    private boolean step() {
        Peer peer;
        Action action;
        Object exchange = new Object();
        node.lock.lock();
        try {
            peer = queue.poll();
            if (peer == null) {
                return false;
            }
            peer.queued = false;
            action = decide(peer);
            if (action != Action.NONE) {
                peer.exchange = exchange;
            }
        } finally {
            node.lock.unlock();
        }
        switch (action) {
            case PING -> prober.ping(peer, exchange);
            case PUSH -> prober.push(peer, exchange);
            case NONE -> {}
        }
        sender.flush();
        return true;
    }

    /** The first action that applies (spec 11 §3). Does the ones that need no message. */
    private Action decide(Peer peer) {
        if (!peer.is(PeerState.DISCOVERING)) {
            return Action.NONE;
        }
        if (node.stopping) {
            complete(peer, Errno.ESHUTDOWN.status());
        } else if (peer.detached) {
            peer.clear(PeerState.DISCOVERING);
            tell(peer, peer, Errno.EHOSTUNREACH.status());
            sendParked(peer, 0);
        } else if (peer.is(PeerState.MARK_DELETION)) {
            rebuild(peer);
        } else if (peer.is(PeerState.DATA_PRESENT)) {
            merge(peer);
        } else if (hasFailed(peer)) {
            complete(peer, peer.error);
        } else if (!peer.isAny(PeerState.PING_SENT | PeerState.PUSH_SENT)) {
            return probe(peer);
        }
        return Action.NONE;
    }

    private Action probe(Peer peer) {
        if (peer.is(PeerState.FORCE_PING) || !peer.is(PeerState.NIDS_UPTODATE)) {
            peer.clear(PeerState.FORCE_PING);
            peer.set(PeerState.PING_SENT);
            peer.pings++;
            return Action.PING;
        }
        if (isPushOwed(peer)) {
            peer.clear(PeerState.FORCE_PUSH);
            peer.set(PeerState.PUSH_SENT);
            return Action.PUSH;
        }
        // A peer that is not multi-rail is never pushed to, whoever wants it.
        peer.clear(PeerState.FORCE_PUSH);
        complete(peer, 0);
        return Action.NONE;
    }

    /** Cleans up after a failed ping or push; returns whether that is the end of the discovery. */
    private static boolean hasFailed(Peer peer) {
        if (peer.is(PeerState.PING_FAILED)) {
            peer.clear(PeerState.PING_FAILED);
            peer.set(PeerState.FORCE_PING);
            if (peer.error == 0 && peer.pings >= MAX_PINGS) {
                peer.error = Errno.EPROTO.status();
            }
            return peer.error != 0;
        }
        boolean failed = peer.is(PeerState.PUSH_FAILED);
        peer.clear(PeerState.PUSH_FAILED);
        return failed;
    }

    private void complete(Peer peer, int error) {
        peer.clear(PeerState.DISCOVERING);
        peer.error = error;
        peer.pushSource = null;
        peer.pushTarget = null;
        if (error == 0) {
            peer.clear(PeerState.REDISCOVER);
            peer.set(PeerState.DISCOVERED);
        } else {
            peer.set(PeerState.REDISCOVER);
            sender.later(() ->
                    LOG.log(System.Logger.Level.DEBUG, "discovery of {0} failed: {1}", peer, Errno.describe(error)));
        }
        tell(peer, peer, error);
        sendParked(peer, error);
    }

    /** Tells those who wait for a peer how it went; {@code now} may be another object for the same node. */
    private void tell(Peer waited, Peer now, int error) {
        List<Peer.Waiter> waiters = new ArrayList<>(waited.waiters);
        waited.waiters.clear();
        for (Peer.Waiter waiter : waiters) {
            sender.later(() -> waiter.discovered(now, error));
        }
    }

    private void sendParked(Peer peer, int error) {
        for (Message message = peer.parked.poll(); message != null; message = peer.parked.poll()) {
            if (error == 0) {
                sender.resume(message);
            } else {
                sender.abandon(message, error);
            }
        }
    }

    /** A peer that turned discovery off is known by one NID only from now on. */
    private void rebuild(Peer peer) {
        node.peers.remove(peer);
        peer.clear(PeerState.DISCOVERING);
        PeerNi fresh = node.peers.findOrCreate(peer.primaryNid, null);
        tell(peer, fresh == null ? peer : fresh.peer(), 0);
        sendParked(peer, 0);
    }

    private void merge(Peer peer) {
        PingInfo info = peer.data;
        peer.data = null;
        peer.clear(PeerState.DATA_PRESENT);
        if (info == null) {
            return;
        }
        Peer now = merger.merge(peer, info, announcements.isOn());
        now.set(PeerState.NIDS_UPTODATE);
        now.infoBytes = Math.max(now.infoBytes, Math.min(PushTarget.MAX_BYTES, info.announcedBytes()));
        if (now != peer) {
            handOver(peer, now);
        }
        request(now);
    }

    /** What was asked about one peer turned out to be about another. */
    private static void handOver(Peer peer, Peer now) {
        peer.parked.drainTo(now.parked);
        now.waiters.addAll(peer.waiters);
        peer.waiters.clear();
        now.set(peer.state & PeerState.FORCE_PUSH);
        peer.clear(PeerState.DISCOVERING | PeerState.FORCE_PUSH | PeerState.PING_SENT | PeerState.PUSH_SENT);
        peer.exchange = null;
        if (now.is(PeerState.PING_SENT)) {
            now.exchange = null;
        }
        now.clear(PeerState.FORCE_PING | PeerState.PING_SENT);
    }

    /** Ends all discoveries with ESHUTDOWN: the node is stopping. */
    public void abandonAll() {
        node.lock.lock();
        try {
            for (Peer peer : node.peers.all()) {
                if (peer.is(PeerState.DISCOVERING)) {
                    complete(peer, Errno.ESHUTDOWN.status());
                }
            }
        } finally {
            node.lock.unlock();
        }
        sender.flush();
    }
}
