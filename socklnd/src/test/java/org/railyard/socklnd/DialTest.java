package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.Wire;
import org.railyard.lnet.wire.WireFormatException;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.Requirement;

/** What a node does as the one that dials, towards a peer whose every byte the test decides; time moves by hand. */
class DialTest {
    private static final Nid OWN = Nid.parse("127.0.5.5@tcp");
    private static final Nid LOW = Nid.parse("127.0.5.1@tcp");
    private static final Nid HIGH = Nid.parse("127.0.5.9@tcp");

    private final Node.Ports ports = new Node.Ports();
    private final VirtualHost host = new VirtualHost();
    private final ServerSocket server = openServer();

    private static ServerSocket openServer() {
        try {
            return new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void listen() {
        ports.set(HIGH, server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private Node node(UnaryOperator<SockLndConfig.Builder> config) {
        return new Node(OWN.toString(), ports, host, config);
    }

    private TestMessage put(Node node, int size) {
        TestMessage message = TestMessage.put(OWN, HIGH, size, 1);
        assertThat(node.lnd.send(node.ni, message)).isZero();
        return message;
    }

    /** Takes a call in, and returns what its hello said. */
    private static Hello greeted(RawPeer peer) throws IOException, WireFormatException {
        assertThat(peer.read(16)).isEqualTo("0071ceac01000000" + "0905007f00000200");
        return Hello.read(MemorySegment.ofArray(peer.readBytes(56)), 0);
    }

    private static void answer(RawPeer peer, Hello hello, ConnectionType type) throws IOException {
        peer.send(
                RawPeer.segment(Hello.of(hello.version(), HIGH, hello.srcNid(), ProcessId.LUSTRE_PID, 0, 77, 0, type)));
    }

    private RawPeer acceptAs(ConnectionType expected) throws IOException, WireFormatException {
        RawPeer peer = RawPeer.accept(server);
        Hello hello = greeted(peer);
        assertThat(hello.type()).isEqualTo(expected);
        answer(peer, hello, expected.inverted());
        return peer;
    }

    private void advanceUntilDialled(Node node) {
        Await.until("the next attempt", () -> {
            host.advance(VirtualHost.SECOND / 2);
            return node.lnd.stats().handshakesOpen() > 0;
        });
    }

    @Test
    void sendsRequestHelloAndQueuedMessagesInOrder() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.CONNS_PER_PEER, 2))) {
            TestMessage first = put(node, 5000);
            try (RawPeer control = RawPeer.accept(server)) {
                Hello hello = greeted(control);
                assertThat(hello.version()).isEqualTo(ProtocolVersion.V3);
                assertThat(hello.srcNid()).isEqualTo(OWN);
                assertThat(hello.dstNid()).isEqualTo(HIGH);
                assertThat(hello.srcPid()).isEqualTo(ProcessId.LUSTRE_PID);
                assertThat(hello.dstPid()).isZero();
                assertThat(hello.type()).isEqualTo(ConnectionType.CONTROL);
                assertThat(hello.srcIncarnation()).isEqualTo(host.clock().wallNanos());
                assertThat(node.stack.completions).isEmpty();
                answer(control, hello, ConnectionType.CONTROL);
                // The queued message leaves at once, on the connection that is there.
                assertThat(control.read(96 + 5000))
                        .startsWith("c1000000")
                        .contains("0905007f00000200" + "0505007f00000200");
                assertThat(node.stack.awaitCompletion(first).status()).isZero();
                try (RawPeer in = acceptAs(ConnectionType.BULK_IN);
                        RawPeer out = acceptAs(ConnectionType.BULK_OUT);
                        RawPeer in2 = acceptAs(ConnectionType.BULK_IN);
                        RawPeer out2 = acceptAs(ConnectionType.BULK_OUT)) {
                    Await.until("five", () -> node.lnd.stats().connectionsOpen() == 5);
                    put(node, 5000);
                    put(node, 5000);
                    assertThat(out.read(4)).isEqualTo("c1000000");
                    assertThat(out2.read(4)).as("equals take turns").isEqualTo("c1000000");
                    // An end of one connection closes all of them.
                    in.hangUp();
                    assertThat(control.readToEnd()).isEmpty();
                    assertThat(in2.readToEnd()).isEmpty();
                }
                Await.until("all closed", () -> node.lnd.stats().connectionsOpen() == 0);
                Await.until("death", () -> !node.stack.deaths.isEmpty());
                assertThat(node.stack.deaths).containsExactly(HIGH);
            }
        }
    }

