package org.railyard.lnet.discovery;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.railyard.lnet.Event;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.lnet.wire.Wire;

/**
 * Pings NIs that are not well, once a second and one ping at a time each, until they are: peer NIs by their NID, local NIs by their own, through
 * the whole stack (spec 10 §13).
 */
public final class Recovery {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final long INTERVAL_NANOS = 1_000_000_000L;
    private static final long PING_TIMEOUT_NANOS = 5_000_000_000L;

    private final Node node;
    private final Sender sender;
    private final Descriptors descriptors;
    private final Set<Nid> underWay = new LinkedHashSet<>();
    private long next;
    private boolean started;

    /** Makes a recovery. */
    public Recovery(Node node, Sender sender, Descriptors descriptors) {
        this.node = node;
        this.sender = sender;
        this.descriptors = descriptors;
    }

    /** Sends the pings that are due. Called by one thread at a time. */
    public void run(long now) {
        if (started && next - now > 0) {
            return;
        }
        started = true;
        next = now + INTERVAL_NANOS;
        List<LocalNi> local;
        List<PeerNi> peers;
        node.lock.lock();
        try {
            local = node.health.localToPing();
            peers = node.health.peersToPing();
            local.removeIf(ni -> !underWay.add(ni.nid()));
            peers.removeIf(ni -> !underWay.add(ni.nid()));
        } finally {
            node.lock.unlock();
        }
        local.forEach(ni -> ping(ni.nid(), () -> node.health.raise(ni)));
        peers.forEach(ni -> ping(ni.nid(), () -> node.health.raise(ni)));
    }

    private void ping(Nid nid, Runnable answered) {
        MemorySegment memory = Arena.ofAuto().allocate(PingInfo.MIN_BUFFER, Long.BYTES);
        try {
            sender.get(
                    descriptors.bind(MdConfig.of(memory)
                            .withOptions(MdOption.TRUNCATE)
                            .withThreshold(2)
                            .withAutoUnlink()
                            .withTimeoutNanos(PING_TIMEOUT_NANOS)
                            .withHandler(event -> onEvent(nid, event, answered))),
                    Nid.ANY,
                    ProcessId.of(nid),
                    Wire.RESERVED_PORTAL,
                    Wire.PING_MATCH_BITS,
                    0,
                    true);
        } catch (LNetException e) {
            LOG.log(System.Logger.Level.DEBUG, "recovery ping of " + nid + " could not be sent", e);
            finished(nid, () -> {});
        }
    }

    private void onEvent(Nid nid, Event event, Runnable answered) {
        if (event.kind() == EventKind.SEND && event.status() < 0) {
            descriptors.withdraw((MemoryDescriptor) event.md());
        }
        if (event.kind() == EventKind.REPLY && event.status() == 0) {
            finished(nid, answered);
        } else if (event.unlinked()) {
            finished(nid, () -> {});
        }
    }

    private void finished(Nid nid, Runnable result) {
        node.lock.lock();
        try {
            underWay.remove(nid);
            result.run();
        } finally {
            node.lock.unlock();
        }
    }
}
