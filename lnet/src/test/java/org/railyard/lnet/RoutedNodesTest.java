package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.GetResult;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.testkit.Requirement;

/** Whole nodes that reach each other through routers: requests there, answers back (spec 11 §6). */
class RoutedNodesTest {
    private static final int PORTAL = 33;
    private static final Settings ROUTER = Settings.of(CompatProfile.DOCUMENTS).with(Tunable.FORWARDING, 1);

    private final TestNetwork net = new TestNetwork();
    private final List<LNet> nodes = new ArrayList<>();

    private LNet node(Settings settings, String... nids) {
        LNet node = net.node(settings, nids);
        nodes.add(node);
        return node;
    }

    private LNet node(String... nids) {
        return node(Settings.of(CompatProfile.DOCUMENTS), nids);
    }

    private LNet router(String... nids) {
        return node(ROUTER, nids);
    }

    private void route(LNet node, String far, String gateway) {
        node.routes().add(Net.parse(far), Nid.parse(gateway), Routes.UNDEFINED_HOPS, 0);
        net.settle();
    }

    @AfterEach
    void nothingIsLeftBehind() {
        net.hold(header -> false);
        net.releaseAll();
        for (LNet node : nodes) {
            assertThat(node.routing().buffers()).allMatch(pool -> pool.credits() == pool.buffers());
            assertThat(node.peers())
                    .flatExtracting(PeerInfo::nis)
                    .allMatch(ni -> ni.routerCredits() >= 0 && ni.queuedBytes() == 0);
        }
        net.close();
        assertThat(nodes).allMatch(node -> node.messagesInUse() == 0);
    }

