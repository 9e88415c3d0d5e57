package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/**
 * Bonds of nodes that are behind a router, and of the router (spec 21 §10.1): the server on {@code tcp1} has two bonds
 * of two NIDs, its client is on {@code tcp}.
 */
class RoutedBondsTest {
    private static final List<Nid> S1 = List.of(Nid.parse("10.1.0.1@tcp1"), Nid.parse("10.1.1.1@tcp1"));
    private static final List<Nid> S2 = List.of(Nid.parse("10.1.2.1@tcp1"), Nid.parse("10.1.3.1@tcp1"));
    private static final Nid CLIENT = Nid.parse("10.0.0.1@tcp");
    private static final Nid CLIENT_TOO = Nid.parse("10.0.1.1@tcp");
    private static final Nid NEAR = Nid.parse("10.0.0.9@tcp");
    private static final Nid FAR = Nid.parse("10.1.0.9@tcp1");
    private static final int PORTAL = 33;
    private static final long BITS = 7;

    private final TestNetwork net = new TestNetwork();
    private final List<LNet> nodes = new ArrayList<>();
    private LNet client;
    private LNet router;
    private LNet server;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    RoutedBondsTest() {}

    private LNet node(Settings settings, Nid... nids) {
        LNet node = net.node(settings, List.of(nids).stream().map(Nid::toString).toArray(String[]::new));
        nodes.add(node);
        return node;
    }

