package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.route.RouterChecker;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** Finds the way of a message: discovery gate, path, credits (spec 10 §8.1). */
final class Launcher {
    /** Far enough in the future, and not so far that differences overflow, ns. */
    private static final long NEVER = 1L << 60;

    /** Most gateways that a message waits for, one after the other. */
    private static final int MAX_GATEWAYS_AWAITED = 4;

    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final String STRAY = "stray response";

    private final Node node;
    private final LimitedLog log;
    private final CreditGate credits;
    private final LocalNi loopback;
    private final ResendNotes resends;
    private @Nullable DiscoveryGate gate;

    Launcher(Node node, CreditGate credits, LocalNi loopback) {
        this.node = node;
        this.log = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
        this.credits = credits;
        this.loopback = loopback;
        this.resends = new ResendNotes(node);
    }

    void setGate(DiscoveryGate discovery) {
        gate = discovery;
    }

    /** Changes the CPU partitions of an NI. */
    void moveToCpts(LocalNi ni, int[] cpts, Pending work) {
        node.lock.assertHeld();
        credits.move(ni, cpts, work);
    }

    /** Sends a message on its way, the first time or again; queues it, parks it for discovery, or fails it. */
    void launch(Message message, Pending work) {
        node.lock.assertHeld();
        message.waitFor(Message.Waiting.NO);
        if (node.stopping) {
            work.fail(message, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ERROR);
            return;
        }
        if (isSettled(message)) {
            work.fail(message, Errno.ECANCELED.status(), HealthStatus.OK);
            return;
        }
        LNetHeader header = message.header();
        message.path().commit(node.now());
        if (message.path().requestedTarget().isLoopback()) {
            header.setRoute(Nid.LOOPBACK, header.destPid(), Nid.LOOPBACK, ProcessId.LUSTRE_PID);
            message.path().hop(loopback, null);
            work.toSend.add(message);
            return;
        }
        if (message.isForwarding()) {
            // A router never drops for age.
            message.setDeadline(message.path().committed() + NEVER);
        } else if (!message.isTimed()) {
            node.active.put(
                    message,
                    Timeouts.firstDeadline(node.settings, message.path().committed(), ownLimit(message)));
        }
        if (wouldMakeDeletedPeer(message)) {
            work.fail(message, Errno.ECANCELED.status(), HealthStatus.OK);
            return;
        }
        PeerNi target = node.peers.findOrCreate(message.path().requestedTarget(), null);
        if (target == null) {
            work.fail(message, Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR);
            return;
        }
        if (gate != null && isGated(message) && !gate.mayPass(target.peer())) {
            message.waitFor(Message.Waiting.FOR_DISCOVERY);
            target.peer().parked.add(message);
            gate.request(target.peer());
            return;
        }
        int status = node.selector.select(message, target, node.settings);
        Peer gateway = status == 0 || status == Errno.EHOSTUNREACH.status() ? unknownGateway(message, target) : null;
        if (gateway != null) {
            awaitGateway(message, gateway);
            return;
        }
        if (status < 0) {
            boolean local = status == Errno.EINVAL.status();
            work.fail(message, status, local ? HealthStatus.LOCAL_ERROR : HealthStatus.REMOTE_ERROR);
            return;
        }
        commit(message, work);
    }

    /**
     * Tells whether an attempt that seemed to have failed was answered meanwhile: there is nothing to send again, and
     * the end of the message is a success.
     */
    static boolean isSettled(Message message) {
        return message.path().retries() > 0 && message.isAnswered();
    }

    /** A ping or push of the node itself is for a peer that there is; it may be deleted before the message leaves. */
    private boolean wouldMakeDeletedPeer(Message message) {
        MemoryDescriptor md = message.md();
        if (md != null && md.withdrawn) {
            return true;
        }
        Nid target = message.path().requestedTarget();
        return message.role() == Role.RECOVERY_PING && node.peers.find(target) == null && node.nis.find(target) == null;
    }

    /**
     * Without checks, a gateway is discovered when it is needed (spec 11 §6.3). Returns the one to be discovered first:
     * that of the route that was chosen, or of one that could be, if there is no way yet; null if nothing stands in the
     * way.
     */
    private @Nullable Peer unknownGateway(Message message, PeerNi target) {
        if (gate == null
                || node.routes.size() == 0
                || RouterChecker.isOn(node.settings)
                || message.isResponse()
                || message.path().gatewaysAwaited() >= MAX_GATEWAYS_AWAITED) {
            return null;
        }
        if (message.peerNi() != null) {
            Peer hop = message.peerNi().peer();
            return message.path().route() == null || gate.mayPass(hop) ? null : hop;
        }
        Peer unknown = null;
        for (PeerNet net : target.peer().nets) {
            for (Route route : node.routes.to(net.net())) {
                boolean better = unknown == null || route.gateway.isAlive();
                unknown = better && !gate.mayPass(route.gateway.peer) ? route.gateway.peer : unknown;
            }
        }
        return unknown;
    }

    private void awaitGateway(Message message, Peer gateway) {
        message.path().awaitGateway();
        message.waitFor(Message.Waiting.FOR_GATEWAY);
        gateway.parked.add(message);
        if (gate != null) {
            gate.request(gateway);
        }
    }

    /** What was sent before does not wait: its peer was known well enough then. */
    private static boolean isGated(Message message) {
        return !message.isResponse()
                && !message.isForwarding()
                && !message.path().isDiscoveryDone()
                && message.path().retries() == 0
                && message.header().portal() != Wire.RESERVED_PORTAL;
    }

    static long ownLimit(Message message) {
        // A response refers to the descriptor of the other side's request, whose limit is for requests of ours.
        return message.md() == null || message.isResponse() ? 0 : message.md().timeoutNanos();
    }

    /** A response that does not go back the way of its request may find its way, or not (spec 10 §8.7). */
    private void tellIfStray(Message message, PeerNi hop, Pending work) {
        if (!hop.nid().equals(message.sender()) && log.wants(STRAY)) {
            String line = message.header().type() + " to " + message.path().destination() + " goes by gateway " + hop
                    + ", its request came by " + message.sender() + ", which no route leads through";
            work.calls.add(() -> log.log(STRAY, line));
        }
    }

    /** Who gets a PUT without an ACK has nothing to answer. */
    private static boolean wantsResponse(Message message) {
        return !message.isResponse()
                && (message.header().type() == MessageType.GET
                        || message.header().wantsAck());
    }

    private void commit(Message message, Pending work) {
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (ni == null || peerNi == null) {
            throw new IllegalStateException("selection left a message without a path");
        }
        LNetHeader header = message.header();
        if (message.isForwarding()) {
            header.setRoute(message.path().destination(), header.destPid(), header.srcNid(), header.srcPid());
        } else {
            header.setRoute(message.path().destination(), header.destPid(), ni.nid(), ProcessId.LUSTRE_PID);
            if (Timeouts.isRenewed(node.settings, ownLimit(message))) {
                int lndSeconds = ni.lnd().timeoutSeconds();
                node.active.put(
                        message,
                        Timeouts.renewedDeadline(node.settings, message.path().committed(), lndSeconds));
            }
        }
        MemoryDescriptor md = message.md();
        if (md != null && wantsResponse(message)) {
            md.trackedNextHop = peerNi.nid();
            md.trackedNi = ni;
            md.trackedSince = message.path().committed();
        }
        if (message.isResponse()
                && message.path().route() != null
                && message.path().retries() == 0) {
            tellIfStray(message, peerNi, work);
        }
        resends.committed(message, ni, peerNi, work);
        credits.enter(message, ni, peerNi, work);
    }
}
