package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.LimitedLog;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.peer.PeerMerger;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/** What answers to pings and pushes say about their senders, before their NIDs are looked at (spec 11 §3.1, §3.2). */
final class Announcements {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Sender sender;
    private final PeerMerger merger;
    private final LimitedLog warnings;
    private final LimitedLog errors;

    Announcements(Node node, Sender sender) {
        this.node = node;
        this.sender = sender;
        this.warnings = new LimitedLog(LOG, System.Logger.Level.WARNING, node.host.clock());
        this.errors = new LimitedLog(LOG, System.Logger.Level.ERROR, node.host.clock());
        this.merger = new PeerMerger(node.peers, node.health, this::complain);
    }

    /** Reads what arrived with an event; null if it is no ping info. Needs no lock. */
    @Nullable
    PingInfo read(Event event, MemorySegment memory) {
        try {
            return PingInfo.read(
                    memory, 0, Math.min(event.mlength(), memory.byteSize()), node.settings.get(Tunable.MAX_INTERFACES));
        } catch (WireFormatException e) {
            warnings.log("unreadable", "ping info from " + event.sourceNid() + " is unreadable: " + e.getMessage());
            return null;
        }
    }

    /** Says in the log, now and then and without the lock, what is wrong with an announcement or a configuration. */
    void complain(System.Logger.Level level, String topic, String line) {
        LimitedLog log = level == System.Logger.Level.ERROR ? errors : warnings;
        sender.later(() -> log.log(topic, line));
    }

    /** Returns what takes announcements into the peer table. */
    PeerMerger merger() {
        node.lock.assertHeld();
        return merger;
    }

    /** Tells whether discovery is on here. */
    boolean isOn() {
        node.lock.assertHeld();
        return node.settings.is(Tunable.DISCOVERY) && node.settings.is(Tunable.MULTI_RAIL);
    }

    /** Takes in the feature bits. */
    void applyFeatures(Peer peer, PingInfo info) {
        node.lock.assertHeld();
        if (info.hasFeature(PingInfo.DISCOVERY) && isOn()) {
            peer.clear(PeerState.NO_DISCOVERY);
        } else {
            boolean wasOn = !peer.is(PeerState.NO_DISCOVERY);
            peer.set(PeerState.NO_DISCOVERY);
            if (wasOn && !peer.is(PeerState.CONFIGURED) && peer.isAny(PeerState.DISCOVERED | PeerState.MULTI_RAIL)) {
                peer.set(PeerState.MARK_DELETION);
            }
        }
        merger.setMultiRail(peer, info.hasFeature(PingInfo.MULTI_RAIL), !peer.is(PeerState.NO_DISCOVERY));
    }
}