    @Test
    void refusedConnectionThenBackOff() throws Exception {
        server.close();
        try (Node node = node(builder -> builder)) {
            TestMessage first = put(node, 10);
            assertThat(node.stack.awaitCompletion(first))
                    .isEqualTo(new RecordingStack.Completion(
                            first, Errno.ECONNREFUSED.status(), HealthStatus.REMOTE_DROPPED));
            Await.until("death", () -> !node.stack.deaths.isEmpty());
            assertThat(node.stack.deaths).containsExactly(HIGH);
            TestMessage inBackOff = put(node, 10);
            assertThat(node.stack.awaitCompletion(inBackOff))
                    .isEqualTo(new RecordingStack.Completion(
                            inBackOff, Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED));
            host.advance(VirtualHost.SECOND);
            TestMessage second = put(node, 10);
            assertThat(node.stack.awaitCompletion(second).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            host.advance(VirtualHost.SECOND);
            TestMessage stillBackOff = put(node, 10);
            assertThat(node.stack.awaitCompletion(stillBackOff).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            host.advance(VirtualHost.SECOND);
            TestMessage third = put(node, 10);
            assertThat(node.stack.awaitCompletion(third).health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
            assertThat(node.lnd.stats().dialsFailed()).isEqualTo(3);
        }
    }

    @Test
    @Requirement("rsl-144")
    void noHelloInTime() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                host.advance(49 * VirtualHost.SECOND);
                assertThat(node.stack.completions).isEmpty();
                host.advance(2 * VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message))
                        .isEqualTo(new RecordingStack.Completion(
                                message, Errno.ETIMEDOUT.status(), HealthStatus.NETWORK_TIMEOUT));
                assertThat(silent.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    void messageWithALimitOfItsOwnDoesNotWaitLonger() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = TestMessage.put(OWN, HIGH, 10, 1);
            message.timeoutNanos = 3 * VirtualHost.SECOND;
            assertThat(node.lnd.send(node.ni, message)).isZero();
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                host.advance(3 * VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.LOCAL_TIMEOUT);
                assertThat(node.lnd.stats().handshakesOpen()).isEqualTo(1);
            }
        }
    }

