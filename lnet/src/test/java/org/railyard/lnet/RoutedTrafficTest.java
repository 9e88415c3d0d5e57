package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerNiHealth;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** Messages to and from a net behind routers (spec 10 §8.7, 11 §6.3, §6.4, §6.8). */
class RoutedTrafficTest extends Routed {
    @Test
    @Requirement("rsl-065")
    void aTransactionGoesThroughARouterAndSoDoesTheDiscoveryBeforeIt() {
        route(NEAR_1);
        connectServer();
        assertThat(put()).containsExactly("SEND", "ACK!");
        assertThat(client.inventory().peer(SERVER).orElseThrow().state())
                .as("the state that lnetctl shows of a peer that was discovered through a router")
                .isEqualTo(273);
        assertThat(server.inventory().peer(CLIENT).orElseThrow().multiRail()).isTrue();
        PeerInfo.PeerNiInfo hop =
                client.inventory().peer(NEAR_1).orElseThrow().nis().getFirst();
        assertThat(hop.minCredits())
                .as("the router is the one whose credits are taken")
                .isLessThan(hop.maxCredits());
        assertThat(client.inventory()
                        .peer(SERVER)
                        .orElseThrow()
                        .nis()
                        .getFirst()
                        .maxCredits())
                .isZero();
        assertThat(routeBy(NEAR_1).messages())
                .as("ping, push, PUT, and the ACK for the push of the server")
                .isEqualTo(4);
        assertThat(routeBy(NEAR_1).bytes()).isGreaterThan(100);
        Md md = client.bind(MdConfig.of(Arena.ofAuto().allocate(50)));
        client.get(md, Nid.ANY, ProcessId.of(SERVER), PORTAL, BITS, 0);
        net.settle();
        assertThat(server.statistics().get(Statistic.SEND_COUNT)).isPositive();
        assertThat(net.await(client.ping(SERVER, Nid.ANY, java.time.Duration.ofSeconds(5)))
                        .nids())
                .contains(SERVER);
        md.unlink();
    }

