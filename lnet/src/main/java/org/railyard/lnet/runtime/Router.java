package org.railyard.lnet.runtime;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.RouterControl;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.discovery.PingTarget;
import org.railyard.lnet.forward.NetWatch;
import org.railyard.lnet.forward.RoutingSwitch;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Stack;

/**
 * Forwarding as a whole: the switch with what follows from it, and what other nodes are told of this router (spec 11
 * §6.5–§6.7). Needs no lock.
 */
final class Router implements RouterControl {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** {@link Tunable#FORWARDING} {@code enabled}. */
    private static final int FROM_START = 1;

    private final Node node;
    private final Stack stack;
    private final PingTarget pingTarget;
    private final Discovery discovery;
    private final Runnable checkOutside;

    /**
     * Makes one that is off, or on if the node is to forward from its start on.
     *
     * @param checkOutside throws if the calling thread may not change the configuration
     */
    Router(Node node, Stack stack, PingTarget pingTarget, Discovery discovery, Runnable checkOutside) {
        this.node = node;
        this.stack = stack;
        this.pingTarget = pingTarget;
        this.discovery = discovery;
        this.checkOutside = checkOutside;
        stack.receiver().setNetHeard(this::publish);
        if (settings().get(Tunable.FORWARDING) == FROM_START) {
            turnOn(RoutingState.ENABLED);
        }
    }

    @Override
    public void enable() {
        checkOutside.run();
        if (turnOn(RoutingState.STARTING)) {
            long seconds = RoutingSwitch.window(settings()) / 1_000_000_000L;
            LOG.log(System.Logger.Level.INFO, "forwarding is on; peers are told in {0} s", seconds);
        }
    }

    private boolean turnOn(RoutingState state) {
        Settings settings;
        node.lock.lock();
        try {
            if (node.stopping || !node.routing.enable(state, node.now())) {
                return false;
            }
            stack.forwarder().open();
            settings = node.settings;
        } finally {
            node.lock.unlock();
        }
        warnOfFewBuffers(settings, List.of(RouterBufferSize.values()));
        return true;
    }

    private static void warnOfFewBuffers(Settings settings, List<RouterBufferSize> sizes) {
        List<String> few = new ArrayList<>();
        for (RouterBufferSize size : sizes) {
            if (size.total(settings) < size.recommendedTotal()) {
                few.add(size.tunable().text() + " is " + size.total(settings) + ", " + size.recommendedTotal()
                        + " or more are recommended");
            }
        }
        if (!few.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "few router buffers: {0}", String.join("; ", few));
        }
    }

    @Override
    public void disable() {
        checkOutside.run();
        node.lock.lock();
        try {
            if (!node.routing.disable(node.now())) {
                return;
            }
        } finally {
            node.lock.unlock();
        }
        // Whoever asks learns of it; nobody is told, there is time enough (spec 11 §6.5).
        pingTarget.refresh();
        LOG.log(System.Logger.Level.INFO, "forwarding is being stopped");
    }

    @Override
    public void resume() {
        checkOutside.run();
        boolean goesOn;
        RoutingState now;
        node.lock.lock();
        try {
            goesOn = !node.stopping && node.routing.resume(node.now());
            now = node.routing.state();
        } finally {
            node.lock.unlock();
        }
        if (!goesOn) {
            enable();
            return;
        }
        LOG.log(System.Logger.Level.INFO, "forwarding goes on, that it was to stop is taken back");
        if (now == RoutingState.ENABLED) {
            publish();
        }
    }

    @Override
    public RoutingState state() {
        return node.locked(any -> node.routing.state());
    }

    @Override
    public List<RouterBufferInfo> buffers() {
        return node.locked(any -> node.buffers.snapshot());
    }

    private Settings settings() {
        return node.locked(any -> node.settings);
    }

    /** The numbers of buffers may have changed. */
    void settingsChanged(Tunable tunable) {
        switch (tunable) {
            case TINY_BUFFERS -> resize(RouterBufferSize.TINY);
            case SMALL_BUFFERS -> resize(RouterBufferSize.SMALL);
            case LARGE_BUFFERS -> resize(RouterBufferSize.LARGE);
            default -> {}
        }
    }

    /** What of the others is worth a warning was told when they changed, or when forwarding began. */
    private void resize(RouterBufferSize changed) {
        node.lock.lock();
        try {
            stack.forwarder().resize();
        } finally {
            node.lock.unlock();
        }
        stack.dispatcher().flush();
        if (state().forwards()) {
            warnOfFewBuffers(settings(), List.of(changed));
        }
    }

    /** Does what is due. Called every second, by one thread at a time. */
    void run(long now) {
        RoutingState reached = null;
        boolean news;
        node.lock.lock();
        try {
            if (!node.routing.forwards()) {
                return;
            }
            if (node.routing.tick(now, node.settings, node.buffers.isIdle())) {
                reached = node.routing.state();
            }
            if (reached == RoutingState.DISABLED) {
                stack.forwarder().close();
                news = NetWatch.end(node.nis.nets());
            } else {
                news = NetWatch.look(node.nis.nets(), now, RoutingSwitch.window(node.settings));
            }
        } finally {
            node.lock.unlock();
        }
        stack.dispatcher().flush();
        if (reached != null) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "forwarding is {0}",
                    reached == RoutingState.ENABLED ? "enabled" : "disabled");
        }
        if (news || reached == RoutingState.ENABLED) {
            publish();
        }
    }

    /** Tells the peers what has changed: in place, under the old sequence number, and also the one that caused it. */
    private void publish() {
        pingTarget.refresh();
        discovery.publishStatus();
    }
}
