package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.lnet.TwoNodes.expect;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Distance;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.PeerConfiguration;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** Routes as they are configured, learned and checked (spec 11 §6.1–§6.4). */
class RoutesTest extends Routed {
    @Test
    void whatCanBeNoRouteIsRefused() {
        Routes routes = client.routes();
        int hops = Routes.UNDEFINED_HOPS;
        expect(Errno.EINVAL, () -> routes.add(FAR, Nid.ANY, hops, 0));
        expect(Errno.EINVAL, () -> routes.add(FAR, Nid.LOOPBACK, hops, 0));
        expect(Errno.EINVAL, () -> routes.add(Net.LO, NEAR_1, hops, 0));
        expect(Errno.EINVAL, () -> routes.add(Nid.ANY.net(), NEAR_1, hops, 0));
        expect(Errno.EINVAL, () -> routes.add(FAR, FAR_1, hops, 0));
        // What lnetctl answers to a route to tcp by a gateway on tcp.
        expect(Errno.EINVAL, () -> routes.add(Net.TCP, NEAR_1, hops, 0));
        expect(Errno.EINVAL, () -> routes.add(FAR, NEAR_1, 0, 0));
        expect(Errno.EINVAL, () -> routes.add(FAR, NEAR_1, 300, 0));
        expect(Errno.EINVAL, () -> routes.add(FAR, NEAR_1, hops, -1));
        expect(Errno.EINVAL, () -> routes.add(FAR, CLIENT, hops, 0));
        expect(Errno.EHOSTUNREACH, () -> routes.add(FAR, Nid.parse("10.5.0.1@tcp9"), hops, 0));
        expect(Errno.EEXIST, () -> routes.add(Net.TCP, Nid.parse("10.5.0.1@tcp9"), hops, 0));
        assertThat(routes.list()).isEmpty();
        assertThat(client.peers()).isEmpty();
    }

