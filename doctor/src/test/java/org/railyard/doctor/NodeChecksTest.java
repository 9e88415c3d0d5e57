package org.railyard.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.RoutingState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** Findings about the node: each appears, and is gone when it is mended as it says. */
final class NodeChecksTest extends Examined {
    private static final String GATEWAY = "10.0.0.9@tcp";

    /** Does what a finding advises, as far as it is about settings. */
    private void type(String command) {
        String[] words = command.split(" ");
        assertThat(words).as(command).startsWith("lnetctl", "set");
        setup.set(Tunable.find(words[2]).orElseThrow(), Integer.parseInt(words[3]));
    }

    @Test
    void aServiceWithoutLNet() {
        assertThat(Doctor.notConfigured().findings()).extracting(Finding::id).containsExactly("not-configured");
    }

    @Test
    void anNiThatFailed() {
        setup.infos.add(Snapshots.ni("eth0", "10.0.0.1@tcp", 900, 256));
        assertThat(only("ni-health").mend().getLast()).startsWith("lnetctl net set --nid 10.0.0.1@tcp --health 1000");
        setup.infos.set(0, Snapshots.ni("eth0", "10.0.0.1@tcp", Snapshots.WELL, 256));
        assertThat(ids()).isEmpty();
    }

    @Test
    void healthThatIsOffWithSeveralNis() {
        setup.set(Tunable.HEALTH_SENSITIVITY, 0);
        only("health-off").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
        setup.set(Tunable.HEALTH_SENSITIVITY, 0);
        setup.nis.removeLast();
        assertThat(ids()).isEmpty();
    }

    @Test
    void noRetriesWithSeveralNis() {
        setup.set(Tunable.RETRY_COUNT, 0);
        only("no-retries").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
    }

    @Test
    @Requirement("cb-204")
    void aRouterWhoseSidesAreInDifferentBonds() {
        setup.ni("eth1", "10.0.0.2@tcp1").bond("near", "10.0.0.1@tcp").bond("far", "10.0.0.2@tcp1", "10.9.9.9@tcp");
        assertThat(ids()).as("nobody asks it the way").isEmpty();
        setup.forwards = true;
        assertThat(ids()).containsExactly("router-bonds", "router-bonds");
        Finding near = examine().findings().getFirst();
        assertThat(near.subject()).isEqualTo("bond near");
        assertThat(near.found()).isEqualTo("it has NIs on tcp and none on tcp1, and this node routes between them");
        assertThat(near.mend())
                .singleElement()
                .asString()
                .startsWith("lnetctl bond del --name near --nid 10.0.0.1@tcp ");
        setup.bonds.removeFirst();
        assertThat(only("router-bonds").subject()).isEqualTo("bond far");
        setup.bonds.clear();
        assertThat(ids()).as("as it was told").isEmpty();
        setup.bond("both", "10.0.0.2@tcp1", "10.0.0.1@tcp");
        assertThat(ids()).isEmpty();
        setup.ni("eth2", "10.0.0.7@tcp");
        Finding rest = only("router-bonds");
        assertThat(rest.subject()).isEqualTo("the default bond");
        assertThat(rest.mend()).containsExactly("lnetctl bond add --name both --nid 10.0.0.7@tcp");
        setup.file(0, true);
        assertThat(only("router-bonds").mend())
                .containsExactly("# in the file, section 'bond': add 10.0.0.7@tcp to both");
    }

    @Test
    void aPeerThatDoesNotAnswer() {
        setup.peer(Snapshots.peer(GATEWAY));
        assertThat(ids()).isEmpty();
        setup.silent.put(Nid.parse(GATEWAY), "Connection timed out (ETIMEDOUT)");
        assertThat(only("peer-silent").found())
                .isEqualTo("it does not answer a ping: Connection timed out (ETIMEDOUT)");
    }

    /** What else its machine says tells why: the causes are told apart by evidence. */
    @ParameterizedTest
    @CsvSource({
        "ABSENT, UNKNOWN, peer-absent",
        "HERE, SILENT, firewall-drops",
        "HERE, PROHIBITED, firewall-prohibits",
        "HERE, REFUSED, port-refused",
        "UNKNOWN, REFUSED, port-refused",
        "UNKNOWN, SILENT, peer-silent",
        "UNKNOWN, PROHIBITED, peer-silent",
        "HERE, ACCEPTED, peer-silent"
    })
    void whyAPeerDoesNotAnswer(HostFacts.Presence presence, HostFacts.Dial dial, String id) {
        setup.peer(Snapshots.peer(GATEWAY));
        setup.silent.put(Nid.parse(GATEWAY), "Connection timed out (ETIMEDOUT)");
        facts.contacts.put("10.0.0.9", new HostFacts.Contact(presence, dial));
        assertThat(ids()).containsExactly(id);
        assertThat(only(id).found()).contains("Connection timed out (ETIMEDOUT)");
    }

