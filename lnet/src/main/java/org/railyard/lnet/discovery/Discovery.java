package org.railyard.lnet.discovery;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.BondTalk;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.Trust;
import org.railyard.lnet.peer.PeerTable;
import org.railyard.lnet.peer.PeerWatcher;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.DiscoveryGate;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/**
 * The discovery of peers (spec 11 §3): for each peer on the list, one action at a time, the first that applies, until
 * there is nothing left to do. {@link #decide} is this table, from top to bottom:
 *
 * <pre>
 * peer                                      action
 * not DISCOVERING                           none
 * node stopping                             discovery ends with ESHUTDOWN
 * forgotten                                 who waits looks for another peer
 * MARK_DELETION                             is made anew with one NID
 * DATA_PRESENT                              the ping info is merged, and discovery goes on
 * PING_FAILED with an error, PUSH_FAILED    discovery ends with it
 * PING_FAILED                               once more, up to {@value #MAX_PINGS} times
 * PING_SENT, PUSH_SENT                      none, until {@link Intake} hears of it
 * FORCE_PING, or not NIDS_UPTODATE          ping
 * something to be told                      push
 * otherwise                                 discovery ends well
 * </pre>
 *
 * <p>How ping and push go is the table of {@link Peer#setExchange}.
 */
public final class Discovery implements DiscoveryGate, PeerWatcher {
    /**
     * Most pings within one discovery: a peer whose answers stay unreadable fails with EPROTO instead of being pinged
     * for ever.
     */
    static final int MAX_PINGS = 4;

