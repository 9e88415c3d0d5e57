package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.MessagePath;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.model.Trust;
import org.railyard.lnet.stats.LatencyCounter;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * Enters what was sent, received and dropped into the counters of the node, the NI and the peer NI (spec 10 §17). Needs
 * the stack's lock.
 */
final class TrafficAccounts {
    private final Node node;

    // Messages of one type that went the same way one after the other, not entered yet.
    private final LatencyCounter runTook = new LatencyCounter();
    private boolean gathers;
    private boolean runSent;
    private int runMessages;
    private long runBytes;
    private long runAccepted;
    private MessageType runType = MessageType.PUT;
    private @Nullable LocalNi runNi;
    private @Nullable PeerNi runPeerNi;

    TrafficAccounts(Node node) {
        this.node = node;
    }

    /** Several messages end now: what they have in common is entered once, in {@link #settle}, under the same lock. */
    void gather() {
        node.lock.assertHeld();
        gathers = true;
    }

    /** Enters what was gathered. */
    void settle() {
        node.lock.assertHeld();
        gathers = false;
        enterRun();
    }

    /** Adds a message to the run that is gathered, if there is one and it can be part of a run. */
    private boolean joinsRun(Message message, boolean isSent) {
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        MessagePath path = message.path();
        if (!gathers || ni == null || peerNi == null || message.isForwarding()) {
            return false;
        }
        if (isSent && (path.route() != null || path.retries() != 0)) {
            return false;
        }
        MessageType type = message.header().type();
        if (ni != runNi || peerNi != runPeerNi || type != runType || isSent != runSent) {
            enterRun();
            runNi = ni;
            runPeerNi = peerNi;
            runType = type;
            runSent = isSent;
        }
        runMessages++;
        runBytes += message.header().payloadLength();
        if (isSent) {
            runTook.add(node.now() - path.committed());
        } else {
            runAccepted += accepted(message, type);
        }
        return true;
    }

    private void enterRun() {
        LocalNi ni = runNi;
        PeerNi peerNi = runPeerNi;
        if (ni == null || peerNi == null) {
            return;
        }
        long now = node.now();
        if (runSent) {
            node.counters.add(Statistic.SEND_COUNT, runMessages);
            node.counters.add(Statistic.SEND_LENGTH, runBytes);
            ni.traffic.sent(runType, false, runMessages, runBytes, now);
            ni.traffic.took(runType, runTook);
            peerNi.traffic.sent(runType, false, runMessages, runBytes, now);
            peerNi.traffic.took(runType, runTook);
            peerNi.traffic.usedFrom(ni.nid());
            runTook.reset();
        } else {
            node.counters.add(Statistic.RECV_COUNT, runMessages);
            node.counters.add(Statistic.RECV_LENGTH, runAccepted);
            ni.traffic.received(runType, runMessages, runBytes, now);
            peerNi.traffic.received(runType, runMessages, runBytes, now);
        }
        runNi = null;
        runPeerNi = null;
        runMessages = 0;
        runBytes = 0;
        runAccepted = 0;
    }

    /** A message was sent. */
    void sent(Message message) {
        node.lock.assertHeld();
        if (joinsRun(message, true)) {
            return;
        }
        LNetHeader header = message.header();
        MessageType type = header.type();
        int bytes = header.payloadLength();
        node.counters.count(message.isForwarding() ? Statistic.ROUTE_COUNT : Statistic.SEND_COUNT);
        node.counters.add(message.isForwarding() ? Statistic.ROUTE_LENGTH : Statistic.SEND_LENGTH, bytes);
        long now = node.now();
        long took = now - message.path().committed();
        boolean first = message.path().retries() == 0 && !message.isForwarding();
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (ni != null) {
            ni.traffic.sent(type, message.isForwarding(), 1, bytes, now);
            if (first) {
                ni.traffic.took(type, took);
            }
        }
        if (peerNi != null) {
            peerNi.traffic.sent(type, message.isForwarding(), 1, bytes, now);
            if (first) {
                peerNi.traffic.took(type, took);
            }
            if (ni != null) {
                peerNi.traffic.usedFrom(ni.nid());
            }
        }
        Route route = message.path().route();
        if (route != null) {
            route.messages++;
            route.bytes += bytes;
        }
    }

    /** A message was received. */
    void received(Message message) {
        node.lock.assertHeld();
        if (joinsRun(message, false)) {
            return;
        }
        MessageType type = message.header().type();
        if (!message.isForwarding()) {
            node.counters.count(Statistic.RECV_COUNT);
            node.counters.add(Statistic.RECV_LENGTH, accepted(message, type));
        }
        long now = node.now();
        int bytes = message.header().payloadLength();
        if (message.ni() != null) {
            message.ni().traffic.received(type, 1, bytes, now);
        }
        if (message.peerNi() != null) {
            message.peerNi().traffic.received(type, 1, bytes, now);
        }
    }

    /** Returns the bytes of payload that were taken; the length of a GET is that of its answer. */
    private static int accepted(Message message, MessageType type) {
        return switch (type) {
            // One that waits for its match is stored whole.
            case PUT -> message.md() == null ? message.length() : message.accepted();
            case REPLY -> message.length();
            case ACK, GET, HELLO -> 0;
        };
    }

    /** The response that a descriptor waits for was received; one that comes too late is not timed. */
    void answered(Message message, MemoryDescriptor md) {
        node.lock.assertHeld();
        if (message.peerNi() != null) {
            node.peers.trust(message.peerNi().peer(), Trust.ANSWERED);
        }
        if (md.aborted) {
            return;
        }
        MessageType type = message.header().type();
        long took = node.now() - md.called;
        if (message.ni() != null) {
            message.ni().traffic.answered(type, took);
        }
        if (message.peerNi() != null) {
            message.peerNi().traffic.answered(type, took);
        }
    }

    /** A message was dropped. */
    void dropped(@Nullable LocalNi ni, @Nullable PeerNi peerNi, LNetHeader header) {
        node.lock.assertHeld();
        node.counters.count(Statistic.DROP_COUNT);
        node.counters.add(Statistic.DROP_LENGTH, header.payloadLength());
        if (ni != null) {
            ni.traffic.dropped(header.type());
        }
        if (peerNi != null) {
            peerNi.traffic.dropped(header.type());
        }
    }
}