    @Test
    void lostRaceIsTriedAgainAfterASecond() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            try (RawPeer refusing = RawPeer.accept(server)) {
                answer(refusing, greeted(refusing), ConnectionType.NONE);
                assertThat(refusing.readToEnd()).isEmpty();
            }
            Await.until("handshake over", () -> node.lnd.stats().handshakesOpen() == 0);
            assertThat(node.stack.completions).isEmpty();
            advanceUntilDialled(node);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(96)).startsWith("c1");
                assertThat(node.stack.awaitCompletion(message).status()).isZero();
            }
        }
    }

    @Test
    void threeRefusalsFailWhileATypeIsMissing() throws Exception {
        try (Node node = node(builder -> builder)) {
            TestMessage message = put(node, 10);
            for (int i = 0; i < 3; i++) {
                try (RawPeer refusing = RawPeer.accept(server)) {
                    answer(refusing, greeted(refusing), ConnectionType.NONE);
                    assertThat(refusing.readToEnd()).isEmpty();
                }
                Await.until("handshake over", () -> node.lnd.stats().handshakesOpen() == 0);
                if (i < 2) {
                    advanceUntilDialled(node);
                }
            }
            assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.LOCAL_ERROR);
        }
    }

    @Test
    void identityTypeAndVersionOfTheAnswerAreChecked() throws Exception {
        try (Node node = node(builder -> builder)) {
            String[] answers = {
                "63697245030000000805007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245030000000905007f000002000505007f000002003830000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245030000000905007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0200000000000000",
                "6369724503000000ffffffffffffffff0505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "63697245090000000905007f000002000505007f000002003930000000000000" + "01".repeat(8) + "00".repeat(8)
                        + "0100000000000000",
                "deadbeef"
            };
            for (String bytes : answers) {
                TestMessage message = put(node, 10);
                try (RawPeer peer = RawPeer.accept(server)) {
                    greeted(peer);
                    peer.send(bytes);
                    assertThat(node.stack.awaitCompletion(message))
                            .isEqualTo(new RecordingStack.Completion(
                                    message, Errno.EPROTO.status(), HealthStatus.LOCAL_ERROR));
                    assertThat(peer.readToEnd()).isEmpty();
                }
                host.advance(60 * VirtualHost.SECOND);
            }
            assertThat(node.lnd.stats().refused(Refusal.BAD_ANSWER)).isEqualTo(answers.length);
        }
    }

    @Test
    void otherVersionIsTakenUpAtOnce() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer refusing = RawPeer.accept(server)) {
                greeted(refusing);
                refusing.send(RawPeer.segment(
                        Hello.of(ProtocolVersion.V2, HIGH, HIGH, ProcessId.LUSTRE_PID, 0, 77, 0, ConnectionType.NONE)));
                try (RawPeer control = RawPeer.accept(server)) {
                    Hello again = greeted(control);
                    assertThat(again.version()).isEqualTo(ProtocolVersion.V2);
                    answer(control, again, ConnectionType.CONTROL);
                    assertThat(control.read(96)).startsWith("c1");
                }
            }
        }
    }

    @Test
    void restartedPeerLosesItsOldConnections() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = RawPeer.accept(server)) {
                Hello hello = greeted(in);
                in.send(RawPeer.segment(
                        Hello.of(hello.version(), HIGH, OWN, ProcessId.LUSTRE_PID, 0, 78, 0, ConnectionType.BULK_OUT)));
                assertThat(control.read(106)).hasSize(212);
                assertThat(control.readToEnd()).isEmpty();
                assertThat(in.readToEnd()).isEmpty();
                // And it begins anew at once.
                try (RawPeer next = acceptAs(ConnectionType.CONTROL)) {
                    assertThat(next.localPort()).isPositive();
                }
            }
        }
    }

    @Test
    void raceIsWonByTheHigherNid() throws Exception {
        try (ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"));
                Node node = node(builder -> builder)) {
            ports.set(LOW, low.getLocalPort());
            put(node, 10);
            TestMessage toLow = TestMessage.put(OWN, LOW, 10, 1);
            assertThat(node.lnd.send(node.ni, toLow)).isZero();
            try (RawPeer highSilent = RawPeer.accept(server);
                    RawPeer lowSilent = RawPeer.accept(low);
                    RawPeer highCalls = RawPeer.connect("127.0.5.9", OWN.toString(), node.port());
                    RawPeer lowCalls = RawPeer.connect("127.0.5.1", OWN.toString(), node.port())) {
                greeted(highSilent);
                assertThat(lowSilent.read(16)).startsWith("0071ceac");
                assertThat(lowCalls.hello(OWN.toString(), LOW.toString(), 5, 1)).isEqualTo(-1);
                assertThat(highCalls.hello(OWN.toString(), HIGH.toString(), 5, 1))
                        .isEqualTo(1);
                assertThat(node.lnd.stats().refused(Refusal.RACE)).isEqualTo(1);
                // The message that waited for our call takes the connection that came in.
                assertThat(highCalls.read(96)).startsWith("c1");
            }
        }
    }

    @Test
    void keepalivesOnBulkInOnly() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                assertThat(control.read(106)).startsWith("c1");
                host.advance(29 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().keepalivesSent()).isZero();
                host.advance(VirtualHost.SECOND);
                assertThat(in.read(24)).isEqualTo("c00000000000000000000000000000000100000000000000");
                host.advance(9 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().keepalivesSent()).isEqualTo(1);
                host.advance(VirtualHost.SECOND);
                assertThat(in.read(24)).isEqualTo("c00000000000000000000000000000000100000000000000");
                // Hearing from the peer puts the next one off.
                out.send("c00000000000000000000000000000000100000000000000" + "c1");
                host.advance(0);
                host.advance(10 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    @Test
    void aFrameWhoseRestDoesNotComeClosesAll() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(106)).startsWith("c1");
                control.send("c1000000000000000000000000000000" + "0000000000000000" + "0505007f00000200"
                        + "0905007f00000200" + "3930000039300000" + "0100000064000000" + "ff".repeat(16)
                        + "0000000000000000" + "00".repeat(16) + "0102030405");
                Await.until("payload begun", () -> node.stack.headers.size() == 1);
                Await.until("what was sent", () -> node.stack.completions.size() == 1);
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completions).hasSize(1);
                host.advance(VirtualHost.SECOND);
                Await.until("given back", () -> node.stack.completions.size() == 2);
                assertThat(node.stack.completions.getLast().health()).isEqualTo(HealthStatus.REMOTE_ERROR);
                assertThat(node.stack.completions.getLast().status()).isEqualTo(Errno.ETIMEDOUT.status());
                assertThat(control.readToEnd()).isEmpty();
                assertThat(node.lnd.stats().timeouts()).isEqualTo(1);
            }
        }
    }

    @Test
    @Requirement({"rsl-144", "rsl-090", "rsl-093"})
    void aPeerThatDoesNotReadIsGivenUp() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                TestMessage[] stuck = new TestMessage[20];
                for (int i = 0; i < stuck.length; i++) {
                    stuck[i] = put(node, Wire.MTU);
                }
                TestMessage last = stuck[stuck.length - 1];
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completionOf(last)).isNull();
                host.advance(2 * VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(last))
                        .isEqualTo(new RecordingStack.Completion(
                                last, Errno.ETIMEDOUT.status(), HealthStatus.LOCAL_TIMEOUT));
                assertThat(node.stack.completions)
                        .as("the one that had begun to leave")
                        .filteredOn(completion -> completion.health() == HealthStatus.NETWORK_TIMEOUT)
                        .hasSize(1);
                assertThat(control.read(106)).startsWith("c1");
                assertThat(control.readToEnd()).isEmpty();
                assertThat(in.readToEnd()).isIn("", "c00000000000000000000000000000000100000000000000");
                assertThat(out.read(4)).isEqualTo("c1000000");
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void aSilentPathIsGivenUpAlthoughTheSocketHasRoom() throws Exception {
        Map<String, Long> queues = new ConcurrentHashMap<>();
        try (Node node =
                new Node(OWN.toString(), ports, host, builder -> builder.set(SockTunable.KEEPALIVE, 0), () -> queues)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                String key = ProcNetTcp.key(/* local= */ control.remote(), /* remote= */ control.local());
                assertThat(node.stack
                                .awaitCompletion(
                                        node.stack.completions.getFirst().message())
                                .status())
                        .isZero();
                queues.put(key, 106L);
                host.advance(13 * VirtualHost.SECOND);
                for (int i = 0; i < 10; i++) {
                    // Something gets through now and then.
                    queues.put(key, 105L - i);
                    host.advance(40 * VirtualHost.SECOND);
                }
                for (int i = 0; i < 3; i++) {
                    host.advance(13 * VirtualHost.SECOND);
                }
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                host.advance(13 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().connectionsOpen()).isZero();
                assertThat(node.lnd.stats().timeouts()).isEqualTo(1);
                assertThat(control.read(106)).startsWith("c1");
                assertThat(control.readToEnd()).isEmpty();
                assertThat(in.readToEnd()).isEmpty();
                assertThat(out.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    @Requirement({"rsl-096", "rsl-141"})
    void zeroCopyAckThatDoesNotComeClosesAll() throws Exception {
        try (Node node = node(builder -> builder.zeroCopyRequests(true))) {
            TestMessage message = put(node, 20_000);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(20_096)).startsWith("c1000000" + "00000000" + "0200000000000000");
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completions).isEmpty();
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.REMOTE_TIMEOUT);
                assertThat(control.readToEnd()).isEmpty();
            }
        }
    }

    @Test
    void connectionLossGivesBackWhatIsUnsent() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                TestMessage[] messages = new TestMessage[20];
                for (int i = 0; i < messages.length; i++) {
                    messages[i] = put(node, Wire.MTU);
                }
                assertThat(out.read(4)).isEqualTo("c1000000");
                in.hangUp();
                for (TestMessage message : messages) {
                    RecordingStack.Completion completion = node.stack.awaitCompletion(message);
                    assertThat(completion.health()).isIn(HealthStatus.OK, HealthStatus.REMOTE_DROPPED);
                    assertThat(completion.status() == 0).isEqualTo(completion.health() == HealthStatus.OK);
                }
                assertThat(node.stack.completions.getLast().health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
                assertThat(node.stack.completions).hasSize(messages.length + 1);
                assertThat(control.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void deviceThatGoesDownClosesAndRefuses() throws Exception {
        boolean[] up = {true};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> up[0]))) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
                assertThat(control.read(106)).startsWith("c1");
                up[0] = false;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
                assertThat(node.stack.deaths).as("the peer is not to blame").isEmpty();
                assertThat(control.readToEnd()).isEmpty();
                assertThat(in.readToEnd()).isEmpty();
                assertThat(out.readToEnd()).isEmpty();
                TestMessage refused = put(node, 10);
                assertThat(node.stack.awaitCompletion(refused))
                        .isEqualTo(new RecordingStack.Completion(
                                refused, Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE));
                try (RawPeer caller = RawPeer.connect("127.0.5.9", OWN.toString(), node.port())) {
                    caller.send(RawPeer.segment(org.railyard.socklnd.wire.ConnectionRequest.to(OWN)));
                    assertThat(caller.readToEnd()).isEmpty();
                }
                up[0] = true;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
            }
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    void shutdownGivesEverythingBack() throws Exception {
        TestMessage waiting;
        TestMessage stuck;
        Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536));
        put(node, 10);
        try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                RawPeer in = acceptAs(ConnectionType.BULK_IN);
                RawPeer out = acceptAs(ConnectionType.BULK_OUT);
                ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"))) {
            Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
            ports.set(LOW, low.getLocalPort());
            waiting = TestMessage.put(OWN, LOW, 10, 1);
            assertThat(node.lnd.send(node.ni, waiting)).isZero();
            for (int i = 0; i < 19; i++) {
                put(node, Wire.MTU);
            }
            stuck = put(node, Wire.MTU);
            node.close();
            for (TestMessage message : new TestMessage[] {waiting, stuck}) {
                assertThat(node.stack.completionOf(message))
                        .as("completed before the shutdown returned")
                        .isNotNull();
                assertThat(node.stack.awaitCompletion(message).status()).isEqualTo(Errno.ESHUTDOWN.status());
            }
            assertThat(node.stack.completions).hasSize(22);
            assertThat(node.lnd.send(node.ni, TestMessage.put(OWN, HIGH, 1, 1))).isEqualTo(Errno.ESHUTDOWN.status());
            assertThat(HexFormat.of().parseHex(control.read(106))).hasSize(106);
            assertThat(control.readToEnd()).isEmpty();
            assertThat(in.readToEnd()).isEmpty();
            assertThat(out.read(4)).isNotEmpty();
            assertThat(node.lnd.stats().connectionsOpen()).isZero();
            assertThat(node.lnd.stats().peers()).isZero();
        }
    }
}