    /** Time after which an unacknowledged push is not waited for when there is something new to tell, ns. */
    private static final long OVERDUE_NANOS = 1_000_000_000L;

    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private enum Action {
        NONE,
        PING,
        PUSH
    }

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final PushTracker pushTracker;
    private final Announcements announcements;
    private final Identity identity;
    private final Prober prober;
    private final Intake intake;
    private final Waiters waiters;
    private final Reminders reminders;
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
        this.pushTracker = new PushTracker(node, target);
        this.announcements = new Announcements(node, sender);
        this.reminders = new Reminders(node.lock);
        this.waiters = new Waiters(node, sender);
        this.identity = new Identity(node, announcements, this);
        this.intake = new Intake(node, sender, descriptors, announcements, this, pushTracker);
        this.prober = new Prober(node, sender, descriptors, target, pushTracker, intake);
        this.wake = wake;
        sender.setGate(this);
        node.peers.watch(this);
    }

    /** Returns what notices that a NID belongs to another node now. */
    public Identity identity() {
        return identity;
    }

    /** Returns who has to be told what of this node. */
    public PushTracker pushTracker() {
        return pushTracker;
    }

    /** Says in the log, now and then and without the lock, what is wrong with an announcement or a configuration. */
    void complain(System.Logger.Level level, String topic, String line) {
        announcements.complain(level, topic, line);
    }

    /** Tells whether discovery is on here. */
    boolean isOn() {
        node.lock.assertHeld();
        return announcements.isOn();
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
    public boolean mayPass(Peer peer) {
        node.lock.assertHeld();
        return isUpToDate(peer) || peer.is(PeerState.ROUTER_DISCOVERY) || !announcements.isOn();
    }

    /** Tells whether everything is known of a peer, and it was told everything. */
    boolean isUpToDate(Peer peer) {
        node.lock.assertHeld();
        return !peer.isAny(PeerState.DISCOVERING | PeerState.FORCE_PING | PeerState.FORCE_PUSH | PeerState.REDISCOVER)
                && peer.is(PeerState.DISCOVERED | PeerState.NIDS_UPTODATE)
                && !isPushOwed(peer);
    }

    private boolean isPushOwed(Peer peer) {
        if (!peer.isMultiRail() || peer.isAny(PeerState.MARK_DELETION | PeerState.PUSH_SENT)) {
            return false;
        }
        return peer.is(PeerState.FORCE_PUSH)
                || (announcements.isOn() && !peer.is(PeerState.NO_DISCOVERY) && pushTracker.isOwed(peer));
    }

    @Override
    public void request(Peer peer) {
        node.lock.assertHeld();
        if (!peer.is(PeerState.DISCOVERING)) {
            peer.set(PeerState.DISCOVERING);
            peer.pings = 0;
            peer.requested = node.now();
            peer.error = 0;
        }
        enqueue(peer);
    }

    /** Puts a peer on the list. */
    void enqueue(Peer peer) {
        node.lock.assertHeld();
        if (!peer.queued) {
            peer.queued = true;
            queue.add(peer);
        }
        wake.run();
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
                    PushTracker.forgetAcknowledgements(peer);
                }
                PushTracker.resume(peer);
                overtake(peer);
                if (isPushOwed(peer)) {
                    reminders.forget(peer);
                    request(peer);
                }
            }
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Tells all multi-rail peers that the status of an NI, or what this node is good for, has changed in place, under
     * the old sequence number; nobody while discovery is off here (spec 11 §5). Needs no lock.
     */
    public void publishStatus() {
        if (node.locked(any -> isOn())) {
            publish(true);
        }
    }

    /**
     * A push that should have been acknowledged by now is not waited for: it may be lost on the very rail that the news
     * is about. But news one after the other do not keep those waiting for ever who wait for the peer: after the time
     * of a transaction, a discovery ends with the push that is under way.
     */
    private void overtake(Peer peer) {
        node.lock.assertHeld();
        if (peer.is(PeerState.PUSH_SENT)
                && peer.exchange instanceof Exchange exchange
                && node.now() - exchange.since >= OVERDUE_NANOS
                && node.now() - peer.requested < node.settings.transactionNanos()) {
            exchange.overtaken = true;
            peer.exchange = null;
            peer.setExchange(0);
            peer.set(PeerState.FORCE_PUSH);
        }
    }

    /**
     * An overtaken push arrived after all, perhaps behind the newer one: only one that is sent now is surely the last.
     */
    void acknowledgedLate(Peer peer, Exchange late) {
        node.lock.assertHeld();
        if (!peer.detached) {
            if (late.talk != null) {
                late.talk.acknowledgedSequence = 0;
            }
            peer.set(PeerState.FORCE_PUSH);
            request(peer);
        }
    }

    /** Discovery is on now: peers that could not be discovered before are asked at the next use. */
    public void turnedOn() {
        node.lock.lock();
        try {
            for (Peer peer : node.peers.all()) {
                if (peer.is(PeerState.NO_DISCOVERY)) {
                    peer.clear(PeerState.NIDS_UPTODATE);
                }
            }
        } finally {
            node.lock.unlock();
        }
    }

    /** Does what is to be done now. Called by one thread at a time. */
    public void run(long now) {
        intake.takePushesAgain();
        node.lock.lock();
        try {
            reminders.due(now, this::comeBack);
        } finally {
            node.lock.unlock();
        }
        while (step()) {
            // One action each time, so that the lock is never held for long.
        }
    }

    private void comeBack(Peer peer) {
        node.lock.assertHeld();
        PushTracker.resume(peer);
        boolean outdated = peer.is(PeerState.DISCOVERED) && !peer.is(PeerState.NIDS_UPTODATE);
        if (!peer.detached && !peer.is(PeerState.DISCOVERING) && (outdated || isPushOwed(peer))) {
            request(peer);
        }
    }

    @Override
    public void nidLost(Peer peer) {
        node.lock.assertHeld();
        if (peer.is(PeerState.DISCOVERED) && announcements.isOn()) {
            reminders.nidLost(peer, node.now());
        }
    }

    private boolean step() {
        Peer peer;
        Action action;
        Exchange exchange;
        node.lock.lock();
        try {
            peer = queue.poll();
            if (peer == null) {
                return false;
            }
            peer.queued = false;
            action = decide(peer);
            BondTalk talk = action == Action.PUSH ? pushTracker.next(peer) : null;
            exchange = new Exchange(Waiters.isAwaited(peer), node.now(), talk);
            if (action != Action.NONE) {
                peer.exchange = exchange;
            }
        } finally {
            node.lock.unlock();
        }
        if (action != Action.NONE) {
            begin(action, peer, exchange);
        }
        sender.flush();
        return true;
    }

    /** Sends a ping or push; one that can not be made has failed, so that the peer does not wait for its answer. */
    private void begin(Action action, Peer peer, Exchange exchange) {
        try {
            if (action == Action.PING) {
                prober.ping(peer, exchange);
            } else {
                prober.push(peer, exchange);
            }
        } catch (RuntimeException e) {
            // No memory, or the bond that was to be told of has gone just now.
            LOG.log(System.Logger.Level.DEBUG, () -> action + " of " + peer + " could not be made", e);
            intake.failed(peer, exchange, (e instanceof ErrnoException known ? known.errno() : Errno.EIO).status());
        }
    }

    /** The first action that applies (spec 11 §3). Does the ones that need no message. */
    private Action decide(Peer peer) {
        node.lock.assertHeld();
        if (!peer.is(PeerState.DISCOVERING)) {
            return Action.NONE;
        }
        if (node.stopping) {
            complete(peer, Errno.ESHUTDOWN.status());
        } else if (peer.detached) {
            peer.clear(PeerState.DISCOVERING);
            waiters.restart(peer, peer.error);
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
            peer.setExchange(PeerState.PING_SENT);
            peer.pings++;
            return Action.PING;
        }
        if (isPushOwed(peer) && pushTracker.canBeTold(peer)) {
            if (pushTracker.isOnePushEnough(peer)) {
                peer.clear(PeerState.FORCE_PUSH);
            }
            peer.setExchange(PeerState.PUSH_SENT);
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
            peer.setExchange(0);
            peer.set(PeerState.FORCE_PING);
            if (peer.error == 0 && peer.pings >= MAX_PINGS) {
                peer.error = Errno.EPROTO.status();
            }
            return peer.error != 0;
        }
        boolean failed = peer.is(PeerState.PUSH_FAILED);
        if (failed) {
            peer.setExchange(0);
            if (!peer.is(PeerState.NO_DISCOVERY)) {
                // What it was to be told is still to be told.
                peer.set(PeerState.FORCE_PUSH);
            }
        }
        return failed;
    }

    private void complete(Peer peer, int error) {
        peer.clear(PeerState.DISCOVERING);
        boolean news = !peer.is(PeerState.DISCOVERED) || peer.is(PeerState.REDISCOVER);
        peer.error = error;
        peer.pushSource = null;
        peer.pushTarget = null;
        if (error == 0) {
            peer.clear(PeerState.REDISCOVER);
            peer.set(PeerState.DISCOVERED);
            node.peers.trust(peer, Trust.ANSWERED);
            if (PushTracker.isPostponed(peer)) {
                reminders.pushFailed(peer, node.now());
            } else {
                reminders.forget(peer);
            }
        } else {
            peer.set(PeerState.REDISCOVER);
            if (isPushOwed(peer) && !mayBeInvented(peer)) {
                reminders.pushFailed(peer, node.now());
            }
            sender.later(() ->
                    LOG.log(System.Logger.Level.DEBUG, "discovery of {0} failed: {1}", peer, Errno.describe(error)));
        }
        if (!node.stopping) {
            long took = node.now() - peer.requested;
            node.events.discovered(peer.primaryNid, peer.nis().size(), news, took, error);
            node.gateways.discovered(peer, error);
        }
        waiters.release(peer, peer, error);
    }

    /**
     * Tells whether nothing ever came from a peer that others name, though it is on a net of ours: whoever pushes in
     * the names of NIDs that nobody has does not get them dialled again and again.
     */
    private boolean mayBeInvented(Peer peer) {
        node.lock.assertHeld();
        return peer.trust == Trust.NAMED
                && !peer.isAny(PeerState.CONFIGURED | PeerState.LOCK_PRIMARY)
                && node.nis.netOf(peer.primaryNid) != null;
    }

    /** A peer that turned discovery off is known by one NID only from now on. */
    private void rebuild(Peer peer) {
        Peer fresh = node.peers.renew(peer, peer.primaryNid, 0);
        peer.clear(PeerState.DISCOVERING);
        if (peer.is(PeerState.LOCK_PRIMARY)) {
            fresh.set(PeerState.LOCK_PRIMARY);
            fresh.lockedAt = peer.lockedAt;
        }
        waiters.release(peer, fresh, 0);
    }

    private void merge(Peer peer) {
        PingInfo info = peer.data;
        peer.data = null;
        peer.clear(PeerState.DATA_PRESENT);
        if (info == null) {
            return;
        }
        Peer now = announcements.merger().merge(peer, info, announcements.isOn());
        node.gateways.announced(now, info);
        now.set(PeerState.NIDS_UPTODATE);
        now.infoBytes = Math.max(now.infoBytes, Math.min(PushTarget.MAX_BYTES, info.announcedBytes()));
        if (now != peer) {
            if (now.is(PeerState.PING_SENT)) {
                callOff(now);
            }
            now.clear(PeerState.FORCE_PING);
            if (!peer.detached) {
                // Something keeps it from becoming a part of the other; but more can not be learned about it.
                peer.set(PeerState.NIDS_UPTODATE);
                request(peer);
            }
        }
        request(now);
    }

    /** What becomes of an exchange is of no interest any more. */
    private void callOff(Peer peer) {
        node.lock.assertHeld();
        if (peer.exchange instanceof Exchange exchange && exchange.md != null) {
            MemoryDescriptor md = exchange.md;
            md.withdrawn = true;
            sender.later(() -> descriptors.withdraw(md));
        }
        peer.exchange = null;
        peer.setExchange(0);
    }

    @Override
    public void removed(Peer gone, @Nullable Peer successor, int status) {
        node.lock.assertHeld();
        callOff(gone);
        reminders.forget(gone);
        if (successor == null) {
            if (status == Errno.ENOMEM.status()) {
                complain(
                        System.Logger.Level.WARNING,
                        "full",
                        "no further NIDs of peers can be remembered, the limit is " + PeerTable.MAX_PEER_NIS
                                + ": peers are forgotten that nobody configured, first those that never answered");
            }
            if (!gone.is(PeerState.DISCOVERING) && !Waiters.isAwaited(gone)) {
                // Nobody is to be told.
                return;
            }
            gone.error = status;
            gone.set(PeerState.DISCOVERING);
            enqueue(gone);
            return;
        }
        boolean awaited = Waiters.isAwaited(gone);
        Waiters.handOver(gone, successor);
        PushTracker.handOver(gone, successor);
        successor.set(gone.state & PeerState.FORCE_PUSH);
        if (awaited) {
            request(successor);
        }
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
            for (Peer peer = queue.poll(); peer != null; peer = queue.poll()) {
                peer.queued = false;
                complete(peer, Errno.ESHUTDOWN.status());
            }
        } finally {
            node.lock.unlock();
        }
        sender.flush();
    }
}
