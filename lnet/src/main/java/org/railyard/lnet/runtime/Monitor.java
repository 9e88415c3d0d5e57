package org.railyard.lnet.runtime;

import java.util.List;
import org.railyard.base.host.Duty;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.discovery.Recovery;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Stack;
import org.railyard.lnet.wire.PingInfo;

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
     * Tells the peers of NIs whose status changed by their health: in place, under the old sequence number (spec 11
     * §5).
     */
    private void publishStatus() {
        List<LocalNi> changed;
        boolean told;
        node.lock.lock();
        try {
            changed = node.health.takeStatusChanges();
            told = node.settings.is(Tunable.DISCOVERY) && node.settings.is(Tunable.MULTI_RAIL);
        } finally {
            node.lock.unlock();
        }
        if (changed.isEmpty()) {
            return;
        }
        for (LocalNi ni : changed) {
            boolean up = ni.status() == PingInfo.STATUS_UP;
            LOG.log(System.Logger.Level.ERROR, "NI {0} is {1}", ni, up ? "well again" : "down: it has no health left");
        }
        pingTarget.refresh();
        if (told) {
            discovery.publish(true);
        }
    }
}