    @BeforeEach
    void start() {
        router = node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.FORWARDING, 1), NEAR, FAR);
        client = node(Settings.of(CompatProfile.DOCUMENTS), CLIENT, CLIENT_TOO);
        server = node(Settings.of(CompatProfile.DOCUMENTS), S1.get(0), S1.get(1), S2.get(0), S2.get(1));
        server.bonds().add(local("S1", S1), -1);
        server.bonds().add(local("S2", S2), -1);
        client.routes().add(Net.parse("tcp1"), NEAR, Routes.UNDEFINED_HOPS, 0);
        server.routes().add(Net.TCP, FAR, Routes.UNDEFINED_HOPS, 0);
        net.settle();
        for (LNet each : List.of(client, server)) {
            each.attach(
                    MeConfig.of(PORTAL, BITS),
                    MdConfig.of(Arena.ofAuto().allocate(4096))
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        }
    }

    @AfterEach
    void nothingIsLeftBehind() {
        net.fail(header -> null);
        net.close();
        assertThat(nodes).allMatch(node -> node.messagesInUse() == 0);
    }

    private static Bond local(String name, List<Nid> nids) {
        return new Bond(name, Bond.Kind.LOCAL, BondPolicy.DEFAULT, nids);
    }

    private List<Nid> ping(LNet from, Nid target) {
        return net.await(from.ping(target, Nid.ANY, Duration.ofSeconds(5))).nids();
    }

    /** Returns the NIDs of the peers of a node, but for the router. */
    private static List<List<Nid>> peersOf(LNet node) {
        return node.peers().stream()
                .map(peer -> peer.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList())
                .filter(nids -> !nids.contains(NEAR) && !nids.contains(FAR))
                .toList();
    }

    private void put(LNet from, Nid target) {
        net.await(from.put(ProcessId.of(target), PORTAL, BITS, Arena.ofAuto().allocate(100)));
    }

    private void get(LNet from, Nid target) {
        net.await(from.get(ProcessId.of(target), PORTAL, BITS, Arena.ofAuto().allocate(100)));
    }

    private Set<Nid> sources(MessageType type) {
        return net.takeLog().stream()
                .filter(packet -> packet.header().type() == type)
                .map(packet -> packet.header().srcNid())
                .collect(Collectors.toSet());
    }

    private void discoverBoth() {
        net.await(client.discover(S1.getFirst(), false));
        net.await(client.discover(S2.getLast(), false));
        net.takeLog();
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void aServerBehindARouterIsTwoPeersToItsClient() {
        assertThat(ping(client, S1.getLast())).isEqualTo(S1);
        assertThat(ping(client, S2.getFirst())).isEqualTo(S2);
        discoverBoth();
        assertThat(peersOf(client)).containsExactlyInAnyOrder(S1, S2);
        assertThat(client.peers().stream().map(PeerInfo::primaryNid)).contains(S1.getFirst(), S2.getFirst());
        assertThat(peersOf(server)).containsExactly(List.of(CLIENT, CLIENT_TOO));
    }

    @Test
    @Requirement({"cb-202", "cb-205"})
    void requestsAndAnswersStayInTheBondThatWasMeant() {
        discoverBoth();
        for (int i = 0; i < 6; i++) {
            get(client, S2.getFirst());
            put(client, S2.getFirst());
        }
        assertThat(net.takeLog().stream()
                        .map(packet -> packet.header())
                        .filter(header -> header.type() == MessageType.REPLY || header.type() == MessageType.ACK)
                        .map(LNetHeader::srcNid))
                .isNotEmpty()
                .allMatch(S2::contains);
        for (int i = 0; i < 6; i++) {
            get(client, S1.getFirst());
        }
        assertThat(sources(MessageType.REPLY)).isSubsetOf(S1);
        Md md = server.bind(MdConfig.of(Arena.ofAuto().allocate(8)));
        for (int i = 0; i < 6; i++) {
            server.put(md, false, S2.getFirst(), ProcessId.of(CLIENT), PORTAL, BITS, 0, 0);
            net.settle();
        }
        assertThat(sources(MessageType.PUT)).containsExactlyInAnyOrderElementsOf(S2);
    }

    @Test
    @Requirement("cb-204")
    void newsOfABondComeThroughTheRouterFromThatBondOnly() {
        discoverBoth();
        server.bonds().change(server.bonds().find("S2").without(List.of(S2.getLast())));
        net.settle();
        assertThat(peersOf(client)).containsExactlyInAnyOrder(S1, S2.subList(0, 1));
        assertThat(sources(MessageType.PUT)).isEqualTo(Set.of(S2.getFirst()));
        server.removeNi(S1.getFirst());
        net.settle();
        assertThat(peersOf(client)).hasSize(2).contains(S2.subList(0, 1));
        assertThat(peersOf(client).stream().flatMap(List::stream)).contains(S1.getLast());
        assertThat(sources(MessageType.PUT)).isEqualTo(Set.of(S1.getLast()));
        server.bonds().delete("S1");
        server.bonds().delete("S2");
        net.settle();
        assertThat(peersOf(client)).hasSize(1);
        assertThat(peersOf(client).getFirst())
                .as("one node again")
                .containsExactlyInAnyOrder(S1.getLast(), S2.getFirst(), S2.getLast());
    }

    @Test
    @Requirement("cb-202")
    void whatFailsOnTheWayToTheRouterIsSentAgainFromItsBond() {
        discoverBoth();
        List<Nid> tried = new ArrayList<>();
        net.fail(header -> {
            if (header.type() != MessageType.PUT
                    || header.portal() != PORTAL
                    || !List.of(CLIENT, CLIENT_TOO).contains(header.destNid())) {
                return null;
            }
            tried.add(header.srcNid());
            return tried.size() < 3 ? new TestNetwork.Failure(Errno.EIO, HealthStatus.LOCAL_DROPPED) : null;
        });
        put(server, CLIENT);
        assertThat(tried).hasSize(4);
        assertThat(tried.removeLast()).as("the router passes it on").isEqualTo(tried.getLast());
        assertThat(tried.subList(0, 2)).containsExactlyInAnyOrderElementsOf(S1.contains(tried.getFirst()) ? S1 : S2);
        assertThat(S1.contains(tried.getFirst()) ? S2 : S1).contains(tried.getLast());
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void aRouterWithASideInEachBondForwardsButDoesNotTellOfItsFarSide() {
        assertThat(ping(client, NEAR)).containsExactly(NEAR, FAR);
        router.bonds().add(local("near", List.of(NEAR)), -1);
        router.bonds().add(local("far", List.of(FAR)), -1);
        net.settle();
        net.pass(130);
        assertThat(ping(client, NEAR)).containsExactly(NEAR);
        assertThat(ping(server, FAR)).containsExactly(FAR);
        assertThat(client.routes().list()).allMatch(RouteInfo::isUp);
        discoverBoth();
        put(client, S1.getFirst());
        put(server, CLIENT);
        net.device(FAR.toString(), DeviceEvent.FATAL);
        net.pass(130);
        assertThat(client.routes().list())
                .as("the client can not see what is wrong on the far side")
                .allMatch(RouteInfo::isUp);
        router.bonds().delete("far");
        router.bonds().change(router.bonds().find("near").with(List.of(FAR)));
        net.pass(130);
        assertThat(client.routes().list()).as("in one bond it can").noneMatch(RouteInfo::isUp);
        net.device(FAR.toString(), DeviceEvent.CLEAR);
        net.pass(130);
        assertThat(client.routes().list()).allMatch(RouteInfo::isUp);
        put(client, S2.getFirst());
    }

    @Test
    @Requirement({"cb-204", "cb-205"})
    void aClientThatComesLaterTakesSuchARouterUnlessItIsToldThatTheFarSideIsThere() {
        router.bonds().add(local("near", List.of(NEAR)), -1);
        LNet late = node(Settings.of(CompatProfile.DOCUMENTS), Nid.parse("10.0.0.3@tcp"));
        late.routes().add(Net.parse("tcp1"), NEAR, Routes.UNDEFINED_HOPS, 0);
        net.settle();
        net.pass(130);
        assertThat(late.routes().list()).allMatch(RouteInfo::isUp);
        put(late, S1.getFirst());
        late.routes().delete(Net.parse("tcp1"), NEAR);
        late.routes().add(Net.parse("tcp1"), NEAR, 1, 0);
        net.settle();
        net.pass(130);
        assertThat(late.routes().list())
                .as("one hop: the gateway itself has to be on that net")
                .noneMatch(RouteInfo::isUp);
        router.bonds().delete("near");
        net.pass(130);
        assertThat(late.routes().list()).allMatch(RouteInfo::isUp);
        put(late, S1.getFirst());
    }
}
