package org.railyard.lnet.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.discovery.Discovery;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.route.Liveness;
import org.railyard.lnet.route.RouteConfigurator;
import org.railyard.lnet.route.RouterChecker;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Sender;

/** Routes as they are configured and looked at from outside, and the duty that checks gateways. Thread-safe. */
public final class NodeRoutes implements Routes {
    /** Most calls that wait for the first checks. */
    private static final int MAX_WAITERS = 256;

    private static final long INTERVAL_NANOS = 1_000_000_000L;
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Sender sender;
    private final RouteConfigurator configurator;
    private final RouterChecker checker;
    private final List<CompletableFuture<Void>> waiters = new ArrayList<>();
    private boolean due = true;
    private long next;

    NodeRoutes(Node node, Sender sender, Discovery discovery) {
        this.node = node;
        this.sender = sender;
        this.configurator = new RouteConfigurator(
                node.lock,
                node.routes,
                node.nis,
                node.peers,
                () -> node.settings,
                node.host.clock(),
                node.host.random());
        this.checker = new RouterChecker(node.lock, node.routes, node.nis, () -> node.settings, discovery::request);
    }

    private <T> T locked(Supplier<T> action) {
        node.lock.lock();
        try {
            return action.get();
        } finally {
            node.lock.unlock();
        }
    }

    private <T> T change(Supplier<T> action) {
        return locked(() -> {
            if (node.stopping) {
                throw new ErrnoException(Errno.ESHUTDOWN, "the node is closed");
            }
            return action.get();
        });
    }

    @Override
    public void add(Net net, Nid gateway, int hops, int priority) {
        List<String> advice = change(() -> {
            due = true;
            return configurator.advice(configurator.add(net, gateway, hops, priority));
        });
        advice.forEach(line -> LOG.log(System.Logger.Level.WARNING, line));
        node.wakeMonitor();
    }

    @Override
    public int delete(Net net, Nid gateway) {
        return change(() -> configurator.delete(net, orNull(gateway)));
    }

    @Override
    public int deleteAll(Nid gateway) {
        return change(() -> configurator.delete(null, orNull(gateway)));
    }

    private static @Nullable Nid orNull(Nid gateway) {
        return gateway.isAny() ? null : gateway;
    }

    @Override
    public List<RouteInfo> list() {
        return locked(() -> node.routes.all().stream().map(this::describe).toList());
    }

    private RouteInfo describe(Route route) {
        boolean gatewayDown = !route.gateway.isAlive();
        return new RouteInfo(
                route.net(),
                route.named(),
                route.gateway.peer.primaryNid,
                route.hops(),
                route.priority(),
                Optional.ofNullable(Liveness.bar(route, node.settings)),
                since(gatewayDown ? route.gateway.changed() : route.changed()),
                route.singleHop,
                route.seq,
                route.messages,
                route.bytes);
    }

    private Duration since(long then) {
        return Duration.ofNanos(node.now() - then);
    }

    @Override
    public List<GatewayInfo> gateways() {
        return locked(() -> node.routes.gateways().stream().map(this::describe).toList());
    }

    private GatewayInfo describe(Gateway gateway) {
        return new GatewayInfo(
                gateway.peer.primaryNid,
                gateway.isAlive(),
                since(gateway.changed()),
                gateway.peer.is(PeerState.ROUTER_DISCOVERY),
                gateway.checked,
                gateway.peer.is(PeerState.ROUTER_ENABLED),
                gateway.routes.size());
    }

    @Override
    public CompletionStage<Void> checked() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        change(() -> {
            if (areAllChecked()) {
                sender.later(() -> done.complete(null));
            } else if (waiters.size() >= MAX_WAITERS) {
                throw new ErrnoException(Errno.ENOSPC, MAX_WAITERS + " calls wait for the first checks of gateways");
            } else {
                waiters.add(done);
            }
            return done;
        });
        sender.flush();
        return done;
    }

    private boolean areAllChecked() {
        return !RouterChecker.isOn(node.settings)
                || node.routes.gateways().stream().allMatch(gateway -> gateway.checked);
    }

    /**
     * Starts the checks that are due, and tells those who wait for the first ones: every second, and at once for a new
     * route. Called by the monitor.
     */
    void run(long now) {
        node.lock.lock();
        try {
            if (!due && now - next < 0) {
                return;
            }
            due = false;
            next = now + INTERVAL_NANOS;
            checker.run(now);
            if (!waiters.isEmpty() && areAllChecked()) {
                List<CompletableFuture<Void>> told = List.copyOf(waiters);
                waiters.clear();
                told.forEach(waiter -> sender.later(() -> waiter.complete(null)));
            }
        } finally {
            node.lock.unlock();
        }
        sender.flush();
    }

    /** The node is stopping: nobody waits any more. */
    void close() {
        List<CompletableFuture<Void>> told = locked(() -> {
            List<CompletableFuture<Void>> all = List.copyOf(waiters);
            waiters.clear();
            return all;
        });
        told.forEach(waiter -> waiter.completeExceptionally(new ErrnoException(Errno.ESHUTDOWN, "the node is closed")));
    }
}