    @Test
    void aNewRouteIsToldWhatWorksWorseThanItCould() {
        client.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 1);
        assertThat(advice("tcp1", Routes.UNDEFINED_HOPS))
                .singleElement()
                .asString()
                .contains("route to tcp1 by " + NEAR_1, "hops are not given");
        assertThat(advice("tcp2", 1)).isEmpty();
        client.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 0);
        assertThat(advice("tcp3", Routes.UNDEFINED_HOPS)).isEmpty();
        client.set(Tunable.DISCOVERY, 0);
        assertThat(advice("tcp4", 1)).singleElement().asString().contains("discovery is off");
    }

    private List<String> advice(String far, int hops) {
        try (LogTap log = new LogTap("org.railyard.lnet")) {
            client.routes().add(Net.parse(far), NEAR_1, hops, 0);
            return log.lines().stream()
                    .filter(line -> line.startsWith("WARNING route to " + far))
                    .toList();
        }
    }

    @Test
    void oneRouteToANetThroughAGatewayWhicheverNidNamesIt() {
        Nid other = Nid.parse("10.0.0.55@tcp");
        new ScriptedPeer(net, other).says(ROUTES, 1, NEAR_1, other, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, other, FAR_1);
        route(NEAR_1);
        expect(Errno.EEXIST, () -> client.routes().add(FAR, NEAR_1, Routes.UNDEFINED_HOPS, 0));
        expect(Errno.EEXIST, () -> client.routes().add(FAR, other, 2, 0));
        client.routes().add(Net.parse("tcp2"), other, 2, 0);
        assertThat(client.routes().list()).extracting(RouteInfo::primaryNid).containsOnly(NEAR_1);
        assertThat(client.routes().delete(FAR, other)).isEqualTo(1);
        assertThat(client.routes().deleteAll(FAR_1)).isEqualTo(1);
        assertThat(client.routes().list()).isEmpty();
        assertThat(client.routes().gateways()).isEmpty();
        assertThat(client.peers()).as("the gateway stays as a peer").hasSize(1);
    }

    @Test
    void deletingNamesNetOrGatewayOrNeither() {
        route(NEAR_1);
        route(NEAR_2);
        client.routes().add(Net.parse("tcp2"), NEAR_2, 2, 3);
        expect(Errno.ENOENT, () -> client.routes().delete(Net.parse("tcp8"), NEAR_1));
        assertThat(client.routes().delete(FAR, Nid.parse("10.0.0.99@tcp"))).isZero();
        assertThat(client.routes().delete(FAR, Nid.ANY)).isEqualTo(2);
        assertThat(client.routes().list())
                .singleElement()
                .satisfies(route -> assertThat(route.hops()).isEqualTo(2))
                .satisfies(route -> assertThat(route.priority()).isEqualTo(3));
        assertThat(client.routes().deleteAll(Nid.ANY)).isEqualTo(1);
    }

    @Test
    void aNewRouteIsDownUntilItsGatewaySaysThatItForwards() {
        router1.says(ROUTES_NOT, 1, NEAR_1, FAR_1);
        route(NEAR_1);
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        assertThat(routeBy(NEAR_1).down()).contains(Explanation.Reason.ROUTING_OFF);
        assertThat(routeBy(NEAR_1).singleHop()).isFalse();
        router1.says(ROUTES, 1, NEAR_1, FAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(routeBy(NEAR_1).singleHop()).isTrue();
        assertThat(routeBy(NEAR_1).hops()).isEqualTo(-1);
        assertThat(client.peers().getFirst().state())
                .as("the state that lnetctl shows of a gateway that is well")
                .isEqualTo(131349);
        router1.says(ROUTES_NOT, 1, NEAR_1, FAR_1);
        net.pass(60);
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        assertThat(routeBy(NEAR_1).singleHop()).isTrue();
        net.pass(5);
        assertThat(routeBy(NEAR_1).since()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
    }

    /** A route stays with its gateway; two of one name could be told apart, or deleted, by nobody. */
    @Test
    void aRouteByANidThatWentToAnotherPeerIsNotAddedASecondTime() {
        Nid other = Nid.parse("10.0.0.7@tcp");
        client.peerConfiguration().add(NEAR_1, List.of(NEAR_1, other), true, false);
        client.routes().add(FAR, other, 1, 0);
        client.peerConfiguration().setState(NEAR_1, 0);
        client.peerConfiguration().add(NEAR_2, List.of(NEAR_2, other), true, false);
        assertThat(client.inventory().peer(other).orElseThrow().primaryNid()).isEqualTo(NEAR_2);
        expect(Errno.EEXIST, () -> client.routes().add(FAR, other, 2, 0));
        assertThat(routeBy(other).primaryNid()).isEqualTo(NEAR_1);
        assertThat(client.routes().delete(FAR, other)).isEqualTo(1);
        client.routes().add(FAR, other, 2, 0);
        assertThat(routeBy(other).primaryNid()).isEqualTo(NEAR_2);
    }

    @Test
    void aPushOfTheGatewayCountsAtOnce() {
        route(NEAR_1);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        router1.says(ROUTES_NOT, 1, NEAR_1, FAR_1);
        router1.pushes(CLIENT);
        assertThat(routeBy(NEAR_1).down()).contains(Explanation.Reason.ROUTING_OFF);
        router1.says(ROUTES, 1, NEAR_1, FAR_1);
        router1.pushes(CLIENT);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
    }

    @Test
    void eachCheckIsAPingAndAPush() {
        route(NEAR_1);
        net.takeLog();
        net.pass(180);
        assertThat(net.takeTypes())
                .containsExactlyElementsOf(java.util.Collections.nCopies(
                                3, List.of(MessageType.GET, MessageType.REPLY, MessageType.PUT, MessageType.ACK))
                        .stream()
                        .flatMap(List::stream)
                        .toList());
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        net.pass(300);
        assertThat(net.takeTypes()).isEmpty();
    }

    @Test
    @Requirement("rsl-088")
    void aCheckThatNobodyAnswersLastsAsLongAsItMayAndThereIsNoOtherMeanwhile() {
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5);
        client.set(Tunable.ROUTER_PING_TIMEOUT, 20);
        route(NEAR_1);
        net.takeLog();
        net.lose(MessageType.GET);
        net.pass(15);
        assertThat(net.takeTypes()).containsExactly(MessageType.GET);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(client.routes().gateways()).allMatch(GatewayInfo::checking);
        net.pass(12);
        assertThat(routeBy(NEAR_1).down()).contains(Explanation.Reason.GATEWAY_DOWN);
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis()).noneMatch(PeerInfo.PeerNiInfo::up);
        net.lose(packet -> false);
        net.pass(30);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
    }

    @Test
    void eachLocalNetOfAGatewayIsCheckedInTurn() {
        Nid second = Nid.parse("10.7.0.5@tcp7");
        client.addNi(net.request("10.7.0.1@tcp7"));
        new ScriptedPeer(net, second).says(ROUTES, 1, NEAR_1, second, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, second, FAR_1);
        route(NEAR_1);
        net.pass(1);
        net.takeLog();
        net.pass(120);
        List<String> pings =
                net.takeLines().stream().filter(line -> line.startsWith("GET")).toList();
        assertThat(pings).filteredOn(line -> line.endsWith("> " + NEAR_1)).hasSize(2);
        assertThat(pings).filteredOn(line -> line.endsWith("> " + second)).hasSize(2);
        // A net that does not work does not make the gateway dead.
        net.fail(header -> header.destNid().equals(second)
                ? new org.railyard.lnet.sim.TestNetwork.Failure(
                        Errno.EHOSTUNREACH, org.railyard.lnet.lnd.HealthStatus.REMOTE_DROPPED)
                : null);
        net.pass(130);
        assertThat(client.routes().gateways()).allMatch(GatewayInfo::alive);
    }

    @Test
    void routesOfTwoNidsOfOneGatewayBecomeOne() {
        Nid other = Nid.parse("10.0.0.55@tcp");
        ScriptedPeer same = new ScriptedPeer(net, other);
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        route(NEAR_1, 1, 7);
        route(other, 2, 3);
        client.routes().add(Net.parse("tcp2"), other, 3, 0);
        assertThat(client.routes().list()).hasSize(3);
        assertThat(client.routes().gateways()).hasSize(2);
        same.says(ROUTES, 1, NEAR_1, other, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, other, FAR_1);
        net.await(client.discover(NEAR_1, false));
        assertThat(client.routes().gateways()).singleElement().satisfies(gateway -> {
            assertThat(gateway.primaryNid()).isEqualTo(NEAR_1);
            assertThat(gateway.routes()).isEqualTo(2);
        });
        assertThat(client.routes().list())
                .extracting(RouteInfo::net, RouteInfo::priority)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(FAR, 3),
                        org.assertj.core.groups.Tuple.tuple(Net.parse("tcp2"), 0));
    }

    @ParameterizedTest
    @CsvSource({"1, 7, 2, 3, 2", "2, 0, 1, 0, 1", "1, 0, 2, 0, 1", "1, 3, 2, 7, 1", "2, 0, 2, 0, 2"})
    void ofTwoRoutesThatBecomeOneTheBetterOneStays(
            int hops, int priority, int otherHops, int otherPriority, int stays) {
        Nid other = Nid.parse("10.0.0.55@tcp");
        ScriptedPeer same = new ScriptedPeer(net, other);
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        route(NEAR_1, hops, priority);
        route(other, otherHops, otherPriority);
        same.says(ROUTES, 1, NEAR_1, other, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, other, FAR_1);
        net.await(client.discover(NEAR_1, false));
        assertThat(client.routes().list())
                .singleElement()
                .extracting(RouteInfo::hops)
                .isEqualTo(stays);
        assertThat(client.routes().gateways())
                .singleElement()
                .satisfies(gateway -> assertThat(gateway.routes()).isEqualTo(1));
        client.checkInvariants();
    }

    @Test
    void aGatewayThatTurnsDiscoveryOffKeepsItsRoutes() {
        route(NEAR_1);
        router1.says(PingInfo.MULTI_RAIL, 2, NEAR_1, FAR_1);
        net.pass(125);
        assertThat(client.routes().gateways()).singleElement().satisfies(gateway -> {
            assertThat(gateway.alive()).isTrue();
            assertThat(gateway.primaryNid()).isEqualTo(NEAR_1);
        });
        PeerInfo peer = client.inventory().peer(NEAR_1).orElseThrow();
        assertThat(peer.state() & PeerState.NO_DISCOVERY).isNotZero();
        assertThat(peer.nis()).hasSize(1);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(client.inventory().peer(FAR_1)).isEmpty();
    }

    @Test
    void aGatewayCanNotBeDeletedAndANetWithRoutesNotBecomeLocal() {
        route(NEAR_1);
        PeerConfiguration peers = client.peerConfiguration();
        expect(Errno.EBUSY, () -> peers.delete(NEAR_1, true));
        expect(Errno.EBUSY, () -> peers.delete(NEAR_1, List.of(NEAR_1), false));
        peers.deleteNid(NEAR_1, FAR_1, false);
        expect(Errno.EBUSY, () -> peers.deleteNid(NEAR_1, NEAR_1, false));
        expect(Errno.EUSERS, () -> client.addNi(net.request("10.1.0.1@tcp1")));
        expect(Errno.EBUSY, () -> peers.create(NEAR_1, true, false));
        assertThat(client.routes().list()).hasSize(1);
        client.routes().delete(FAR, NEAR_1);
        peers.delete(NEAR_1, false);
        client.addNi(net.request("10.1.0.1@tcp1"));
        assertThat(client.peers()).isEmpty();
    }

    @Test
    void aRouteIsDeletedByTheNidThatItWasAddedBy() {
        Nid other = Nid.parse("10.0.0.55@tcp");
        new ScriptedPeer(net, other).says(ROUTES, 1, NEAR_1, other, FAR_1);
        router1.says(ROUTES, 1, NEAR_1, other, FAR_1);
        route(other);
        router1.says(ROUTES, 2, NEAR_1, FAR_1);
        net.await(client.discover(NEAR_1, true));
        assertThat(client.inventory().peer(other))
                .as("the gateway has it no more")
                .isEmpty();
        assertThat(client.routes().list())
                .singleElement()
                .extracting(RouteInfo::gateway)
                .isEqualTo(other);
        assertThat(client.routes().delete(FAR, other)).isEqualTo(1);
        assertThat(client.routes().list()).isEmpty();
    }

    @Test
    void routesGoWithTheNetOfTheirGateway() {
        client.addNi(net.request("10.7.0.1@tcp7"));
        route(NEAR_1);
        client.routes().add(FAR, Nid.parse("10.7.0.5@tcp7"), Routes.UNDEFINED_HOPS, 0);
        net.settle();
        client.removeNi(Nid.parse("10.7.0.1@tcp7"));
        net.settle();
        assertThat(client.routes().list()).extracting(RouteInfo::gateway).containsExactly(NEAR_1);
    }

    @Test
    void distanceGoesOverTheShortestRoute() {
        expect(Errno.EHOSTUNREACH, () -> client.distance(SERVER));
        route(NEAR_1, 4, 0);
        route(NEAR_2, 2, 5);
        client.routes().add(Net.parse("tcp2"), NEAR_1, Routes.UNDEFINED_HOPS, 0);
        assertThat(client.distance(SERVER)).isEqualTo(new Distance(3, 3, CLIENT));
        assertThat(client.distance(Nid.parse("10.2.0.1@tcp2"))).isEqualTo(new Distance(2, 4, CLIENT));
    }

    @Test
    void gatewaysCanBeTakenForDeadUntilTheyAreChecked() {
        client.set(Tunable.CHECK_ROUTERS_BEFORE_USE, 1);
        router1.goesAway();
        client.routes().add(FAR, NEAR_1, Routes.UNDEFINED_HOPS, 0);
        client.routes().add(FAR, NEAR_2, Routes.UNDEFINED_HOPS, 0);
        assertThat(client.routes().list())
                .allMatch(route -> route.down().equals(java.util.Optional.of(Explanation.Reason.GATEWAY_DOWN)));
        var checked = client.routes().checked().toCompletableFuture();
        assertThat(checked).isNotDone();
        net.settle();
        net.pass(1);
        assertThat(checked).isCompleted();
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        assertThat(routeBy(NEAR_2).isUp()).isTrue();
        assertThat(client.routes().checked().toCompletableFuture()).isCompleted();
    }

    @Test
    void aGatewayThatIsNoneAnyMoreIsNotTakenForDead() {
        client.set(Tunable.CHECK_ROUTERS_BEFORE_USE, 1);
        router1.goesAway();
        client.routes().add(FAR, NEAR_1, Routes.UNDEFINED_HOPS, 0);
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis()).allMatch(ni -> !ni.up());
        client.routes().delete(FAR, NEAR_1);
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis()).allMatch(PeerInfo.PeerNiInfo::up);
    }

    @Test
    void whoWaitsForChecksIsToldThatTheNodeStops() {
        net.lose(MessageType.GET);
        route(NEAR_1);
        var checked = client.routes().checked();
        net.pass(5);
        assertThat(checked.toCompletableFuture()).as("no answer yet").isNotDone();
        client.close();
        assertThat(net.awaitError(checked).errno()).isEqualTo(Errno.ESHUTDOWN);
        expect(Errno.ESHUTDOWN, () -> client.routes().add(FAR, NEAR_2, 1, 0));
        expect(Errno.ESHUTDOWN, () -> client.routes().checked());
    }

    @Test
    void withoutDiscoveryTheLastAnswerDecides() {
        client.set(Tunable.DISCOVERY, 0);
        route(NEAR_1);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis()).hasSize(1);
        router1.down(FAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).down()).contains(Explanation.Reason.GATEWAY_FAR_DOWN);
        router1.says(ROUTES, 1, NEAR_1, FAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        // What a transport says decides as well, unless it speaks of an NI that would not be chosen anyway.
        client.addNi(net.request("10.0.9.1@tcp"));
        client.setHealth(CLIENT, 900);
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        net.notifyPeer(Nid.parse("10.0.9.1@tcp"), NEAR_1, false, false, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        net.notifyPeer(CLIENT, NEAR_1, true, true, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
    }

    @Test
    void aTransportThatLosesAGatewayTakesItsRouteDownUntilTheNextCheckWhichIsAtOnce() {
        route(NEAR_1);
        net.lose(MessageType.GET);
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(routeBy(NEAR_1).down()).contains(Explanation.Reason.GATEWAY_NEAR_DOWN);
        net.lose(packet -> false);
        router1.comesBack();
        net.notifyPeer(CLIENT, NEAR_1, true, false, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        net.pass(5);
        net.takeLog();
        net.notifyPeer(CLIENT, NEAR_1, false, true, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        net.pass(1);
        assertThat(net.takeTypes()).as("not when it would be time").contains(MessageType.GET);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        client.set(Tunable.AUTO_DOWN, 0);
        net.notifyPeer(CLIENT, NEAR_1, false, true, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
    }

    @Test
    void connectionsToAGatewayThatIsDeadAreDropped() {
        route(NEAR_1);
        assertThat(net.takeDropped()).isEmpty();
        net.notifyPeer(CLIENT, NEAR_1, true, false, net.now(client));
        assertThat(net.takeDropped()).isEmpty();
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(net.takeDropped()).containsExactly(CLIENT + " > " + NEAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        net.lose(MessageType.GET);
        net.pass(120);
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        assertThat(net.takeDropped()).as("a check was not answered").contains(CLIENT + " > " + NEAR_1);
        client.set(Tunable.AUTO_DOWN, 0);
        net.takeDropped();
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(net.takeDropped()).as("what transports say does not count").isEmpty();
    }

    @Test
    void aGatewayThatItsTransportLostIsUsedWhenNothingElseIsLeft() {
        connect();
        gatewaysTaken(2);
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(gatewaysTaken(3)).containsOnly(NEAR_2);
        client.routes().delete(FAR, NEAR_2);
        net.notifyPeer(CLIENT, NEAR_1, false, false, net.now(client));
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        assertThat(gatewayTaken()).isEqualTo(NEAR_1);
        assertThat(routeBy(NEAR_1).isUp()).as("it was heard of since").isTrue();
    }

    @Test
    void tunablesOfEarlierCheckersAreTakenAndHaveNoEffect() {
        client.set(Tunable.DEAD_ROUTER_CHECK_INTERVAL, 1);
        client.set(Tunable.LIVE_ROUTER_CHECK_INTERVAL, 1);
        client.set(Tunable.ROUTER_SENSITIVITY_PERCENTAGE, 0);
        route(NEAR_1);
        net.takeLog();
        net.pass(30);
        assertThat(net.takeLog()).isEmpty();
        expect(Errno.EINVAL, () -> client.set(Tunable.ROUTER_SENSITIVITY_PERCENTAGE, 101));
    }
}
