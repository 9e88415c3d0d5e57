package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouteInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.PingInfo;

/**
 * A client on {@code tcp}, a server on {@code tcp1}, and two routers without a stack between them. Checks in the end
 * that nothing was left behind.
 */
abstract class Routed {
    static final Net FAR = Net.parse("tcp1");
    static final Nid CLIENT = Nid.parse("10.0.0.1@tcp");
    static final Nid SERVER = Nid.parse("10.1.0.9@tcp1");
    static final Nid NEAR_1 = Nid.parse("10.0.0.5@tcp");
    static final Nid FAR_1 = Nid.parse("10.1.0.5@tcp1");
    static final Nid NEAR_2 = Nid.parse("10.0.0.6@tcp");
    static final Nid FAR_2 = Nid.parse("10.1.0.6@tcp1");
    static final int ROUTES = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY;
    static final int ROUTES_NOT = ROUTES | PingInfo.RTE_DISABLED;
    static final int PORTAL = 33;
    static final long BITS = 0x77;

    TestNetwork net = new TestNetwork();
    LNet client;
    LNet server;
    ScriptedPeer router1;
    ScriptedPeer router2;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    Routed() {}

    @BeforeEach
    void start() {
        router1 = new ScriptedPeer(net, NEAR_1, FAR_1).forwards().says(ROUTES, 1, NEAR_1, FAR_1);
        router2 = new ScriptedPeer(net, NEAR_2, FAR_2).forwards().says(ROUTES, 1, NEAR_2, FAR_2);
        client = net.node(settings(), CLIENT.toString());
        server = net.node(Settings.of(CompatProfile.DOCUMENTS), SERVER.toString());
        net.takeLog();
    }

    /** The tunables of the client. */
    Settings settings() {
        return Settings.of(CompatProfile.DOCUMENTS);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        net.releaseAll();
        net.late().complete();
        net.close();
        for (LNet node : List.of(client, server)) {
            assertThat(node.messagesInUse()).isZero();
            assertThat(node.nis()).allMatch(ni -> ni.credits() == ni.maxCredits());
            assertThat(node.peers())
                    .flatExtracting(PeerInfo::nis)
                    .allMatch(ni -> ni.credits() == ni.maxCredits() && ni.queuedBytes() == 0);
        }
    }

    /** The client and the server have routes through both routers, which have been checked. */
    void connect() {
        route(NEAR_1);
        route(NEAR_2);
        connectServer();
    }

    void route(Nid gateway) {
        route(gateway, Routes.UNDEFINED_HOPS, 0);
    }

    void route(Nid gateway, int hops, int priority) {
        client.routes().add(FAR, gateway, hops, priority);
        net.settle();
    }

    void connectServer() {
        server.routes().add(Net.TCP, FAR_1, Routes.UNDEFINED_HOPS, 0);
        server.routes().add(Net.TCP, FAR_2, Routes.UNDEFINED_HOPS, 0);
        server.attach(
                MeConfig.of(PORTAL, BITS),
                MdConfig.of(Arena.ofAuto().allocate(4096))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        net.settle();
        net.takeLog();
    }

    RouteInfo routeBy(Nid gateway) {
        return client.routes().list().stream()
                .filter(route -> route.gateway().equals(gateway))
                .findFirst()
                .orElseThrow();
    }

    /** Sends from the client to the server, and returns how that ended. */
    List<String> put() {
        return put(Nid.ANY, SERVER);
    }

    List<String> put(Nid source, Nid target) {
        Recorder recorder = new Recorder();
        Md md = startPut(source, target, recorder);
        net.settle();
        List<String> lines = recorder.lines();
        if (!md.isUnlinked()) {
            md.unlink();
        }
        return lines;
    }

    Md startPut(Nid source, Nid target, Recorder recorder) {
        Md md = client.bind(MdConfig.of(Arena.ofAuto().allocate(100))
                .withThreshold(2)
                .withAutoUnlink()
                .withHandler(recorder));
        client.put(md, true, source, ProcessId.of(target), PORTAL, BITS, 0, 0);
        return md;
    }

    /** Returns the gateway that a PUT of the client takes now. */
    Nid gatewayTaken() {
        net.takeLog();
        assertThat(put()).containsExactly("SEND", "ACK!");
        return net.takeLog().stream().anyMatch(packet -> packet.from().equals(FAR_1) && packet.payload().length == 100)
                ? NEAR_1
                : NEAR_2;
    }

    List<Nid> gatewaysTaken(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> gatewayTaken())
                .toList();
    }
}