    /** With its first route alone it would stay a gateway, and a peer. */
    @Test
    void aGatewayThatDoesNotAnswerIsDeletedWithAllItsRoutes() {
        setup.peer(Snapshots.peer(GATEWAY));
        setup.silent.put(Nid.parse(GATEWAY), "Connection timed out (ETIMEDOUT)");
        setup.routes.add(Snapshots.route("tcp7", GATEWAY, Optional.empty()));
        setup.routes.add(Snapshots.route("tcp8", GATEWAY, Optional.empty()));
        facts.contacts.put("10.0.0.9", new HostFacts.Contact(HostFacts.Presence.HERE, HostFacts.Dial.ACCEPTED));
        assertThat(only("peer-silent").mend())
                .filteredOn(line -> line.endsWith("   # if it is gone for good"))
                .extracting(line -> line.split(" {3}")[0])
                .containsExactly(
                        "lnetctl route del --net tcp7 --gateway " + GATEWAY,
                        "lnetctl route del --net tcp8 --gateway " + GATEWAY,
                        "lnetctl peer del --prim_nid " + GATEWAY);
    }

    @Test
    void gatewaysThatAreNotLookedForAreNamed() {
        for (int i = 1; i <= 34; i++) {
            setup.route("tcp" + i, "10.0.0." + (100 + i % 33) + "@tcp");
        }
        assertThat(examine().notChecked()).containsExactly("gateways beyond 32: 10.0.0.100@tcp");
    }

