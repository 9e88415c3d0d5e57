package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Statistic;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;

/**
 * A router between {@code tcp} and {@code tcp1} that is on, with scripted nodes on both sides. Checks in the end that
 * nothing was left behind.
 */
abstract class OneRouter {
    static final Nid NEAR = Nid.parse("10.0.0.9@tcp");
    static final Nid FAR = Nid.parse("10.1.0.9@tcp1");
    static final Nid CLIENT = Nid.parse("10.0.0.1@tcp");
    static final Nid OTHER = Nid.parse("10.0.0.2@tcp");
    static final Nid SERVER = Nid.parse("10.1.0.1@tcp1");
    static final Nid SECOND = Nid.parse("10.1.0.2@tcp1");
    static final int PORTAL = 33;
    static final int MULTI_RAIL = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY;

    TestNetwork net = new TestNetwork();
    LNet router;
    ScriptedPeer client;
    ScriptedPeer other;
    ScriptedPeer server;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    OneRouter() {}

    @BeforeEach
    void start() {
        net = network();
        router = net.node(settings(), NEAR.toString(), FAR.toString());
        client = peer(CLIENT);
        other = peer(OTHER);
        server = peer(SERVER);
        net.takeLog();
    }

    TestNetwork network() {
        return new TestNetwork();
    }

    /** The tunables of the router. */
    Settings settings() {
        return Settings.of(CompatProfile.DOCUMENTS).with(Tunable.FORWARDING, 1);
    }

    /** Puts a multi-rail node with one NID on the network. */
    ScriptedPeer peer(Nid nid) {
        ScriptedPeer peer = new ScriptedPeer(net, nid);
        return peer.says(MULTI_RAIL | PingInfo.RTE_DISABLED, 1, nid);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        net.hold(header -> false);
        net.releaseAll();
        assertThat(router.routing().buffers())
                .allMatch(pool -> pool.credits() == pool.buffers(), "has all its buffers back");
        assertThat(router.peers())
                .flatExtracting(PeerInfo::nis)
                .allMatch(
                        ni -> ni.routerCredits() >= 0 && ni.credits() >= 0 && ni.queuedBytes() == 0, "has its credits");
        net.close();
        assertThat(router.messagesInUse()).isZero();
    }

    static LNetHeader put(Nid from, Nid to, int length, long number) {
        LNetHeader header = new LNetHeader();
        header.setPut(length, 17, 18, PORTAL, number, 5, 0x1122334455667788L);
        return route(header, from, to);
    }

    static LNetHeader get(Nid from, Nid to) {
        LNetHeader header = new LNetHeader();
        header.setGet(17, 18, PORTAL, 7, 8, 4096);
        return route(header, from, to);
    }

    static LNetHeader ping(Nid from, Nid to) {
        LNetHeader header = new LNetHeader();
        header.setGet(17, 18, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 4096);
        return route(header, from, to);
    }

    static LNetHeader reply(Nid from, Nid to, int length) {
        LNetHeader header = new LNetHeader();
        header.setReply(length, 19, 20);
        return route(header, from, to);
    }

    static LNetHeader ack(Nid from, Nid to) {
        LNetHeader header = new LNetHeader();
        header.setAck(19, 20, 7, 4000);
        return route(header, from, to);
    }

    private static LNetHeader route(LNetHeader header, Nid from, Nid to) {
        header.setRoute(to, 4711, from, ProcessId.LUSTRE_PID);
        return header;
    }

    static byte[] wire(LNetHeader header) {
        byte[] bytes = new byte[LNetHeader.NID4_BYTES];
        header.write(MemorySegment.ofArray(bytes), 0, false);
        return bytes;
    }

    static byte[] payload(LNetHeader header) {
        byte[] bytes = new byte[header.payloadLength()];
        new Random(header.matchBits()).nextBytes(bytes);
        return bytes;
    }

    /** Has a message arrive at the router from its source, on the right side; returns what the router says. */
    int arrive(LNetHeader header) {
        return net.inject(
                header.srcNid(), header, payload(header), header.srcNid().isOnNetOf(NEAR) ? NEAR : FAR);
    }

    /** Has a message arrive, and everything that follows from it happen. */
    void pass(LNetHeader header) {
        assertThat(arrive(header)).isZero();
        net.settle();
    }

    /** Returns the match bits of the PUTs for the test's portal that the router sent since the log was last taken. */
    List<Long> numbersPassed() {
        List<Long> numbers = new ArrayList<>();
        for (TestNetwork.Packet packet : net.takeLog()) {
            if (packet.header().type() == MessageType.PUT && packet.header().portal() == PORTAL) {
                numbers.add(packet.header().matchBits());
            }
        }
        return numbers;
    }

    RouterBufferInfo pool(RouterBufferSize size) {
        return router.routing().buffers().stream()
                .filter(pool -> pool.size() == size)
                .findFirst()
                .orElseThrow();
    }

    PeerInfo.PeerNiInfo peerNi(Nid nid) {
        return router.inventory().peer(nid).orElseThrow().nis().stream()
                .filter(ni -> ni.nid().equals(nid))
                .findFirst()
                .orElseThrow();
    }

    long count(Statistic statistic) {
        return router.statistics().get(statistic);
    }
}
