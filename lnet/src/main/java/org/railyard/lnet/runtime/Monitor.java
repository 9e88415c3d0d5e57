package org.railyard.lnet.runtime;

import java.util.List;
import org.railyard.base.host.Duty;
import org.railyard.base.host.LimitedLog;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.discovery.Recovery;
import org.railyard.lnet.health.HealthTable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Stack;

/** What is done every second, and at once when something is to be sent again (spec 10 §14). */
final class Monitor implements Duty {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final Node node;
    private final Stack stack;
    private final Recovery recovery;
    private final PingTarget pingTarget;
    private final Discovery discovery;
    private final Router router;
    private final NodeRoutes routes;
    private final Summary summary;
    private final LimitedLog states;
    private boolean started;
    private long nextTick;

    Monitor(
            Node node,
            Stack stack,
            Recovery recovery,
            PingTarget pingTarget,
            Discovery discovery,
            NodeRoutes routes,
            Router router) {
        this.node = node;
        this.stack = stack;
        this.recovery = recovery;
        this.pingTarget = pingTarget;
        this.discovery = discovery;
        this.router = router;
        this.routes = routes;
        this.summary = new Summary(node, stack.judge());
        this.states = new LimitedLog(LOG, System.Logger.Level.ERROR, node.host.clock());
    }

    @Override
    public long run(long now) {
        routes.run(now);
        stack.faults().release(now);
        stack.resender().run(now);
        stack.expiry().run(now);
        if (!started || now - nextTick >= 0) {
            started = true;
            nextTick = now + INTERVAL_NANOS;
            tellStates();
            recovery.run();
            router.run(now);
            summary.run(now);
            settleEvents();
            assert node.checkInvariants();
        }
        publishStatus();
        long next = stack.faults().nextRelease(nextTick);
        return stack.resender().nextTime(stack.expiry().nextDeadline(next));
    }

    private void settleEvents() {
        node.lock.lock();
        try {
            node.events.settle();
        } finally {
            node.lock.unlock();
        }
    }

    /**
     * Logs the NIs whose state changed by their health, here and not where it did, since the lock is held there;
     * each second, since NIs may go up and down with each message, which then cost nothing.
     */
    private void tellStates() {
        List<LocalNi> restated;
        node.lock.lock();
        try {
            restated = node.health.takeStateChanges();
        } finally {
            node.lock.unlock();
        }
        for (LocalNi ni : restated) {
            String text = "NI " + ni + " is "
                    + switch (HealthTable.stateOf(ni)) {
                        case ACTIVE -> "well again";
                        case DEGRADED -> "degraded, its health is not full";
                        case FAILED -> "down: it has no health left";
                    };
            states.log(text, text);
        }
    }

    /**
     * Tells the peers of NIs whose status changed by their health: in place, under the old sequence number (spec 11
     * §5).
     */
    private void publishStatus() {
        List<LocalNi> changed;
        node.lock.lock();
        try {
            changed = node.health.takeStatusChanges();
        } finally {
            node.lock.unlock();
        }
        if (!changed.isEmpty()) {
            pingTarget.refresh();
            discovery.publishStatus();
        }
    }
}
