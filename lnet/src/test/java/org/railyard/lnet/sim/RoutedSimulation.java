package org.railyard.lnet.sim;

import java.util.ArrayList;
import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * A {@link Simulation} on two nets with routers between them: routes come and go, routing is switched, gateways fail,
 * and what their transports say of them is not always true.
 */
public final class RoutedSimulation extends Simulation {
    private static final Net NEAR = Net.parse("tcp");
    private static final Net FAR = Net.parse("tcp1");
    private static final int ENDS = 2;
    private static final int MORE_JUMPS = 500;

    private int routers;

    /** Makes a simulation. */
    public RoutedSimulation(long seed) {
        super(seed);
    }

    @Override
    void startNodes() {
        routers = 1 + random.nextInt(3);
        for (int i = 1; i <= ENDS; i++) {
            startNode(someSettings(), spare(i, "tcp"), "10.0.0." + i + "@tcp");
            startNode(someSettings(), spare(i, "tcp1"), "10.1.0." + i + "@tcp1");
        }
        for (int i = 0; i < routers; i++) {
            Settings settings = someSettings()
                    .with(Tunable.FORWARDING, 1)
                    .with(Tunable.TINY_BUFFERS, 1 + random.nextInt(8))
                    .with(Tunable.SMALL_BUFFERS, 1 + random.nextInt(8))
                    .with(Tunable.LARGE_BUFFERS, 1 + random.nextInt(8))
                    .with(Tunable.PEER_BUFFER_CREDITS, random.nextInt(5));
            startNode(settings, spare(100 + i, "tcp"), near(i).toString(), far(i).toString());
        }
        for (LNet node : ends()) {
            addRoute(node);
        }
        net.settle();
    }

    private static List<String> spare(int host, String on) {
        return new ArrayList<>(List.of("10.5.0." + host + "@" + on, "10.6.0." + host + "@" + on));
    }

    @Override
    Settings someSettings() {
        return super.someSettings()
                .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20))
                .with(Tunable.ROUTER_PING_TIMEOUT, 1 + random.nextInt(20))
                .with(Tunable.AVOID_ASYM_ROUTER_FAILURE, random.nextBoolean())
                .with(Tunable.DROP_ASYM_ROUTE, random.nextInt(8) == 0);
    }

    private List<LNet> ends() {
        return nodes.subList(0, 2 * ENDS);
    }

    private static Nid near(int router) {
        return Nid.parse("10.0.0." + (100 + router) + "@tcp");
    }

    private static Nid far(int router) {
        return Nid.parse("10.1.0." + (100 + router) + "@tcp1");
    }

    private boolean isNear(LNet node) {
        return nodes.indexOf(node) % 2 == 0;
    }

    private LNet someEnd() {
        return nodes.get(random.nextInt(2 * ENDS));
    }

    private LNet someRouter() {
        return nodes.get(2 * ENDS + random.nextInt(routers));
    }

    @Override
    void act() {
        if (random.nextInt(3) > 0) {
            super.act();
            return;
        }
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> addRoute(someEnd());
            case 3 -> deleteRoute(someEnd());
            case 4 -> notice(someEnd());
            case 5 -> attempt(() -> someRouter().routing().disable());
            case 6 -> attempt(() -> someRouter().routing().enable());
            case 7 -> resize(someRouter());
            default -> net.pass(1 + random.nextInt(10));
        }
    }

    /** What is refused changes nothing, which the end shows. */
    private static void attempt(Runnable change) {
        try {
            change.run();
        } catch (ErrnoException e) {
            require(e.errno() != Errno.EIO, "a refusal without a reason: " + e);
        }
    }

    private void resize(LNet router) {
        Tunable[] sizes = {Tunable.TINY_BUFFERS, Tunable.SMALL_BUFFERS, Tunable.LARGE_BUFFERS};
        router.set(sizes[random.nextInt(sizes.length)], 1 + random.nextInt(8));
    }

    private void addRoute(LNet node) {
        int router = random.nextInt(routers);
        int hops = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : -1;
        boolean near = isNear(node);
        attempt(() -> node.routes().add(near ? FAR : NEAR, near ? near(router) : far(router), hops, random.nextInt(2)));
    }

    private void deleteRoute(LNet node) {
        int router = random.nextInt(routers);
        attempt(() -> node.routes().deleteAll(random.nextInt(4) == 0 ? Nid.ANY : near(router)));
    }

    /** A transport says something of a gateway. */
    private void notice(LNet node) {
        int router = random.nextInt(routers);
        for (Nid nid : node.nids()) {
            Nid gateway = nid.isOn(NEAR) ? near(router) : far(router);
            net.notifyPeer(nid, gateway, random.nextBoolean(), random.nextInt(4) == 0, net.now(node));
        }
    }

    @Override
    void settleDown() {
        for (LNet node : nodes.subList(2 * ENDS, nodes.size())) {
            attempt(() -> node.routing().enable());
        }
        super.settleDown();
        // What can not be delivered is sent again before it gives up its buffer, and others wait for their turn
        // meanwhile.
        for (int i = 0; i < MORE_JUMPS && nodes.stream().anyMatch(RoutedSimulation::holdsSomething); i++) {
            net.jump(LONGEST_JUMP);
        }
    }

    private static boolean holdsSomething(LNet node) {
        return node.routing().buffers().stream().anyMatch(pool -> pool.credits() != pool.buffers());
    }

    @Override
    void checkRest(LNet node) {
        super.checkRest(node);
        require(
                !holdsSomething(node),
                node.nids() + " misses router buffers: " + node.routing().buffers());
        int share = node.settings().get(Tunable.PEER_BUFFER_CREDITS);
        for (PeerInfo peer : node.peers()) {
            for (PeerInfo.PeerNiInfo ni : peer.nis()) {
                // As many as send credits, unless the node says otherwise.
                int expected = ni.maxCredits() == 0 || share == 0 ? ni.maxCredits() : share;
                require(ni.routerCredits() == expected, ni + " misses router credits");
            }
        }
        for (RouteInfo route : node.routes().list()) {
            require(
                    node.inventory()
                            .peer(route.primaryNid())
                            .filter(peer -> peer.primaryNid().equals(route.primaryNid()))
                            .isPresent(),
                    route + " leads through nobody");
        }
        require(
                node.routes().gateways().stream().noneMatch(gateway -> gateway.routes() == 0),
                "a gateway without routes");
    }
}