    /** A process that is no node has a PID of its own, and calls; the router between can be called all the same. */
    @Test
    void aRouterIsANodeWhomeverItIsFor() {
        route(NEAR_1);
        connectServer();
        Recorder recorder = new Recorder();
        Md md = client.bind(MdConfig.of(Arena.ofAuto().allocate(100)).withHandler(recorder));
        client.put(md, false, Nid.ANY, new ProcessId(SERVER, ProcessId.USER_FLAG | 4711), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(recorder.lines()).containsExactly("SEND");
        md.unlink();
    }

    @Test
    void withoutARouteOrWithoutOneThatIsUpThereIsNoWay() {
        connectServer();
        assertThat(put()).containsExactly("SEND EHOSTUNREACH");
        router1.says(ROUTES_NOT, 1, NEAR_1, FAR_1);
        route(NEAR_1);
        assertThat(put()).containsExactly("SEND EHOSTUNREACH");
        Explanation explanation = client.explain(SERVER, Nid.ANY, 10);
        assertThat(explanation.isPossible()).isFalse();
        assertThat(explanation.steps().getLast().excluded())
                .containsExactly(
                        new Explanation.Excluded("tcp1 by 10.0.0.5@tcp", Reason.ROUTING_OFF, "route 1 of 1 for 0 s"));
    }

    @Test
    void aGatewayThatDiesIsLeftAndTakenAgainWhenItIsBack() {
        connect();
        assertThat(gatewaysTaken(4)).contains(NEAR_1, NEAR_2);
        router1.goesAway();
        assertThat(gatewaysTaken(4)).as("what fails is sent again by the other").containsOnly(NEAR_2);
        net.pass(60);
        assertThat(routeBy(NEAR_1).down()).contains(Reason.GATEWAY_DOWN);
        net.pass(7);
        Explanation explanation = client.explain(SERVER, Nid.ANY, 10);
        assertThat(explanation.steps())
                .filteredOn(step -> step.stage() == Stage.ROUTE)
                .singleElement()
                .satisfies(step -> {
                    assertThat(step.candidates())
                            .extracting(Explanation.Candidate::name)
                            .containsExactly("tcp1 by 10.0.0.6@tcp");
                    assertThat(step.excluded()).singleElement().satisfies(excluded -> {
                        assertThat(excluded.reason()).isEqualTo(Reason.GATEWAY_DOWN);
                        assertThat(excluded.detail()).matches("route [12] of 2 for \\d+ s");
                    });
                });
        assertThat(explanation.toString()).contains("gateway down, route ");
        assertThat(explanation.pathCase()).isEqualTo(Explanation.Case.B2C);
        router1.comesBack();
        // It answers the ping that is to make it well again; that is reason enough for a check.
        net.pass(2);
        client.setPeerHealth(NEAR_1, 1000);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        assertThat(gatewaysTaken(4)).contains(NEAR_1);
    }

    @Test
    void aGatewayWithoutItsFarSideIsLeftUnlessToldOtherwise() {
        connect();
        router1.down(FAR_1);
        net.pass(61);
        assertThat(routeBy(NEAR_1).down()).contains(Reason.GATEWAY_FAR_DOWN);
        assertThat(gatewaysTaken(3)).containsOnly(NEAR_2);
        client.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 0);
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        client.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 1);
        client.routes().delete(FAR, NEAR_1);
        // It said that it is there, so it counts as a single hop, whatever is written here.
        route(NEAR_1, 3, 0);
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
    }

    @Test
    void aRouteOfSeveralHopsNeedsNoFarSide() {
        router1.says(ROUTES, 1, NEAR_1);
        route(NEAR_1, 2, 0);
        assertThat(routeBy(NEAR_1).singleHop()).isFalse();
        assertThat(routeBy(NEAR_1).isUp()).isTrue();
        client.routes().delete(FAR, NEAR_1);
        route(NEAR_1, 1, 0);
        assertThat(routeBy(NEAR_1).down()).contains(Reason.GATEWAY_FAR_DOWN);
    }

    @Test
    void theLowerPriorityValueAndThenFewerHopsAreTakenWhileTheyLast() {
        route(NEAR_1, Routes.UNDEFINED_HOPS, 1);
        route(NEAR_2, Routes.UNDEFINED_HOPS, 0);
        connectServer();
        assertThat(gatewaysTaken(5)).containsOnly(NEAR_2);
        assertThat(client.explain(SERVER, Nid.ANY, 10).steps())
                .filteredOn(step -> step.stage() == Stage.ROUTE)
                .singleElement()
                .satisfies(
                        step -> assertThat(step.candidates().getLast().behind()).isEqualTo(Criterion.PRIORITY));
        router2.goesAway();
        assertThat(gatewayTaken()).isEqualTo(NEAR_1);
        router2.comesBack();
        client.routes().deleteAll(Nid.ANY);
        route(NEAR_1, 2, 0);
        route(NEAR_2, 3, 0);
        client.setPeerHealth(NEAR_1, 500);
        assertThat(gatewaysTaken(3)).as("health comes after hops").containsOnly(NEAR_1);
    }

    @Test
    @Requirement("rsl-122")
    void equalGatewaysTakeTurns() {
        connect();
        gatewayTaken();
        List<Nid> taken = gatewaysTaken(6);
        for (int i = 1; i < taken.size(); i++) {
            assertThat(taken.get(i)).isNotEqualTo(taken.get(i - 1));
        }
        client.setPeerHealth(NEAR_1, 900);
        assertThat(gatewaysTaken(3)).containsOnly(NEAR_2);
        assertThat(client.routes().list())
                .as("health orders, and takes no route down")
                .allMatch(RouteInfo::isUp);
        client.setPeerHealth(NEAR_2, 0);
        client.setPeerHealth(NEAR_1, 0);
        assertThat(put()).containsExactly("SEND", "ACK!");
    }

    @Test
    void responsesGoBackThroughTheGatewayOfTheRequest() {
        connect();
        gatewayTaken();
        for (int i = 0; i < 4; i++) {
            net.takeLog();
            put();
            List<Nid> hops = net.takeLog().stream().map(packet -> packet.from()).toList();
            assertThat(hops).hasSize(4);
            assertThat(hops.contains(FAR_1)).isEqualTo(hops.contains(NEAR_1)).isNotEqualTo(hops.contains(FAR_2));
        }
        // Even if nothing good is known of it.
        router1.says(ROUTES_NOT, 1, NEAR_1, FAR_1);
        router1.pushes(CLIENT);
        router2.says(ROUTES_NOT, 1, FAR_2, NEAR_2);
        net.pass(0);
        server.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5);
        net.pass(70);
        router2.says(ROUTES, 1, NEAR_2, FAR_2);
        router2.pushes(CLIENT);
        assertThat(server.routes().list()).noneMatch(RouteInfo::isUp);
    }

    @Test
    @Requirement("rsl-006")
    void theRouterTookItIsAllThatASenderKnows() {
        connect();
        Recorder recorder = new Recorder();
        assertThat(put()).containsExactly("SEND", "ACK!");
        net.lose(packet -> packet.from().equals(FAR_1) || packet.from().equals(FAR_2));
        startPut(Nid.ANY, SERVER, recorder);
        net.settle();
        assertThat(recorder.lines()).containsExactly("SEND");
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis()).allMatch(ni -> ni.health() == 1000);
        assertThat(client.inventory().peer(NEAR_2).orElseThrow().nis()).allMatch(ni -> ni.health() == 1000);
        net.pass(160);
        assertThat(recorder.lines()).hasSize(2);
    }

    @Test
    @Requirement({"rsl-107", "rsl-120"})
    void aResendTakesTheOtherNidOfTheOnlyRouter() {
        Nid other = Nid.parse("10.0.0.55@tcp");
        router1 = new org.railyard.lnet.sim.ScriptedPeer(net, NEAR_1, other, FAR_1)
                .forwards()
                .says(ROUTES, 1, NEAR_1, other, FAR_1);
        route(NEAR_1);
        connectServer();
        put();
        client.setPeerHealth(other, 900);
        net.takeLog();
        net.failNext(1, HealthStatus.REMOTE_DROPPED, header -> header.portal() == PORTAL);
        assertThat(put(CLIENT, SERVER)).containsExactly("SEND", "ACK!");
        assertThat(client.inventory().peer(NEAR_1).orElseThrow().nis())
                .filteredOn(ni -> ni.nid().equals(NEAR_1))
                .allMatch(ni -> ni.failures().dropped() == 1);
        assertThat(client.inventory().peer(SERVER).orElseThrow().nis())
                .as("whom the router serves is not to blame")
                .allMatch(ni -> ni.health() == 1000 && ni.failures().equals(PeerNiHealth.WELL));
        assertThat(client.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(1);
        // When both have been used, they may be again.
        net.failNext(2, HealthStatus.REMOTE_DROPPED, header -> header.portal() == PORTAL);
        assertThat(put(CLIENT, SERVER)).containsExactly("SEND", "ACK!");
        assertThat(client.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(3);
    }

    @Test
    void whatWaitsForAGatewayThatDiesGoesByAnother() {
        connect();
        gatewaysTaken(2);
        client.routes().delete(FAR, NEAR_2);
        net.hold(header -> header.portal() == PORTAL && header.srcNid().equals(CLIENT));
        int count = 20;
        Recorder recorder = new Recorder();
        for (int i = 0; i < count; i++) {
            startPut(Nid.ANY, SERVER, recorder);
        }
        net.settle();
        assertThat(net.heldCount()).isEqualTo(8);
        route(NEAR_2);
        router1.goesAway();
        net.pass(120);
        assertThat(routeBy(NEAR_1).isUp()).isFalse();
        net.releaseAll();
        assertThat(recorder.lines()).filteredOn(line -> line.equals("ACK!")).hasSize(count);
        assertThat(client.statistics().get(Statistic.RESEND_COUNT))
                .as("those that waited were not sent before, the others were, and so was the ping of the check, twice")
                .isEqualTo(10);
    }

    @Test
    void aMessageThatADeadGatewayForwardsMakesItAlive() {
        connect();
        gatewaysTaken(2);
        net.lose(packet ->
                packet.header().type() == MessageType.GET && packet.from().equals(CLIENT));
        net.pass(180);
        assertThat(client.routes().list()).noneMatch(RouteInfo::isUp);
        net.lose(packet -> false);
        net.hold(header -> header.portal() == 0 && header.srcNid().equals(CLIENT));
        Md md = server.bind(MdConfig.of(Arena.ofAuto().allocate(10)));
        server.put(md, false, Nid.ANY, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(client.routes().list()).filteredOn(RouteInfo::isUp).hasSize(1);
        assertThat(client.routes().gateways()).filteredOn(GatewayInfo::alive).hasSize(1);
        md.unlink();
    }

    @Test
    void aMessageThatCameByAStrangeRouterIsDroppedOnRequest() {
        route(NEAR_1);
        connectServer();
        client.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(Arena.ofAuto().allocate(100)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        put();
        client.set(Tunable.DROP_ASYM_ROUTE, 1);
        long before = client.dropCount();
        Md md = server.bind(MdConfig.of(Arena.ofAuto().allocate(10)));
        for (int i = 0; i < 4; i++) {
            server.put(md, false, SERVER, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
            net.settle();
        }
        assertThat(client.dropCount() - before).isEqualTo(2);
        client.set(Tunable.DROP_ASYM_ROUTE, 0);
        server.put(md, false, SERVER, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
        server.put(md, false, SERVER, ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(client.dropCount() - before).isEqualTo(2);
        md.unlink();
    }

    @Test
    void withoutChecksAGatewayIsDiscoveredWhenItIsNeeded() {
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        router1.goesAway();
        route(NEAR_1);
        route(NEAR_2);
        connectServer();
        assertThat(router2.answered()).isEqualTo(1);
        assertThat(put()).containsExactly("SEND", "ACK!");
        assertThat(routeBy(NEAR_2).isUp()).isTrue();
        router2.goesAway();
        client.routes().delete(FAR, NEAR_2);
        assertThat(put()).containsExactly("SEND EHOSTUNREACH");
        router1.comesBack();
        net.pass(300);
        assertThat(put()).containsExactly("SEND", "ACK!");
    }

    @Test
    void aResendThatWaitsForADiscoveryOfAGatewayCounts() {
        client.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        client.set(Tunable.RESEND_INTERVAL, 3000);
        route(NEAR_1);
        connectServer();
        put();
        net.failNext(1, HealthStatus.REMOTE_DROPPED, header -> header.portal() == PORTAL);
        Recorder recorder = new Recorder();
        startPut(Nid.ANY, SERVER, recorder);
        net.settle();
        client.routes().delete(FAR, NEAR_1);
        route(NEAR_2);
        int before = router2.answered();
        assertThat(recorder.lines()).isEmpty();
        net.pass(5);
        assertThat(router2.answered()).isGreaterThan(before);
        assertThat(recorder.lines()).containsExactly("SEND", "ACK!");
        assertThat(client.statistics().get(Statistic.RESEND_COUNT)).isEqualTo(1);
    }

    @Test
    void whatChangesHereIsToldToPeersBehindRouters() {
        connect();
        put();
        assertThat(server.inventory().peer(CLIENT).orElseThrow().nis()).hasSize(1);
        client.addNi(net.request("10.0.9.1@tcp"));
        net.settle();
        assertThat(server.inventory().peer(CLIENT).orElseThrow().nis()).hasSize(2);
    }

    @Test
    void aSelectionRuleCanPreferARouterForADestination() {
        client.selection().addUdsp(UdspRule.of(null, "10.1.0.*@tcp1", "10.0.0.6@tcp"), -1);
        connect();
        assertThat(gatewaysTaken(4)).containsOnly(NEAR_2);
        assertThat(client.explain(SERVER, Nid.ANY, 10).toString()).contains("behind by selection rule for the router");
        router2.goesAway();
        assertThat(gatewaysTaken(2)).containsOnly(NEAR_1);
    }
}