    private static MemorySegment random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        MemorySegment memory = Arena.ofAuto().allocate(bytes);
        memory.copyFrom(MemorySegment.ofArray(content));
        return memory;
    }

    /** Writes to a node and reads it back. */
    private void exchange(LNet from, LNet to, int bytes) {
        exchange(from, to, to.nids().getFirst(), bytes);
    }

    private void exchange(LNet from, LNet to, Nid target, int bytes) {
        MemorySegment sink = Arena.ofAuto().allocate(bytes);
        to.attach(MeConfig.of(PORTAL, bytes), MdConfig.of(sink).withOptions(MdOption.OP_PUT, MdOption.OP_GET));
        MemorySegment data = random(bytes, bytes);
        assertThat(net.await(from.put(ProcessId.of(target), PORTAL, bytes, data))
                        .mlength())
                .isEqualTo(bytes);
        assertThat(sink.mismatch(data)).isEqualTo(-1);
        to.attach(MeConfig.of(PORTAL, bytes + 1L), MdConfig.of(data).withOptions(MdOption.OP_GET));
        MemorySegment back = Arena.ofAuto().allocate(bytes);
        assertThat(net.await(from.get(ProcessId.of(target), PORTAL, bytes + 1L, back))
                        .mlength())
                .isEqualTo(bytes);
        assertThat(back.mismatch(data)).isEqualTo(-1);
    }

    @Test
    void throughOneRouter() {
        LNet a = node("10.0.0.1@tcp");
        LNet r = router("10.0.0.9@tcp", "10.1.0.9@tcp1");
        LNet b = node("10.1.0.1@tcp1");
        route(a, "tcp1", "10.0.0.9@tcp");
        route(b, "tcp", "10.1.0.9@tcp1");
        assertThat(a.routes().list()).allMatch(RouteInfo::isUp).allMatch(RouteInfo::singleHop);
        exchange(a, b, Wire.MTU);
        exchange(b, a, 100);
        assertThat(a.inventory().peer(b.nids().getFirst()).orElseThrow().multiRail())
                .as("discovered through the router")
                .isTrue();
        assertThat(r.statistics().get(Statistic.DROP_COUNT)).isZero();
    }

    @Test
    void throughAChainOfFour() {
        LNet a = node("10.0.0.1@tcp");
        List<LNet> chain = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            chain.add(router("10." + i + ".0.9@tcp" + i, "10." + (i + 1) + ".0.8@tcp" + (i + 1)));
        }
        LNet b = node("10.4.0.1@tcp4");
        route(a, "tcp4", "10.0.0.9@tcp");
        route(b, "tcp", "10.4.0.8@tcp4");
        for (int i = 0; i < 4; i++) {
            if (i < 3) {
                route(chain.get(i), "tcp4", "10." + (i + 1) + ".0.9@tcp" + (i + 1));
            }
            if (i > 0) {
                route(chain.get(i), "tcp", "10." + i + ".0.8@tcp" + i);
            }
        }
        exchange(a, b, 50_000);
        exchange(b, a, 0);
        assertThat(chain).allMatch(router -> router.statistics().get(Statistic.ROUTE_COUNT) > 8);
    }

    @Test
    void routesThatLeadInACircle() {
        LNet a = node("10.0.0.1@tcp");
        LNet one = router("10.0.0.9@tcp", "10.1.0.9@tcp1");
        LNet two = router("10.1.0.8@tcp1", "10.2.0.8@tcp2");
        route(a, "tcp9", "10.0.0.9@tcp");
        route(one, "tcp9", "10.1.0.8@tcp1");
        route(two, "tcp9", "10.1.0.9@tcp1");
        Md md = a.bind(MdConfig.of(random(100, 1)));
        a.put(md, false, Nid.ANY, ProcessId.of(Nid.parse("10.9.0.1@tcp9")), Wire.RESERVED_PORTAL, 1, 0, 0);
        net.settle();
        assertThat(one.statistics().get(Statistic.ROUTE_COUNT)).isEqualTo(1);
        assertThat(two.statistics().get(Statistic.ROUTE_COUNT)).isZero();
        assertThat(two.statistics().get(Statistic.DROP_COUNT)).isEqualTo(1);
    }

    @Test
    @Requirement("rsl-085")
    void theRouterTakesAnotherRailOfThePeer() {
        LNet a = node("10.0.0.1@tcp");
        LNet r = router("10.0.0.9@tcp", "10.1.0.9@tcp1");
        LNet b = node("10.1.0.1@tcp1", "10.1.0.2@tcp1");
        route(a, "tcp1", "10.0.0.9@tcp");
        route(b, "tcp", "10.1.0.9@tcp1");
        exchange(a, b, 10);
        net.takeLog();
        Nid dead = Nid.parse("10.1.0.2@tcp1");
        net.cut(dead);
        for (int i = 0; i < 4; i++) {
            exchange(a, b, dead, 20 + 2 * i);
        }
        assertThat(r.statistics().get(Statistic.RESEND_COUNT)).isPositive();
        assertThat(a.statistics().get(Statistic.RESEND_COUNT)).isZero();
        assertThat(a.statistics().get(Statistic.RESPONSE_TIMEOUT_COUNT)).isZero();
    }

    @Test
    void aClientThatTakesNothingDoesNotStopOthers() {
        net.withTunables(8, 256);
        LNet greedy = node("10.0.0.1@tcp");
        LNet modest = node("10.0.0.2@tcp");
        LNet r = node(ROUTER.with(Tunable.LARGE_BUFFERS, 16), "10.0.0.9@tcp", "10.1.0.9@tcp1");
        LNet one = node("10.1.0.1@tcp1");
        LNet two = node("10.1.0.2@tcp1");
        route(greedy, "tcp1", "10.0.0.9@tcp");
        route(modest, "tcp1", "10.0.0.9@tcp");
        route(one, "tcp", "10.1.0.9@tcp1");
        route(two, "tcp", "10.1.0.9@tcp1");
        exchange(greedy, one, 100);
        exchange(modest, two, 100);
        MemorySegment data = random(100_000, 7);
        one.attach(MeConfig.of(PORTAL, 7), MdConfig.of(data).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        net.stall(greedy.nids().getFirst());
        List<CompletableFuture<GetResult>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(greedy.get(
                            ProcessId.of(one.nids().getFirst()),
                            PORTAL,
                            7,
                            Arena.ofAuto().allocate(100_000))
                    .toCompletableFuture());
        }
        net.settle();
        assertThat(pool(r, RouterBufferSize.LARGE).credits())
                .as("the share of the node that answers")
                .isEqualTo(8);
        exchange(modest, two, 100_000);
        net.releaseAll();
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    private static RouterBufferInfo pool(LNet router, RouterBufferSize size) {
        return router.routing().buffers().get(size.ordinal());
    }
}
