package org.railyard.lnet.stack;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.health.Blame;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;

/**
 * What the outcome of a message means: whom it costs or gives health, what is counted, and whether the message is sent
 * again (spec 10 §6, §11, §12.1).
 */
public final class FailureJudge {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final LimitedLog log;
    private final LimitedLog warnings;
    private long lateMessages;
    private long lateNanos;

    FailureJudge(Node node) {
        this.node = node;
        this.log = new LimitedLog(LOG, System.Logger.Level.INFO, node.host.clock());
        this.warnings = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
    }

    /**
     * Judges a message that was sent, or was to be.
     *
     * @return whether it is to be sent again
     */
    boolean sent(Message message, Pending work) {
        node.lock.assertHeld();
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (ni == null || peerNi == null || node.stopping || message.role() == Role.PROBE || !agrees(message)) {
            return false;
        }
        if (message.status() == 0) {
            node.health.sent(ni);
            if (message.path().retries() > 0) {
                node.counters.count(Statistic.SUCCESSFUL_RESENDS);
            }
            return false;
        }
        if (message.deadlineNanos() - node.now() <= 0) {
            late(message);
            return false;
        }
        if (!failed(message, ni, peerNi, work)
                || message.role() == Role.RECOVERY_PING
                || (message.md() != null && message.md().aborted)) {
            return false;
        }
        int allowed = Timeouts.retries(node.settings);
        if (message.path().retries() < allowed) {
            return true;
        }
        if (allowed > 0) {
            node.counters.count(Statistic.FAILED_RESENDS);
        }
        return false;
    }

    /** A message came back after its deadline: that costs nobody anything. */
    void late(Message message) {
        node.lock.assertHeld();
        lateMessages++;
        lateNanos += node.now() - message.deadlineNanos();
    }

    /** Judges a message whose payload failed to arrive. */
    void received(Message message, Pending work) {
        node.lock.assertHeld();
        LocalNi ni = message.ni();
        PeerNi peerNi = message.peerNi();
        if (message.status() < 0 && ni != null && peerNi != null && !node.stopping && agrees(message)) {
            failed(message, ni, peerNi, work);
        }
    }

    /** A transport must set both; if they contradict each other, nobody knows what happened. */
    private static boolean agrees(Message message) {
        return (message.status() == 0) == (message.health() == HealthStatus.OK);
    }

    /**
     * Counts a failure and takes health; returns whether another attempt could go well, and no harm could come of it.
     */
    private boolean failed(Message message, LocalNi ni, PeerNi peerNi, Pending work) {
        HealthStatus status = message.health();
        Blame blame = Blame.of(status);
        node.counters.failed(status);
        tell(message, ni, peerNi, work);
        boolean again = isWorthAnother(status);
        boolean ofPeer = saysMoreOfPeer(message, peerNi);
        if (blame.isLocal()) {
            ni.healthCounters.failed(status);
            // A flag says it all; health stays, so that the NI is well as soon as its device is (spec 10 §11.4).
            boolean isOfNi = !ofPeer || isEvidence(message, ni, peerNi);
            if (isOfNi && !ni.fatal && !isOfProcess(message.status())) {
                node.health.lower(ni);
            }
            again &= node.settings.is(Tunable.SINGLE_RAIL_RESEND) || hasSeveralNis();
        }
        if (blame.isRemote()) {
            peerNi.healthCounters().failed(status);
        }
        if (blame.isRemote() || ofPeer) {
            boolean counts = node.settings.is(Tunable.SINGLE_RAIL_REMOTE_HEALTH) || hasSeveral(peerNi.peer());
            if (mayLower(peerNi, counts)) {
                node.health.lower(peerNi);
                tellIfAllFailed(peerNi.peer(), work);
            }
            again &= counts || !blame.isRemote();
        }
        return again;
    }

    /**
     * Tells whether a failure that the transport ascribes to the local NI says more of the peer: it is a time-out, or
     * the peer does not speak LNet. Not so what device or sockets report, what a fault rule says, and what becomes of
     * messages to this node.
     */
    private boolean saysMoreOfPeer(Message message, PeerNi peerNi) {
        boolean silentOrStrange = switch (message.health()) {
            case LOCAL_TIMEOUT, NETWORK_TIMEOUT -> true;
            case LOCAL_ERROR -> message.status() == Errno.EPROTO.status();
            default -> false;
        };
        return silentOrStrange
                && node.settings.is(Tunable.NI_HEALTH_ON_SILENCE)
                && !message.isInjected()
                && node.nis.find(peerNi.nid()) == null;
    }

