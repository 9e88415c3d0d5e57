package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/**
 * Takes what peers send to discovery: answers to our pings, acknowledgements of our pushes, and pushes (spec 11
 * §3.1–§3.2).
 */
final class Intake implements Prober.Listener {
    private final Node node;
    private final Sender sender;
    private final Announcements announcements;
    private final Discovery discovery;
    private final PushTracker pushTracker;
    private final PushTarget pushTarget;

    Intake(
            Node node,
            Sender sender,
            Descriptors descriptors,
            Announcements announcements,
            Discovery discovery,
            PushTracker pushTracker) {
        this.node = node;
        this.sender = sender;
        this.announcements = announcements;
        this.discovery = discovery;
        this.pushTracker = pushTracker;
        this.pushTarget = new PushTarget(descriptors, this::pushed);
    }

    /** Takes pushes from now on. */
    void takePushes() {
        pushTarget.post();
    }

    /** Takes pushes again, if there was no memory for it before. */
    void takePushesAgain() {
        pushTarget.postIfMissing();
    }

    /** Takes no push any more. */
    void close() {
        pushTarget.close();
    }

    @Override
    public void failed(Peer peer, Exchange exchange, int status) {
        node.lock.lock();
        try {
            if (peer.exchange == exchange) {
                fail(peer, status);
            }
        } finally {
            node.lock.unlock();
        }
    }

    private void fail(Peer peer, int status) {
        node.lock.assertHeld();
        boolean ping = peer.is(PeerState.PING_SENT);
        boolean postponed =
                !ping && peer.exchange instanceof Exchange failed && pushTracker.postpone(peer, failed.talk);
        boolean givenUpEarly = peer.exchange instanceof Exchange exchange
                && !ping
                && !exchange.awaited
                && !peer.is(PeerState.NO_DISCOVERY)
                && status == Errno.ETIMEDOUT.status();
        peer.exchange = null;
        if (postponed) {
            peer.setExchange(0);
            // Other bonds go on; this one is come back to.
        } else if (givenUpEarly && Waiters.isAwaited(peer)) {
            // Now somebody does wait, and the limit for that is longer.
            peer.setExchange(0);
            peer.set(PeerState.FORCE_PUSH);
        } else {
            peer.setExchange(ping ? PeerState.PING_FAILED : PeerState.PUSH_FAILED);
            peer.error = status;
        }
        discovery.enqueue(peer);
    }

    /** Takes a ping reply (spec 11 §3.1). */
    @Override
    public void answered(Peer peer, Exchange exchange, Event reply, MemorySegment memory) {
        PingInfo info = announcements.read(reply, memory);
        node.lock.lock();
        try {
            if (peer.exchange != exchange) {
                return;
            }
            peer.pushSource = reply.targetNid();
            peer.pushTarget = reply.sourceNid();
            pushTracker.heard(peer, reply.targetNid());
            if (info == null) {
                fail(peer, 0);
                return;
            }
            if (isFromElsewhere(peer, reply.sourceNid(), info)) {
                fail(peer, 0);
                return;
            }
            announcements.applyFeatures(peer, info);
            if (info.isTruncated()) {
                expectLarger(peer, info);
                fail(peer, 0);
                return;
            }
            peer.exchange = null;
            peer.setExchange(0);
            present(peer, info);
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Whether the answer is that of another node, and says nothing about the peer that was asked; a peer of one NID is
     * that node now.
     */
    private boolean isFromElsewhere(Peer peer, Nid source, PingInfo info) {
        node.lock.assertHeld();
        PeerNi ni = node.peers.find(source);
        boolean alone = peer.nis().size() == 1;
        if (ni == null || ni.peer() != peer || (alone && !peer.is(PeerState.DISCOVERED))) {
            return false;
        }
        return !discovery.identity().isStillThere(ni, info) && !alone;
    }

    @Override
    public void acknowledged(Peer peer, Exchange exchange, int sequence) {
        node.lock.lock();
        try {
            if (peer.exchange == exchange) {
                peer.exchange = null;
                PushTracker.acknowledged(peer, exchange.talk, sequence);
                peer.setExchange(0);
                discovery.request(peer);
            } else if (exchange.overtaken) {
                discovery.acknowledgedLate(peer, exchange);
            }
        } finally {
            node.lock.unlock();
        }
    }

    private void present(Peer peer, PingInfo info) {
        node.lock.assertHeld();
        peer.data = info;
        peer.set(PeerState.DATA_PRESENT);
        discovery.request(peer);
    }

    /** What is too large for a ping buffer is too large for the push that will follow. */
    private void expectLarger(Peer peer, PingInfo info) {
        peer.infoBytes = Math.min(PushTarget.MAX_BYTES, info.announcedBytes());
        sender.later(() -> pushTarget.enlarge(info.announcedBytes()));
    }

    /** Takes a push (spec 11 §3.2). */
    private void pushed(Event event, MemorySegment memory) {
        PingInfo info = announcements.read(event, memory);
        node.lock.lock();
        try {
            // A node behind a router may push from a NID that it has only now.
            PeerNi ni = node.peers.findOrCreate(event.sourceNid(), null);
            if (ni == null) {
                return;
            }
            Peer peer = ni.peer();
            if (info != null && !info.hasFeature(PingInfo.MULTI_RAIL)) {
                announcements.complain(
                        System.Logger.Level.ERROR,
                        "push",
                        "push from " + event.sourceNid() + " without the multi-rail feature, ignored");
                return;
            }
            pushTracker.heard(peer, event.targetNid());
            peer.clear(PeerState.NIDS_UPTODATE);
            if (info != null) {
                announcements.applyFeatures(peer, info);
            }
            if (info == null || info.isTruncated() || event.rlength() > event.mlength()) {
                if (info != null) {
                    expectLarger(peer, info);
                }
                peer.set(PeerState.FORCE_PING);
                discovery.request(peer);
            } else {
                present(peer, info);
            }
        } finally {
            node.lock.unlock();
        }
    }
}