    @Test
    void aGatewayThatDoesNotExistIsToldBeforeItIsChecked() {
        setup.route("tcp7", GATEWAY).route("tcp8", GATEWAY);
        assertThat(ids()).isEmpty();
        facts.contacts.put("10.0.0.9", new HostFacts.Contact(HostFacts.Presence.ABSENT, HostFacts.Dial.UNKNOWN));
        assertThat(only("gateway-absent").mend())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("lnetctl route del --net tcp8 --gateway " + GATEWAY));
        setup.peer(Snapshots.peer(GATEWAY));
        setup.silent.put(Nid.parse(GATEWAY), "no route to host (EHOSTUNREACH)");
        assertThat(ids()).as("one cause, told once").containsExactly("gateway-absent");
        setup.silent.clear();
        facts.contacts.put("10.0.0.9", new HostFacts.Contact(HostFacts.Presence.HERE, HostFacts.Dial.UNKNOWN));
        assertThat(ids()).isEmpty();
    }

    @Test
    void aRouterThatIsSwitchedOnAndWaits() {
        setup.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 20).set(Tunable.ROUTER_PING_TIMEOUT, 10);
        setup.routing = RoutingState.STARTING;
        assertThat(only("router-waits").found()).contains("for 30 s after that");
        setup.routing = RoutingState.ENABLED;
        assertThat(ids()).isEmpty();
    }

    @Test
    void aRailOnWhichAPeerDoesNotAnswer() {
        setup.peer(Snapshots.peer(GATEWAY, "10.0.0.8@tcp"));
        setup.rails.add(new Setup.Rail(
                Nid.parse(GATEWAY), Nid.parse("10.0.0.2@tcp"), Nid.parse("10.0.0.8@tcp"), "Connection timed out"));
        Finding finding = only("rail-silent");
        assertThat(finding.subject()).isEqualTo("peer NI 10.0.0.8@tcp");
        assertThat(finding.found())
                .isEqualTo("peer 10.0.0.9@tcp does not answer from 10.0.0.2@tcp: Connection timed out; on other ways"
                        + " it does");
        assertThat(finding.mend().getFirst()).startsWith("lnetctl ping --source 10.0.0.2@tcp 10.0.0.8@tcp");
    }

    @Test
    void aPeerThatIsUnwellOrSaysThatItIsDown() {
        setup.peer(Snapshots.peer(
                Snapshots.peerNi(GATEWAY, true, 700, 8), Snapshots.peerNi("10.0.0.8@tcp", false, 1000, 8)));
        List<Finding> found = examine().findings();
        assertThat(found).extracting(Finding::id).containsExactly("peer-health", "peer-health");
        assertThat(found.get(0).mend().getLast()).startsWith("lnetctl peer set --nid 10.0.0.9@tcp --health 1000");
        assertThat(found.get(1).found()).contains("the peer says that it is down");
    }

    @Test
    void aPeerOnANetThatNothingLeadsTo() {
        setup.peer(Snapshots.peer("10.5.0.1@o2ib"));
        assertThat(only("no-route").mend().getFirst()).startsWith("# lnetctl route add --net o2ib --gateway NID");
        setup.route("o2ib", GATEWAY);
        assertThat(ids()).isEmpty();
    }

    @Test
    void routesThatCanNotBeTaken() {
        setup.route("tcp", GATEWAY).route("o2ib", "10.7.0.1@tcp7");
        assertThat(ids()).containsExactly("route-to-local-net", "gateway-not-local");
        assertThat(only("gateway-not-local").mend().getLast())
                .isEqualTo("lnetctl route del --net o2ib --gateway 10.7.0.1@tcp7");
        setup.file(988, false);
        assertThat(only("gateway-not-local").mend().getFirst()).isEqualTo("# in the file: add the net tcp7");
        setup.ways.clear();
        assertThat(ids()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GATEWAY_DOWN, gateway-down",
        "ROUTING_OFF, gateway-forwards-not",
        "GATEWAY_FAR_DOWN, asymmetric-route",
        "ROUTE_DOWN, route-down"
    })
    void routesThatAreDown(Reason reason, String id) {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.of(reason)));
        assertThat(ids()).containsExactly(id);
        setup.routes.set(0, Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        assertThat(ids()).isEmpty();
    }

    @Test
    void aGatewayThatHasNeverAnsweredSaysNothingOfForwarding() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.of(Reason.ROUTING_OFF)));
        setup.silent.put(Nid.parse(GATEWAY), "Connection timed out (ETIMEDOUT)");
        assertThat(ids()).doesNotContain("gateway-forwards-not");
    }

    @Test
    void aDeadGatewayIsToldOnce() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.of(Reason.GATEWAY_DOWN)));
        setup.routes.add(Snapshots.route("o2ib1", GATEWAY, Optional.of(Reason.GATEWAY_DOWN)));
        assertThat(ids()).containsExactly("gateway-down");
    }

    @Test
    void aRouteThatCountsAsUpWithAFarSideThatIsDown() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        setup.peer(Snapshots.peer(
                Snapshots.peerNi(GATEWAY, true, 1000, 8), Snapshots.peerNi("10.5.0.9@o2ib", false, 1000, 8)));
        setup.set(Tunable.AVOID_ASYM_ROUTER_FAILURE, 0);
        only("asymmetric-route").mend().forEach(this::type);
        assertThat(ids()).doesNotContain("asymmetric-route");
    }

    @Test
    void aGatewayThatBringsMessagesWhichAreDropped() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        setup.routes.add(Snapshots.route("o2ib1", "10.0.0.8@tcp", Optional.empty()));
        setup.peer(Snapshots.peer(GATEWAY, "10.5.0.9@o2ib", "10.6.0.9@o2ib1"))
                .peer(Snapshots.peer("10.0.0.8@tcp", "10.6.0.8@o2ib1"));
        assertThat(ids()).isEmpty();
        setup.set(Tunable.DROP_ASYM_ROUTE, 1);
        assertThat(only("asymmetric-route").mend().getFirst())
                .isEqualTo("lnetctl route add --net o2ib1 --gateway 10.0.0.9@tcp");
        setup.routes.add(Snapshots.route("o2ib1", GATEWAY, Optional.empty()));
        assertThat(ids()).isEmpty();
    }

    @Test
    void attemptsThatDoNotFit() {
        setup.set(Tunable.RETRY_COUNT, 3);
        Finding finding = only("attempts-do-not-fit");
        assertThat(finding.found())
                .isEqualTo("LND timeout 50 s x (retry_count 3 + 1) = 200 s is more than transaction_timeout 150 s");
        assertThat(finding.mend())
                .containsExactly(
                        "lnetctl net set --net tcp --lnd-timeout 37", "# or lnetctl set transaction_timeout 200");
        setup.ni("eth0", "10.0.0.1@tcp", NetTunables.DEFAULT, 37).ni("eth1", "10.0.0.2@tcp", NetTunables.DEFAULT, 37);
        assertThat(ids()).isEmpty();
        setup.ni("eth0", "10.0.0.1@tcp").ni("eth1", "10.0.0.2@tcp").set(Tunable.TRANSACTION_TIMEOUT, 200);
        assertThat(ids()).isEmpty();
    }

    @Test
    void anAttemptThatTakesAllTheTimeThereIs() {
        setup.set(Tunable.TRANSACTION_TIMEOUT, 30).set(Tunable.RETRY_COUNT, 1);
        assertThat(only("lnd-timeout").severity()).isEqualTo(Severity.ERROR);
        assertThat(only("lnd-timeout").mend().getFirst()).isEqualTo("lnetctl net set --net tcp --lnd-timeout 15");
        setup.ni("eth0", "10.0.0.1@tcp", NetTunables.DEFAULT, 15).ni("eth1", "10.0.0.2@tcp", NetTunables.DEFAULT, 15);
        assertThat(ids()).isEmpty();
    }

    @Test
    void aDerivedLimitIsMendedByAFixedOne() {
        setup.ni("eth0", "10.0.0.1@tcp", NetTunables.DEFAULT, 0).ni("eth1", "10.0.0.2@tcp", NetTunables.DEFAULT, 0);
        assertThat(only("attempts-do-not-fit").mend()).containsExactly("lnetctl net set --net tcp --lnd-timeout 50");
        setup.set(Tunable.TIMEOUT_FORMULA, 1);
        assertThat(ids()).isEmpty();
    }

    @Test
    void routerChecksThatComeTooLate() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        setup.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 120);
        assertThat(only("slow-router-checks").found())
                .isEqualTo("alive_router_check_interval 120 s + router_ping_timeout 50 s is more than"
                        + " transaction_timeout 150 s");
        only("slow-router-checks").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
        setup.set(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 0);
        only("no-router-checks").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
    }

    @Test
    void peersThatAreGivenUpTooEarly() {
        setup.set(Tunable.RECOVERY_LIMIT, 100);
        type(only("short-recovery").mend().getFirst());
        assertThat(ids()).isEmpty();
    }

    @Test
    void creditsThatOnePeerCanTakeAll() {
        setup.ni("eth1", "10.0.0.2@tcp", new NetTunables(180, 64, 0, 64), 50);
        assertThat(only("peer-credits").mend())
                .containsExactly(
                        "lnetctl net del --net tcp --if eth1",
                        "lnetctl net add --net tcp --if eth1 --peer-credits 64 --credits 256");
        setup.ni("eth1", "10.0.0.2@tcp", new NetTunables(180, 64, 0, 256), 50);
        assertThat(ids()).isEmpty();
    }

    @Test
    void creditsThatRanOut() {
        setup.infos.add(Snapshots.ni("eth0", "10.0.0.1@tcp", Snapshots.WELL, -7));
        setup.peer(Snapshots.peer(Snapshots.peerNi(GATEWAY, true, 1000, -30)));
        assertThat(only("credits-ran-out").found()).startsWith("up to 7 messages waited for one of its 256 credits");
        assertThat(only("peer-credits-ran-out").mend().getLast()).endsWith("--peer-credits 16 --credits 512");
        setup.infos.set(0, Snapshots.ni("eth0", "10.0.0.1@tcp", Snapshots.WELL, 0));
        setup.peers.set(0, Snapshots.peer(GATEWAY));
        assertThat(ids()).isEmpty();
    }

    @Test
    void aRouterWithFewBuffers() {
        setup.set(Tunable.LARGE_BUFFERS, 16);
        assertThat(ids()).isEmpty();
        setup.forwards = true;
        only("few-buffers").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "10.9.0.1@tcp, -, -, src 10.9.0.1@tcp matches no NI of this node",
                "-, o2ib4, -, dst o2ib4 is on no net that this node is on or has a route to",
                "-, 10.0.0.77@tcp, -, dst 10.0.0.77@tcp matches no peer that is known now",
                "-, o2ib, 10.0.0.8@tcp, rte 10.0.0.8@tcp matches no gateway"
            })
    void rulesThatNeverMatch(String src, String dst, String rte, String found) {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        setup.peer(Snapshots.peer(GATEWAY));
        setup.rule("tcp", null, null).rule(src, dst, rte);
        assertThat(only("rule-without-match").found()).isEqualTo(found);
        assertThat(only("rule-without-match").mend()).containsExactly("lnetctl udsp del --idx 1");
        setup.rules.removeLast();
        assertThat(ids()).isEmpty();
    }

    @Test
    void rulesThatMatch() {
        setup.routes.add(Snapshots.route("o2ib", GATEWAY, Optional.empty()));
        setup.peer(Snapshots.peer(GATEWAY))
                .rule("10.0.0.[1-2]@tcp", null, null)
                .rule(null, "10.0.0.*@tcp", null)
                .rule(null, "o2ib", GATEWAY);
        assertThat(ids()).containsExactly("rule-without-match");
        setup.peer(Snapshots.peer("10.5.0.1@o2ib"));
        assertThat(ids()).isEmpty();
    }

    @Test
    void discoveryThatIsOff() {
        setup.set(Tunable.DISCOVERY, 0);
        only("discovery-off").mend().forEach(this::type);
        assertThat(ids()).isEmpty();
        setup.set(Tunable.DISCOVERY, 0).nis.removeLast();
        assertThat(ids()).isEmpty();
    }

    @Test
    void whatAFileSaysIsMendedInTheFile() {
        setup.set(Tunable.RETRY_COUNT, 3).file(988, false);
        assertThat(only("attempts-do-not-fit").mend())
                .containsExactly(
                        "# in the file, at the NI on tcp: lnd tunables: {timeout: 37}",
                        "# or in the file, section 'global': transaction_timeout: 200");
    }
}