    private boolean isEvidence(Message message, LocalNi ni, PeerNi peerNi) {
        return message.health() != HealthStatus.LOCAL_ERROR
                && ni.silence.timedOut(ni, peerNi.peer(), message.path().committed(), node.now());
    }

    /**
     * Own NIDs are no peers to blame; a peer with one NID has nothing to choose from, unless routes lead through it.
     */
    private boolean mayLower(PeerNi peerNi, boolean counts) {
        return (counts || node.judgesNextHops(peerNi.peer())) && node.nis.find(peerNi.nid()) == null;
    }

    /** No response to a request came through a next hop in time. */
    void unanswered(MemoryDescriptor request, PeerNi nextHop) {
        node.lock.assertHeld();
        LocalNi ni = request.trackedNi;
        // Behind a router it may be somebody else who is silent.
        if (ni != null && !node.judgesNextHops(nextHop.peer())) {
            ni.silence.unanswered(ni, nextHop.peer(), request.trackedSince);
        }
        if (mayLower(nextHop, node.settings.is(Tunable.SINGLE_RAIL_REMOTE_HEALTH) || hasSeveral(nextHop.peer()))) {
            node.health.lower(nextHop);
        }
    }

    /** Tells whether this process has no memory or files left, or has freed memory too early: no device is to blame. */
    private static boolean isOfProcess(int status) {
        return status == Errno.ENOMEM.status()
                || status == Errno.EMFILE.status()
                || status == Errno.ENFILE.status()
                || status == Errno.EFAULT.status();
    }

    private boolean isWorthAnother(HealthStatus status) {
        return switch (status) {
            case LOCAL_INTERRUPT, LOCAL_DROPPED, LOCAL_ABORTED, LOCAL_NO_ROUTE, LOCAL_TIMEOUT, REMOTE_DROPPED -> true;
            case OK, LOCAL_ERROR, REMOTE_ERROR -> false;
            case REMOTE_TIMEOUT -> node.settings.is(Tunable.RESEND_ON_REMOTE_TIMEOUT);
            case NETWORK_TIMEOUT -> node.settings.is(Tunable.RESEND_ON_NETWORK_TIMEOUT);
        };
    }

    private boolean hasSeveralNis() {
        List<LocalNet> nets = node.nis.nets();
        return nets.size() > 1 || (!nets.isEmpty() && nets.getFirst().nis.size() > 1);
    }

    private static boolean hasSeveral(Peer peer) {
        return peer.nets.size() > 1
                || (!peer.nets.isEmpty() && peer.nets.getFirst().nis.size() > 1);
    }

    private void tell(Message message, LocalNi ni, PeerNi peerNi, Pending work) {
        String topic = message.health().name();
        node.events.tell(NodeEventKind.MESSAGE_FAILED, ni.nid(), peerNi.nid(), 0, message.status(), topic);
        if (log.wants(topic)) {
            String line = message.header().type() + " from " + ni.nid() + " to " + peerNi.nid() + " failed: " + topic
                    + ", " + Errno.describe(message.status());
            work.calls.add(() -> log.log(topic, line));
        }
    }

    /** Names the NIs of a peer of which none is well any more. */
    private void tellIfAllFailed(Peer peer, Pending work) {
        for (int i = 0; i < peer.nets.size(); i++) {
            if (peer.nets.get(i).health() == LocalNi.FULL_HEALTH) {
                return;
            }
        }
        String topic = "unreachable";
        if (warnings.wants(topic)) {
            String line = "every interface of peer " + peer + " has failed lately: " + peer.nis();
            work.calls.add(() -> warnings.log(topic, line));
        }
    }

    /** Tells whether messages ended after their deadline since the last {@link #takeLate}. */
    public boolean hasLate() {
        node.lock.assertHeld();
        return lateMessages > 0;
    }

    /**
     * Returns a line about the messages that ended after their deadline since the last call, null if there were none.
     */
    public @Nullable String takeLate() {
        node.lock.assertHeld();
        if (lateMessages == 0) {
            return null;
        }
        long average = lateNanos / lateMessages;
        String line = lateMessages + " messages ended after their deadline, by "
                + TimeUnit.NANOSECONDS.toMillis(average) + " ms on average";
        lateMessages = 0;
        lateNanos = 0;
        return line;
    }
}
