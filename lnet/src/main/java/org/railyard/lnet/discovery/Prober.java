package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.BondTalk;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.route.RouterChecker;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/**
 * Sends the pings and pushes of discovery (spec 11 §3) and tells what becomes of them. An exchange is one ping or push;
 * its identity is {@link Peer#exchange} as long as anybody cares.
 */
final class Prober {
    /**
     * Limit for the acknowledgement of a push that nobody waits for, ns: whoever sends to the peer meanwhile has to
     * wait.
     */
    static final long UNAWAITED_PUSH_NANOS = 10_000_000_000L;

    /** Takes what becomes of an exchange; called without the lock, perhaps more than once. */
    interface Listener {
        /** A ping was answered. The memory is valid during the call. */
        void answered(Peer peer, Exchange exchange, Event reply, MemorySegment memory);

        /** A push was acknowledged. */
        void acknowledged(Peer peer, Exchange exchange, int sequence);

        /** Nothing came of it. */
        void failed(Peer peer, Exchange exchange, int status);
    }

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final PingTarget target;
    private final PushTracker pushTracker;
    private final Listener listener;

    Prober(
            Node node,
            Sender sender,
            Descriptors descriptors,
            PingTarget target,
            PushTracker pushTracker,
            Listener listener) {
        this.node = node;
        this.sender = sender;
        this.descriptors = descriptors;
        this.target = target;
        this.pushTracker = pushTracker;
        this.listener = listener;
    }

    /**
     * Asks a peer for its NIDs. Needs no lock.
     *
     * @throws ErrnoException ENOMEM if there is no memory to be answered in; the listener is not told
     */
    void ping(Peer peer, Exchange exchange) {
        int bytes;
        Nid to;
        long checkLimit;
        node.lock.lock();
        try {
            bytes = Math.max(PingInfo.MIN_BUFFER, peer.infoBytes);
            to = peer.primaryNid;
            checkLimit = isCheck(peer) ? node.settings.get(Tunable.ROUTER_PING_TIMEOUT) * 1_000_000_000L : 0;
        } finally {
            node.lock.unlock();
        }
        MemorySegment memory = OwnMemory.allocate(bytes);
        MdConfig config = MdConfig.of(memory)
                .withOptions(MdOption.TRUNCATE)
                .withThreshold(2)
                .withAutoUnlink()
                .withTimeoutNanos(checkLimit)
                .withHandler(event -> {
                    if (!hasFailed(peer, exchange, event) && event.kind() == EventKind.REPLY) {
                        listener.answered(peer, exchange, event, memory);
                    }
                });
        send(
                peer,
                exchange,
                config,
                md -> sender.get(md, Nid.ANY, ProcessId.of(to), Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, false));
    }

    /** Whoever asked for it, a ping of a gateway that is checked is one: no other check begins before it ends. */
    private boolean isCheck(Peer peer) {
        node.lock.assertHeld();
        return peer.is(PeerState.ROUTER_DISCOVERY) || (peer.gateway != null && RouterChecker.isOn(node.settings));
    }

    private record Route(Nid source, Nid target, boolean exact) {}

    /**
     * Tells a peer our NIDs. Needs no lock.
     *
     * @throws ErrnoException ENOMEM if there is no memory to say it in; the listener is not told
     */
    void push(Peer peer, Exchange exchange) {
        PingInfo info;
        int sequence;
        Route route;
        long unawaitedLimit;
        node.lock.lock();
        try {
            unawaitedLimit = Math.min(UNAWAITED_PUSH_NANOS, node.settings.transactionNanos());
            ActiveBond bond = exchange.talk == null ? null : exchange.talk.bond;
            info = target.info(bond);
            sequence = target.sequence(bond);
            route = takeRoute(peer, exchange.talk);
        } finally {
            node.lock.unlock();
        }
        MemorySegment memory = OwnMemory.allocate(info.bytes());
        info.write(memory, 0);
        MdConfig config = MdConfig.of(memory).withThreshold(2).withAutoUnlink().withHandler(event -> {
            if (!hasFailed(peer, exchange, event) && event.kind() == EventKind.ACK) {
                listener.acknowledged(peer, exchange, sequence);
            }
        });
        if (!exchange.awaited) {
            config = config.withTimeoutNanos(unawaitedLimit);
        }
        ProcessId to = ProcessId.of(route.target());
        send(
                peer,
                exchange,
                config,
                md -> sender.put(
                        md, true, route.source(), to, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 0, route.exact()));
    }

    /**
     * The pair of NIDs on which the ping just before was answered, if it still exists; otherwise any.
     *
     * @param talk the bond that is told of: over any other it would not be true
     */
    private Route takeRoute(Peer peer, @Nullable BondTalk talk) {
        node.lock.assertHeld();
        Nid source = peer.pushSource;
        Nid to = peer.pushTarget;
        peer.pushSource = null;
        peer.pushTarget = null;
        LocalNi from = source == null ? null : node.nis.find(source);
        if (source != null && to != null && from != null && pushTracker.isOfTalk(talk, from)) {
            PeerNi owner = node.peers.find(to);
            if (owner != null && owner.peer() == peer) {
                return new Route(source, to, true);
            }
        }
        return talk == null ? new Route(Nid.ANY, peer.primaryNid, false) : routeFrom(peer, talk);
    }

    private Route routeFrom(Peer peer, BondTalk talk) {
        LocalNi from = pushTracker.sourceTowards(peer, talk);
        PeerNet net = from == null ? null : peer.net(from.net());
        if (from != null && net != null) {
            return new Route(from.nid(), PushTracker.targetOn(net), false);
        }
        // The peer is behind routers.
        LocalNi any = pushTracker.anySource(talk);
        return new Route(any == null ? Nid.ANY : any.nid(), peer.primaryNid, false);
    }

    @FunctionalInterface
    private interface Start {
        void with(MemoryDescriptor md);
    }

    private void send(Peer peer, Exchange exchange, MdConfig config, Start start) {
        MemoryDescriptor md = null;
        try {
            md = descriptors.bind(config);
            if (isCalledOff(peer, exchange, md)) {
                descriptors.withdraw(md);
            } else {
                start.with(md);
            }
        } catch (ErrnoException e) {
            listener.failed(peer, exchange, e.errno().status());
            withdraw(md);
        }
    }

    private boolean isCalledOff(Peer peer, Exchange exchange, MemoryDescriptor md) {
        node.lock.lock();
        try {
            exchange.md = md;
            return peer.exchange != exchange;
        } finally {
            node.lock.unlock();
        }
    }

    private void withdraw(@Nullable MemoryDescriptor md) {
        if (md != null) {
            descriptors.withdraw(md);
        }
    }

    private boolean hasFailed(Peer peer, Exchange exchange, Event event) {
        if (event.status() < 0) {
            listener.failed(peer, exchange, event.status());
            if (event.kind() == EventKind.SEND) {
                descriptors.withdraw((MemoryDescriptor) event.md());
            }
            return true;
        }
        if (event.kind() == EventKind.UNLINK) {
            listener.failed(peer, exchange, Errno.ETIMEDOUT.status());
            return true;
        }
        return false;
    }
}
