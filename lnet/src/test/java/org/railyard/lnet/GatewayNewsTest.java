package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;

/** What is learned of gateways and their routes, and what is said of it (spec 11 §6.4). */
class GatewayNewsTest extends Routed {
    private static final String BY_1 = "a route by gateway " + NEAR_1 + " is ";

    private final List<NodeEvent> told = new ArrayList<>();

    GatewayNewsTest() {
        net.heardBy(told::add, each -> {});
    }

    private List<String> take(NodeEventKind kind) {
        List<String> texts = told.stream()
                .filter(each -> each.kind() == kind)
                .map(NodeEvent::text)
                .toList();
        told.removeIf(each -> each.kind() == kind);
        return texts;
    }

    private Explanation.Reason down() {
        return routeBy(NEAR_1).down().orElseThrow();
    }

    @Test
    void aGatewayThatDoesNotAnswerAndAnswersAgain() {
        route(NEAR_1);
        told.clear();
        net.lose(MessageType.GET);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.pass(120);
            assertThat(take(NodeEventKind.GATEWAY_DOWN))
                    .singleElement()
                    .asString()
                    .startsWith("gateway " + NEAR_1 + " is down: ETIMEDOUT");
            assertThat(take(NodeEventKind.ROUTE_DOWN))
                    .containsExactly(BY_1 + "down: tcp1, its gateway does not answer");
            assertThat(client.inventory().peer(NEAR_1).orElseThrow().state() & PeerState.NIDS_UPTODATE)
                    .as("what it has now is not known")
                    .isZero();
            net.lose(packet -> false);
            net.pass(60 + 50 + 1);
            assertThat(take(NodeEventKind.GATEWAY_UP))
                    .as("one interval and the limit of a check later, whatever else was asked of it")
                    .containsExactly("gateway " + NEAR_1 + " is up: it answers");
            assertThat(take(NodeEventKind.ROUTE_UP)).containsExactly(BY_1 + "up: tcp1, its gateway forwards");
            assertThat(log.lines())
                    .anyMatch(line -> line.matches("WARNING gateway .* is down: ETIMEDOUT .*"))
                    .anyMatch(line -> line.matches("WARNING gateway .* is up: it answers"))
                    .anyMatch(line -> line.matches("WARNING route to .* is down: its gateway does not answer"))
                    .anyMatch(line -> line.matches("WARNING route to .* is up: its gateway forwards"));
        }
    }

    @Test
    void aGatewayThatSaysThatItsNidsAreDown() {
        client.set(Tunable.DISCOVERY, 0);
        route(NEAR_1);
        told.clear();
        router1.down(FAR_1);
        net.pass(61);
        assertThat(take(NodeEventKind.ROUTE_DOWN))
                .containsExactly(BY_1 + "down: tcp1, its gateway has no NID up on tcp1");
        router1.says(ROUTES, 1, NEAR_1, FAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        router1.down(NEAR_1);
        net.pass(61);
        assertThat(down()).isEqualTo(Explanation.Reason.GATEWAY_NEAR_DOWN);
        assertThat(take(NodeEventKind.ROUTE_DOWN))
                .containsExactly(BY_1 + "down: tcp1, its gateway has no NID up on tcp");
        router1.says(ROUTES | PingInfo.RTE_DISABLED, 1, NEAR_1, FAR_1);
        net.pass(61);
        assertThat(down())
                .as("another reason, of a route that is down already")
                .isEqualTo(Explanation.Reason.ROUTING_OFF);
        assertThat(take(NodeEventKind.ROUTE_DOWN)).isEmpty();
    }

    @Test
    void aRouteOfOneHopToANetThatItsGatewayIsNotOn() {
        assertThat(hopsDoubted("tcp5", 1)).hasSize(1);
        assertThat(hopsDoubted("tcp6", 2)).isEmpty();
        assertThat(hopsDoubted("tcp1", 1)).isEmpty();
        assertThat(hopsDoubted("tcp7", 255)).isEmpty();
    }

    private List<String> hopsDoubted(String far, int hops) {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            client.routes().add(Net.parse(far), NEAR_1, hops, 0);
            net.pass(1);
            return log.lines().stream()
                    .filter(line -> line.contains("has 1 hop, but its gateway is not on " + far))
                    .toList();
        }
    }

    @Test
    void aTransportLosesANidOrAWholeGateway() {
        route(NEAR_1);
        net.lose(MessageType.GET);
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
            assertThat(down()).isEqualTo(Explanation.Reason.GATEWAY_NEAR_DOWN);
            assertThat(log.lines()).anyMatch(line -> line.contains("the transport lost " + NEAR_1));
        }
        net.notifyPeer(CLIENT, NEAR_1, false, true, net.now(client));
        assertThat(down()).isEqualTo(Explanation.Reason.GATEWAY_DOWN);
        assertThat(take(NodeEventKind.GATEWAY_DOWN))
                .containsExactly("gateway " + NEAR_1 + " is down: its transport says so");
    }

    @Test
    void anNiAsGoodAsTheOthersIsBelieved() {
        client.set(Tunable.DISCOVERY, 0);
        route(NEAR_1);
        client.addNi(net.request("10.0.9.1@tcp"));
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(down()).isEqualTo(Explanation.Reason.ROUTE_DOWN);
    }

    @Test
    void aGatewayThatForwardsWhileItIsTakenForDead() {
        client.set(Tunable.DISCOVERY, 0);
        route(NEAR_1);
        server.routes().add(Net.TCP, FAR_1, Routes.UNDEFINED_HOPS, 0);
        client.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(Arena.ofAuto().allocate(100)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        net.settle();
        net.lose(packet -> packet.header().type() == MessageType.GET
                && packet.header().destNid().equals(NEAR_1));
        net.pass(120);
        assertThat(down()).isEqualTo(Explanation.Reason.GATEWAY_DOWN);
        told.clear();
        Md md = server.bind(MdConfig.of(Arena.ofAuto().allocate(10)));
        server.put(md, false, SERVER, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
        net.settle();
        md.unlink();
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(take(NodeEventKind.GATEWAY_UP)).containsExactly("gateway " + NEAR_1 + " is up: it forwards again");
        assertThat(take(NodeEventKind.ROUTE_UP)).containsExactly(BY_1 + "up: tcp1, its gateway forwards again");
    }

    @Test
    void aGatewayWithRoutesElsewhereIsAStrangeOne() {
        client.routes().add(Net.parse("tcp5"), NEAR_1, 2, 0);
        client.routes().add(Net.parse("tcp6"), NEAR_1, 2, 0);
        server.routes().add(Net.TCP, FAR_1, Routes.UNDEFINED_HOPS, 0);
        net.settle();
        client.set(Tunable.DROP_ASYM_ROUTE, 1);
        long before = client.dropCount();
        Md md = server.bind(MdConfig.of(Arena.ofAuto().allocate(10)));
        server.put(md, false, SERVER, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
        net.settle();
        md.unlink();
        assertThat(client.dropCount()).isGreaterThan(before);
        assertThat(net.refused()).isEmpty();
    }

    @Test
    void whatIsNoGatewayAnyMoreIsAPeerLikeOthers() {
        route(NEAR_1);
        int router = PeerState.ROUTER_DISCOVERY | PeerState.ROUTER_DISCOVERED;
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().state() & router)
                .isNotZero();
        client.routes().delete(FAR, NEAR_1);
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().state() & router)
                .isZero();
        net.takeLog();
        net.pass(300);
        assertThat(net.takeTypes()).as("nobody checks it").isEmpty();
    }

    @Test
    void aNetWhereNobodyAnswersDoesNotKeepTheOthersFromBeingChecked() {
        Nid second = Nid.parse("10.7.0.5@tcp7");
        client.addNi(net.request("10.7.0.1@tcp7"));
        new ScriptedPeer(net, second).says(ROUTES, 1, NEAR_1, second, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, second, FAR_1);
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5);
        client.set(Tunable.ROUTER_PING_TIMEOUT, 20);
        client.set(Tunable.HEALTH_SENSITIVITY, 0);
        route(NEAR_1);
        net.pass(20);
        net.lose(packet -> packet.header().type() == MessageType.GET);
        net.takeLog();
        net.pass(120);
        assertThat(net.takeLines())
                .filteredOn(line -> line.startsWith("GET"))
                .as("each check takes longer than the interval")
                .hasSizeBetween(4, 6)
                .extracting(line -> line.substring(line.indexOf('>') + 2))
                .satisfies(targets -> {
                    for (int i = 1; i < targets.size(); i++) {
                        assertThat(targets.get(i)).isNotEqualTo(targets.get(i - 1));
                    }
                });
    }

    @Test
    void aRouteGoesWithItsNetThoughItsGatewayStays() {
        Nid second = Nid.parse("10.7.0.5@tcp7");
        Nid own = Nid.parse("10.7.0.1@tcp7");
        client.addNi(net.request(own.toString()));
        new ScriptedPeer(net, second).says(ROUTES, 1, NEAR_1, second, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, second, FAR_1);
        route(NEAR_1);
        client.routes().add(Net.parse("tcp5"), second, 2, 0);
        net.pass(1);
        assertThat(client.routes().gateways())
                .singleElement()
                .extracting(GatewayInfo::routes)
                .isEqualTo(2);
        client.removeNi(own);
        net.settle();
        assertThat(client.routes().list()).extracting(RouteInfo::net).containsExactly(FAR);
        client.checkInvariants();
    }

    @Test
    void whereGatewaysAreNotCheckedAPingOfOneLastsAsLongAsAnyOther() {
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        route(NEAR_1);
        net.lose(MessageType.GET);
        var found = client.discover(NEAR_1, true).toCompletableFuture();
        net.pass(client.settings().get(Tunable.TRANSACTION_TIMEOUT) - 10);
        assertThat(found).isNotDone();
        net.pass(20);
        assertThat(found).isCompletedExceptionally();
    }

    @Test
    void thereAreNotTooManyRoutesToANet() {
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        for (int i = 0; i < 1024; i++) {
            client.routes().add(FAR, Nid.parse("10.0." + (8 + i / 256) + "." + i % 256 + "@tcp"), 1, 0);
        }
        TwoNodes.expect(Errno.ENOSPC, () -> client.routes().add(FAR, NEAR_1, 1, 0));
        client.routes().add(Net.parse("tcp5"), NEAR_1, 2, 0);
        assertThat(client.routes().list()).hasSize(1025);
    }
}
