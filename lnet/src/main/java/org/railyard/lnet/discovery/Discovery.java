package org.railyard.lnet.discovery;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.Event;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.PeerState;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.peer.PeerMerger;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.DiscoveryGate;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.lnet.wire.Wire;
import org.railyard.lnet.wire.WireFormatException;

/**
 * The discovery of peers (spec 11 §3): for each peer on the list, one action at a time, the first that applies, until there is nothing left to do.
 */
public final class Discovery implements DiscoveryGate {
    /** Most pings within one discovery: a peer whose answers stay unreadable fails with EPROTO instead of being pinged for ever. */
    static final int MAX_PINGS = 4;

    private static final System.Logger LOG = System.getLogger(Discovery.class.getName());

    private enum Action {
        WAIT,
        AGAIN,
        PING,
        PUSH,
        DONE
    }

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final PingTarget target;
    private final PeerMerger merger;
    private final PushTarget pushTarget;
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
        this.merger = new PeerMerger(node.peers, node.health);
        this.pushTarget = new PushTarget(descriptors, this::pushed);
        this.wake = wake;
        sender.setGate(this);
    }

    /** Takes pushes from now on, if the node is multi-rail; otherwise nobody answers them. */
    public void start() {
        if (node.settings.multiRail()) {
            pushTarget.post();
        } else {
            descriptors.setLazy(Wire.RESERVED_PORTAL, false);
        }
    }

    /** Takes no push any more. */
    public void stop() {
        pushTarget.close();
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
                || (isOn() && !peer.is(PeerState.NO_DISCOVERY) && peer.acknowledgedSequence != target.sequence());
    }

    private boolean isOn() {
        return node.settings.discovery() && node.settings.multiRail();
    }

    @Override
    public void request(Peer peer) {
        if (!peer.is(PeerState.DISCOVERING)) {
            peer.set(PeerState.DISCOVERING);
            peer.pings = 0;
            peer.error = 0;
        }
        enqueue(peer);
    }

    private void enqueue(Peer peer) {
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
     * @throws LNetException ENOMEM if no more peers can be remembered
     */
    public void discover(Nid nid, boolean force, Peer.Waiter waiter) {
        node.lock.lock();
        try {
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
        node.lock.lock();
        try {
            peer = queue.poll();
            if (peer == null) {
                return false;
            }
            peer.queued = false;
            if (node.stopping) {
                complete(peer, Errno.ESHUTDOWN.status());
                action = Action.DONE;
            } else {
                action = decide(peer);
            }
        } finally {
            node.lock.unlock();
        }
        switch (action) {
            case PING -> ping(peer);
            case PUSH -> push(peer);
            case WAIT, AGAIN, DONE -> {}
        }
        sender.flush();
        return true;
    }

    /** The first action that applies (spec 11 §3). Does the ones that need no message. */
    private Action decide(Peer peer) {
        if (peer.detached || !peer.is(PeerState.DISCOVERING)) {
            complete(peer, 0);
            return Action.DONE;
        }
        if (peer.is(PeerState.MARK_DELETION)) {
            rebuild(peer);
            return Action.DONE;
        }
        if (peer.is(PeerState.DATA_PRESENT)) {
            merge(peer);
            return Action.AGAIN;
        }
        if (peer.is(PeerState.PING_FAILED)) {
            peer.clear(PeerState.PING_FAILED);
            peer.set(PeerState.FORCE_PING);
            if (peer.error == 0 && peer.pings >= MAX_PINGS) {
                peer.error = Errno.EPROTO.status();
            }
            if (peer.error != 0) {
                complete(peer, peer.error);
                return Action.DONE;
            }
        }
        if (peer.is(PeerState.PUSH_FAILED)) {
            peer.clear(PeerState.PUSH_FAILED);
            complete(peer, peer.error != 0 ? peer.error : Errno.EIO.status());
            return Action.DONE;
        }
        if (peer.isAny(PeerState.PING_SENT | PeerState.PUSH_SENT)) {
            return Action.WAIT;
        }
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
        peer.clear(PeerState.FORCE_PUSH);
        complete(peer, 0);
        return Action.DONE;
    }

    private void complete(Peer peer, int error) {
        peer.clear(PeerState.DISCOVERING);
        peer.error = error;
        if (error == 0) {
            peer.clear(PeerState.REDISCOVER);
            peer.set(PeerState.DISCOVERED);
        } else {
            peer.set(PeerState.REDISCOVER);
            LOG.log(System.Logger.Level.DEBUG, "discovery of {0} failed: {1}", peer, Errno.describe(error));
        }
        release(peer, peer, error);
    }

    /** Lets go what waited for a peer; it goes on with {@code now}, which may be another object for the same node. */
    private void release(Peer waited, Peer now, int error) {
        List<Peer.Waiter> waiters = new ArrayList<>(waited.waiters);
        waited.waiters.clear();
        for (Peer.Waiter waiter : waiters) {
            sender.later(() -> waiter.discovered(now, error));
        }
        // Resumed messages may be parked again, on the same queue.
        for (int left = waited.parked.size(); left > 0; left--) {
            Message message = waited.parked.poll();
            if (message != null && error == 0) {
                sender.resume(message);
            } else if (message != null) {
                sender.abandon(message, error);
            }
        }
    }

    /** A peer that turned discovery off is known by one NID only from now on. */
    private void rebuild(Peer peer) {
        node.peers.remove(peer);
        PeerNi fresh = node.peers.findOrCreate(peer.primaryNid, null);
        release(peer, fresh == null ? peer : fresh.peer(), 0);
    }

    private void merge(Peer peer) {
        PingInfo info = peer.data;
        peer.data = null;
        peer.clear(PeerState.DATA_PRESENT);
        if (info == null) {
            return;
        }
        Peer now = merger.merge(peer, info, isOn());
        now.set(PeerState.NIDS_UPTODATE);
        now.infoBytes = Math.max(now.infoBytes, Math.min(PushTarget.MAX_BYTES, info.announcedBytes()));
        if (now != peer) {
            peer.parked.drainTo(now.parked);
            now.waiters.addAll(peer.waiters);
            peer.waiters.clear();
            peer.clear(PeerState.DISCOVERING | PeerState.PING_SENT);
            if (!now.is(PeerState.DISCOVERING)) {
                now.pings = peer.pings;
            }
            now.clear(PeerState.FORCE_PING);
        }
        request(now);
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

    private void ping(Peer peer) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(PingInfo.MIN_BUFFER, peer.infoBytes), Long.BYTES);
        MdConfig config = MdConfig.of(memory)
                .withOptions(MdOption.TRUNCATE)
                .withThreshold(2)
                .withAutoUnlink()
                .withHandler(event -> onPing(peer, event, memory));
        send(peer, PeerState.PING_SENT, PeerState.PING_FAILED, config, null);
    }

    private void push(Peer peer) {
        PingInfo info;
        int sequence;
        node.lock.lock();
        try {
            info = target.info();
            sequence = target.sequence();
        } finally {
            node.lock.unlock();
        }
        if (info == null) {
            fail(peer, PeerState.PUSH_SENT, PeerState.PUSH_FAILED, Errno.ESHUTDOWN.status());
            return;
        }
        MemorySegment memory = Arena.ofAuto().allocate(info.bytes(), Long.BYTES);
        info.write(memory, 0);
        MdConfig config = MdConfig.of(memory)
                .withThreshold(2)
                .withAutoUnlink()
                .withHandler(event -> onPush(peer, event, sequence));
        send(peer, PeerState.PUSH_SENT, PeerState.PUSH_FAILED, config, takePushPair(peer));
    }

    private record NidPair(Nid source, Nid target) {}

    /** Returns the pair of NIDs on which the last ping was answered, once; null if there is none that still exists. */
    private @Nullable NidPair takePushPair(Peer peer) {
        node.lock.lock();
        try {
            Nid source = peer.pushSource;
            Nid to = peer.pushTarget;
            peer.pushSource = null;
            peer.pushTarget = null;
            if (source == null || to == null || node.nis.find(source) == null) {
                return null;
            }
            PeerNi owner = node.peers.find(to);
            return owner == null || owner.peer() != peer ? null : new NidPair(source, to);
        } finally {
            node.lock.unlock();
        }
    }

    private void send(Peer peer, int sent, int failed, MdConfig config, @Nullable NidPair pair) {
        try {
            MemoryDescriptor md = descriptors.bind(config);
            ProcessId to = ProcessId.of(pair == null ? peer.primaryNid : pair.target());
            if (sent == PeerState.PING_SENT) {
                sender.get(md, Nid.ANY, to, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, false);
            } else {
                Nid source = pair == null ? Nid.ANY : pair.source();
                sender.put(md, true, source, to, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 0, pair != null);
            }
        } catch (LNetException e) {
            fail(peer, sent, failed, e.errno().status());
        }
    }

    private void fail(Peer peer, int sent, int failed, int error) {
        node.lock.lock();
        try {
            failLocked(peer, sent, failed, error);
        } finally {
            node.lock.unlock();
        }
    }

    private void failLocked(Peer peer, int sent, int failed, int error) {
        if (peer.is(sent)) {
            peer.clear(sent);
            peer.set(failed);
            peer.error = error;
            enqueue(peer);
        }
    }

    private void onPing(Peer peer, Event event, MemorySegment memory) {
        if (event.status() < 0) {
            fail(peer, PeerState.PING_SENT, PeerState.PING_FAILED, event.status());
            if (event.kind() == EventKind.SEND && !event.unlinked()) {
                event.md().unlink();
            }
        } else if (event.kind() == EventKind.REPLY) {
            answered(peer, event, memory);
        } else if (event.kind() == EventKind.UNLINK) {
            fail(peer, PeerState.PING_SENT, PeerState.PING_FAILED, Errno.ETIMEDOUT.status());
        }
    }

    /** Takes a ping reply (spec 11 §3.1). */
    private void answered(Peer peer, Event event, MemorySegment memory) {
        PingInfo info = read(event, memory);
        node.lock.lock();
        try {
            if (!peer.is(PeerState.PING_SENT)) {
                return;
            }
            peer.pushSource = event.targetNid();
            peer.pushTarget = event.sourceNid();
            if (info == null) {
                failLocked(peer, PeerState.PING_SENT, PeerState.PING_FAILED, 0);
                return;
            }
            applyFeatures(peer, info);
            if (info.isTruncated()) {
                peer.infoBytes = Math.min(PushTarget.MAX_BYTES, info.announcedBytes());
                // What is too large for a ping buffer is too large for the push that will follow.
                sender.later(() -> pushTarget.enlarge(peer.infoBytes));
                failLocked(peer, PeerState.PING_SENT, PeerState.PING_FAILED, 0);
                return;
            }
            peer.clear(PeerState.PING_SENT);
            present(peer, info);
        } finally {
            node.lock.unlock();
        }
    }

    private @Nullable PingInfo read(Event event, MemorySegment memory) {
        try {
            return PingInfo.read(
                    memory, 0, Math.min(event.mlength(), memory.byteSize()), node.settings.maxInterfaces());
        } catch (WireFormatException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "ping info from {0} is unreadable: {1}",
                    event.sourceNid(),
                    e.getMessage());
            return null;
        }
    }

    private void present(Peer peer, PingInfo info) {
        peer.sequence = info.sequence();
        peer.data = info;
        peer.set(PeerState.DATA_PRESENT);
        request(peer);
    }

    /** What the feature bits of an announcement say about the peer (spec 11 §3.1, 3–4). */
    private void applyFeatures(Peer peer, PingInfo info) {
        if (!info.hasFeature(PingInfo.DISCOVERY) || !isOn()) {
            boolean wasOn = !peer.is(PeerState.NO_DISCOVERY);
            peer.set(PeerState.NO_DISCOVERY);
            if (wasOn
                    && !peer.is(PeerState.CONFIGURED)
                    && peer.isMultiRail()
                    && peer.isAny(PeerState.DISCOVERED | PeerState.MULTI_RAIL)) {
                peer.set(PeerState.MARK_DELETION);
            }
        } else {
            peer.clear(PeerState.NO_DISCOVERY);
        }
        if (info.hasFeature(PingInfo.MULTI_RAIL)) {
            if (!peer.is(PeerState.NO_DISCOVERY)) {
                PeerMerger.setMultiRail(peer);
            }
        } else if (peer.isMultiRail() && !peer.is(PeerState.CONFIGURED)) {
            LOG.log(System.Logger.Level.ERROR, "peer {0} was multi-rail and says that it is not any more", peer);
            peer.clear(PeerState.MULTI_RAIL);
        }
    }

    private void onPush(Peer peer, Event event, int sequence) {
        if (event.status() < 0) {
            fail(peer, PeerState.PUSH_SENT, PeerState.PUSH_FAILED, event.status());
            if (event.kind() == EventKind.SEND && !event.unlinked()) {
                event.md().unlink();
            }
        } else if (event.kind() == EventKind.ACK) {
            acknowledged(peer, sequence);
        } else if (event.kind() == EventKind.UNLINK) {
            fail(peer, PeerState.PUSH_SENT, PeerState.PUSH_FAILED, Errno.ETIMEDOUT.status());
        }
    }

    private void acknowledged(Peer peer, int sequence) {
        node.lock.lock();
        try {
            peer.acknowledgedSequence = sequence;
            peer.clear(PeerState.PUSH_SENT);
            request(peer);
        } finally {
            node.lock.unlock();
        }
    }

    /** Takes a push (spec 11 §3.2). */
    private void pushed(Event event, MemorySegment memory) {
        PingInfo info = read(event, memory);
        node.lock.lock();
        try {
            PeerNi ni = node.peers.find(event.sourceNid());
            if (ni == null) {
                return;
            }
            Peer peer = ni.peer();
            peer.clear(PeerState.NIDS_UPTODATE);
            if (info == null || info.isTruncated() || event.rlength() > event.mlength()) {
                peer.set(PeerState.FORCE_PING);
                request(peer);
                return;
            }
            if (!info.hasFeature(PingInfo.MULTI_RAIL)) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "push from {0} without the multi-rail feature, ignored",
                        event.sourceNid());
                peer.set(PeerState.NIDS_UPTODATE);
                return;
            }
            applyFeatures(peer, info);
            present(peer, info);
        } finally {
            node.lock.unlock();
        }
    }
}
