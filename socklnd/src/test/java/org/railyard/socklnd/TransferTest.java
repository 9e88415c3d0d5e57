package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.Wire;
import org.railyard.conformance.TestMessage;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.Requirement;

/** Messages between two nodes over real sockets on loopback. */
class TransferTest {
    private final Node.Ports ports = new Node.Ports();

    private Node node(String nid, UnaryOperator<SockLndConfig.Builder> config) {
        return new Node(nid, ports, new RealHost(), config);
    }

    private static void assertPattern(RecordingStack.Arrival arrival) {
        byte[] payload = arrival.payload();
        for (int i = 0; i < payload.length; i++) {
            if (payload[i] != TestMessage.pattern(arrival.header().matchBits(), i)) {
                throw new AssertionError("byte " + i + " of " + payload.length + " is wrong");
            }
        }
    }

    @Test
    @Requirement("rsl-139")
    void aMessageTakesOneOfTheTransportWhateverItsSize() {
        try (Node node = node("127.0.1.1@tcp", UnaryOperator.identity())) {
            for (MessageType type : List.of(MessageType.PUT, MessageType.GET, MessageType.REPLY)) {
                assertThat(node.lnd.messagesPer(type, 0)).isEqualTo(1);
                assertThat(node.lnd.messagesPer(type, Wire.MTU)).isEqualTo(1);
            }
        }
    }

