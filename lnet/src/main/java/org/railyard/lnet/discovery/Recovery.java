package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.RecoveryState;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;

/**
 * Pings NIs that are not well, one ping at a time each, until they are: peer NIs by their NID, local NIs by their own,
 * through the whole stack (spec 10 §13). {@link org.railyard.lnet.health.HealthTable} says when.
 */
public final class Recovery {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** Limit of a ping where pings keep their pace, ns; where they get rarer it is that of any transaction. */
    private static final long PING_TIMEOUT_NANOS = 5_000_000_000L;

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final Identity identity;

    /**
     * Makes a recovery.
     *
     * @param identity looks whether it is still the same node that answers
     */
    public Recovery(Node node, Sender sender, Descriptors descriptors, Identity identity) {
        this.identity = identity;
        this.node = node;
        this.sender = sender;
        this.descriptors = descriptors;
    }

    /** What is pinged, and what becomes of the one ping. */
    private abstract static class RecoveryPing {
        final Nid nid;
        private final RecoveryState state;
        private boolean over;

        RecoveryPing(Nid nid, RecoveryState state) {
            this.nid = nid;
            this.state = state;
        }

        /** Tells whether this is the first that is heard of the ping: what follows is of no interest. */
        final boolean ends() {
            boolean first = !over;
            over = true;
            if (first) {
                state.pinged();
            }
            return first;
        }

        /** Takes the answer, null if it can not be read. */
        abstract void answered(@Nullable PingInfo info);

        /** The ping left, and no answer came. */
        abstract void missed();
    }

    private final class LocalPing extends RecoveryPing {
        private final LocalNi ni;

        LocalPing(LocalNi ni) {
            super(ni.nid(), ni.recovery);
            this.ni = ni;
        }

        @Override
        void answered(@Nullable PingInfo info) {
            node.health.answered(ni);
        }

        @Override
        void missed() {
            // No peer is at fault when an NI does not hear itself; but it is this NI that did not get it through.
            node.health.lower(ni);
        }
    }

    private final class PeerPing extends RecoveryPing {
        private final PeerNi ni;

        PeerPing(PeerNi ni) {
            super(ni.nid(), ni.recovery());
            this.ni = ni;
        }

        @Override
        void answered(@Nullable PingInfo info) {
            if (info == null || identity.isStillThere(ni, info)) {
                node.health.answered(ni);
            }
        }

        @Override
        void missed() {
            // The answer that did not come has cost the next hop health already.
        }
    }

    /** Sends the pings that are due. Called by one thread at a time. */
    public void run() {
        List<LocalNi> local;
        List<PeerNi> peers;
        long limit;
        node.lock.lock();
        try {
            if (node.health.isAllWell()) {
                return;
            }
            local = node.health.localToPing();
            peers = node.health.peersToPing();
            limit = node.settings.is(Tunable.RECOVERY_BACKOFF) ? 0 : PING_TIMEOUT_NANOS;
        } finally {
            node.lock.unlock();
        }
        local.forEach(ni -> ping(new LocalPing(ni), limit));
        peers.forEach(ni -> ping(new PeerPing(ni), limit));
    }

    private void ping(RecoveryPing ping, long limit) {
        MemoryDescriptor md = null;
        try {
            MemorySegment memory = OwnMemory.allocate(PingInfo.MIN_BUFFER);
            md = descriptors.bind(MdConfig.of(memory)
                    .withOptions(MdOption.TRUNCATE)
                    .withThreshold(2)
                    .withAutoUnlink()
                    .withTimeoutNanos(limit)
                    .withHandler(event -> onEvent(ping, event, memory)));
            sender.get(md, Nid.ANY, ProcessId.of(ping.nid), Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, true);
        } catch (ErrnoException e) {
            LOG.log(System.Logger.Level.DEBUG, "recovery ping of " + ping.nid + " could not be sent", e);
            end(ping, () -> {});
            if (md != null) {
                // Nothing else ends it.
                descriptors.withdraw(md);
            }
        }
    }

    private void onEvent(RecoveryPing ping, Event event, MemorySegment memory) {
        if (event.kind() == EventKind.SEND) {
            if (event.status() < 0) {
                end(ping, () -> {});
                descriptors.withdraw((MemoryDescriptor) event.md());
            }
        } else if (event.kind() == EventKind.REPLY && event.status() == 0) {
            PingInfo info = read(event, memory);
            end(ping, () -> ping.answered(info));
        } else {
            end(ping, ping::missed);
        }
    }

    private @Nullable PingInfo read(Event event, MemorySegment memory) {
        try {
            return PingInfo.read(memory, 0, event.mlength(), node.settings.get(Tunable.MAX_INTERFACES));
        } catch (WireFormatException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "recovery ping answered by " + event.sourceNid() + " in no known form",
                    e);
            return null;
        }
    }

    private void end(RecoveryPing ping, Runnable outcome) {
        node.lock.lock();
        try {
            if (ping.ends()) {
                outcome.run();
            }
        } finally {
            node.lock.unlock();
        }
    }
}