    private static void exchange(Node a, Node b, int... sizes) {
        List<TestMessage> sent = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            sent.add(a.put(b, sizes[i], i));
        }
        Await.until("arrival of " + sizes.length, () -> b.stack.arrivals.size() == sizes.length);
        for (TestMessage message : sent) {
            assertThat(a.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.OK);
        }
        for (RecordingStack.Arrival arrival : b.stack.arrivals) {
            assertThat(arrival.payload()).hasSize(sizes[(int) arrival.header().matchBits()]);
            assertThat(arrival.from()).isEqualTo(ProcessId.of(a.nid));
            assertThat(arrival.header().destNid()).isEqualTo(b.nid);
            assertPattern(arrival);
        }
        b.stack.arrivals.clear();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void everyVersionCarriesSmallAndBulkBothWays(ProtocolVersion version) {
        UnaryOperator<SockLndConfig.Builder> speaks = builder -> builder.protocol(version);
        boolean large = version == ProtocolVersion.V4;
        try (Node a = node(large ? "::1@tcp" : "127.0.1.1@tcp", speaks);
                Node b = node("127.0.1.2@tcp", large ? builder -> builder : speaks)) {
            int[] sizes = {0, 1, 64, 900, 1024, 4096, 70_000, Wire.MTU, 3, Wire.MTU, 0};
            if (large) {
                // An IPv4 NI reaches an IPv6 NID from the device's IPv6 address, with V4 (spec 01 §6 item 7).
                exchange(b, a, sizes);
                exchange(a, b, sizes);
            } else {
                exchange(a, b, sizes);
                exchange(b, a, sizes);
            }
            assertThat(a.stack.deaths).isEmpty();
            assertThat(b.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isZero();
        }
    }

    @Test
    void connectionsAreDroppedOnRequestAndMadeAgainForTheNextMessage() {
        try (Node a = node("127.0.1.1@tcp", builder -> builder);
                Node b = node("127.0.1.2@tcp", builder -> builder)) {
            a.lnd.dropConnections(a.ni, b.nid);
            exchange(a, b, 8, 70_000);
            // They are opened one after the other; one that is being opened when the others are dropped stays.
            Await.until("control, bulk in and bulk out", () -> a.lnd.stats().connectionsOpen() == 3);
            Await.until("all three there", () -> b.lnd.stats().connectionsOpen() == 3);
            a.lnd.dropConnections(a.ni, Nid.parse("127.0.1.3@tcp"));
            assertThat(a.lnd.stats().closed()).as("those to others stay").isZero();
            a.lnd.dropConnections(a.ni, b.nid);
            // One that ends later would take fresh ones with it.
            Await.until("the end of all connections", () -> a.lnd.stats().connectionsOpen() == 0);
            Await.until("their end there", () -> b.lnd.stats().connectionsOpen() == 0);
            assertThat(a.lnd.stats().closed()).isPositive();
            exchange(a, b, 8, 70_000);
        }
    }

    @Test
    void ipv6() {
        try (Node a = node("::1@tcp", builder -> builder);
                Node b = node("::1@tcp1", builder -> builder)) {
            TestMessage message = TestMessage.put(a.nid, b.nid, 5000, 9);
            assertThat(a.lnd.send(a.ni, message)).isZero();
            Await.until("arrival", () -> b.stack.arrivals.size() == 1);
            assertPattern(b.stack.arrivals.getFirst());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void opensEachTypeAndNoMore(int connsPerPeer) {
        UnaryOperator<SockLndConfig.Builder> config = builder -> builder.set(SockTunable.CONNS_PER_PEER, connsPerPeer);
        try (Node a = node("127.0.1.1@tcp", config);
                Node b = node("127.0.1.2@tcp", config)) {
            exchange(a, b, 10, 20_000);
            int expected = 1 + 2 * connsPerPeer;
            Await.until(
                    "all connections",
                    () -> a.lnd.stats().connectionsOpen() == expected
                            && b.lnd.stats().connectionsOpen() == expected);
            exchange(b, a, 10, 20_000);
            exchange(a, b, 10, 20_000, 30_000, 40_000, 50_000, 60_000);
            assertThat(a.lnd.stats().dialled()).isEqualTo(expected);
            assertThat(b.lnd.stats().dialled()).isZero();
        }
    }

    /** What does not fit into the memory for small messages is not copied, whatever is asked for. */
    @Test
    void almostEverythingIsSmallWhereSoAskedFor() {
        UnaryOperator<SockLndConfig.Builder> config = builder -> builder.set(SockTunable.MIN_BULK, Wire.MTU);
        try (Node a = new Node("127.0.1.1@tcp", ports, new RealHost(), config);
                Node b = new Node("127.0.1.2@tcp", ports, new RealHost(), config)) {
            exchange(a, b, 1, 4000, 16_000, 17_000, 100_000, Wire.MTU);
        }
    }

    @Test
    void fragmentsOfEveryKind() {
        try (Node a = node("127.0.1.1@tcp", builder -> builder);
                Node b = node("127.0.1.2@tcp", builder -> builder)) {
            ByteBuffer[] fragments = new ByteBuffer[Wire.MAX_FRAGMENTS];
            int at = 0;
            for (int i = 0; i < fragments.length; i++) {
                int size = i % 17 == 0 ? 0 : 13 + i * 16;
                fragments[i] = i % 2 == 0 ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
                for (int j = 0; j < size; j++) {
                    fragments[i].put(j, TestMessage.pattern(5, at++));
                }
            }
            TestMessage message = TestMessage.put(a.nid, b.nid, 5, fragments);
            assertThat(a.lnd.send(a.ni, message)).isZero();
            Await.until("arrival", () -> b.stack.arrivals.size() == 1);
            assertThat(b.stack.arrivals.getFirst().payload()).hasSize(at);
            assertPattern(b.stack.arrivals.getFirst());
        }
    }

    @Test
    void checksumsOnVersion2() {
        UnaryOperator<SockLndConfig.Builder> sums =
                builder -> builder.protocol(ProtocolVersion.V2).set(SockTunable.ENABLE_CSUM, 1);
        try (Node a = node("127.0.1.1@tcp", sums);
                Node b = node("127.0.1.2@tcp", sums)) {
            exchange(a, b, 0, 100, 5000, Wire.MTU);
            exchange(b, a, 0, 100, 5000, Wire.MTU);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 200_000})
    void wrongChecksumCloses(int size) {
        try (Node a = node(
                        "127.0.1.1@tcp",
                        builder -> builder.protocol(ProtocolVersion.V2)
                                .set(SockTunable.ENABLE_CSUM, 1)
                                .set(SockTunable.INJECT_CSUM_ERROR, 1));
                Node b = node("127.0.1.2@tcp", builder -> builder)) {
            a.put(b, size, 1);
            Await.until("refusal", () -> b.lnd.stats().refused(HandshakeRefusal.BAD_FRAME) > 0);
            Await.until("closed", () -> b.lnd.stats().closed() > 0);
            if (size > 0) {
                Await.until("given back", () -> b.stack.completions.size() == 1);
                assertThat(b.stack.completions.getFirst().health()).isEqualTo(HealthStatus.REMOTE_ERROR);
            }
            assertThat(b.stack.arrivals).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ProtocolVersion.class,
            names = {"V2", "V3"})
    @Requirement("rsl-141")
    void zeroCopyRequestsAreAcknowledgedOnce(ProtocolVersion version) {
        UnaryOperator<SockLndConfig.Builder> config =
                builder -> builder.protocol(version).zeroCopyRequests(true);
        try (Node a = node("127.0.1.1@tcp", config);
                Node b = node("127.0.1.2@tcp", config)) {
            exchange(a, b, 100, 20_000, 15_000, 300_000, Wire.MTU, 17_000);
            awaitAcks(b, 4);
            b.stack.policy = (ni, header, from, pid, receiver) -> {
                receiver.receive(null, 0, header.payloadLength());
                return 0;
            };
            // What is thrown away is acknowledged all the same.
            TestMessage thrownAway = a.put(b, 100_000, 1);
            assertThat(a.stack.awaitCompletion(thrownAway).status()).isZero();
            awaitAcks(b, 5);
            assertThat(a.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isZero();
        }
    }

    /** Connections end together with those of the same address, not with those of another one. */
    @Test
    void anAckCountsAfterTheEndOfConnectionsThatDidNotCarryTheMessage() throws Exception {
        String own = "127.0.1.1@tcp";
        String peer = "10.99.0.1@tcp";
        // One thread reads all connections: it has dealt with the end before it reads the ack.
        try (Node node = node(own, builder -> builder.zeroCopyRequests(true).set(SockTunable.NSCHEDS, 1));
                RawPeer control = RawPeer.connect("127.0.1.2", own, node.port());
                RawPeer bulk = RawPeer.connect("127.0.1.3", own, node.port())) {
            control.control(own, peer, 1);
            assertThat(bulk.hello(own, peer, 1, 2)).isEqualTo(3);
            Await.until("both", () -> node.lnd.stats().connectionsOpen() == 2);
            TestMessage message = TestMessage.put(node.nid, Nid.parse(peer), 20_000);
            assertThat(node.lnd.send(node.ni, message)).isZero();
            assertThat(bulk.readBytes(96 + 20_000)).hasSize(96 + 20_000);
            control.hangUp();
            Await.until("the end of one", () -> node.lnd.stats().connectionsOpen() == 1);
            bulk.send("c0000000" + "00".repeat(12) + "0200000000000000");
            assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.OK);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isZero();
            assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(1);
        }
    }

    /** The peer may have an ack before it is counted. */
    private static void awaitAcks(Node node, long count) {
        Await.until("acks", () -> node.lnd.stats().zeroCopyAcksSent() >= count);
        assertThat(node.lnd.stats().zeroCopyAcksSent()).isEqualTo(count);
    }

    @Test
    void olderVersionIsNegotiated() {
        try (Node a = node("127.0.1.1@tcp", builder -> builder);
                Node b = node("127.0.1.2@tcp", builder -> builder.protocol(ProtocolVersion.V2))) {
            exchange(a, b, 10, 5000);
            assertThat(b.lnd.stats().refused(HandshakeRefusal.OTHER_VERSION)).isEqualTo(1);
            exchange(b, a, 10, 5000);
        }
    }

    @Test
    void twoNisOfOneAddressShareAListener() {
        try (Node a = node("127.0.1.1@tcp", builder -> builder);
                Node b = node("127.0.1.2@tcp", builder -> builder)) {
            Nid second = Nid.parse("127.0.1.2@tcp5");
            b.add(second, Map.of("conns_per_peer", 2, "timeout", 5, "tos", -1));
            assertThat(b.port()).isEqualTo(b.lnd.listenPort(b.ni));
            TestMessage message = TestMessage.put(a.nid, second, 40, 3);
            assertThat(a.lnd.send(a.ni, message)).isZero();
            Await.until("arrival", () -> b.stack.arrivals.size() == 1);
            assertThat(b.stack.arrivals.getFirst().header().destNid()).isEqualTo(second);
        }
    }
}
