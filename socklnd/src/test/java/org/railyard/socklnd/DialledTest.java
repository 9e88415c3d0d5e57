package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.io.ProcNetTcp;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.LinkCounts;
import org.railyard.socklnd.link.LinkMonitor;
import org.railyard.socklnd.link.LinkQuality;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;

/** What becomes of the connections that a node dialled: keepalives, silence, loss, shutdown. */
class DialledTest extends ScriptedPeerCase {
    /** A PUT of 100 bytes, of which five come. */
    private static final String BEGUN = "c1000000000000000000000000000000" + "0000000000000000" + "0505007f00000200"
            + "0905007f00000200" + "3930000039300000" + "0100000064000000" + "ff".repeat(16)
            + "0000000000000000" + "00".repeat(16) + "0102030405";

    /** A PUT of four bytes that asks for an ack. */
    private static final String PUT_WITH_COOKIE = "c1000000" + "00000000" + "05" + "00".repeat(15) + "0505007f00000200"
            + "0905007f00000200" + "3930000039300000" + "0100000004000000" + "ff".repeat(16) + "00".repeat(24)
            + "01020304";

    @Test
    void keepalivesOnBulkInOnly() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                host.advance(29 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().keepalivesSent()).isZero();
                host.advance(VirtualHost.SECOND);
                assertThat(peer.in().read(24)).isEqualTo("c00000000000000000000000000000000100000000000000");
                host.advance(9 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().keepalivesSent()).isEqualTo(1);
                host.advance(VirtualHost.SECOND);
                assertThat(peer.in().read(24)).isEqualTo("c00000000000000000000000000000000100000000000000");
                // Hearing from the peer puts the next one off.
                peer.out().send("c00000000000000000000000000000000100000000000000" + "c1");
                host.advance(0);
                host.advance(10 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    /** To it the cookie of a keepalive is one of a message, which it would miss. */
    @Test
    void aPeerOfVersion2GetsNoKeepalives() throws Exception {
        try (Node node = node(builder -> builder.protocol(ProtocolVersion.V2))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                for (int i = 0; i < 10; i++) {
                    host.advance(10 * VirtualHost.SECOND);
                }
                assertThat(node.lnd.stats().keepalivesSent()).isZero();
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    @Test
    void theConnectionWithTheFewestBytesUnsentIsTaken() throws Exception {
        try (Node node =
                node(builder -> builder.set(SockTunable.CONNS_PER_PEER, 2).set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL);
                    RawPeer in = acceptAs(ConnectionType.BULK_IN);
                    RawPeer out = acceptAs(ConnectionType.BULK_OUT);
                    RawPeer otherIn = acceptAs(ConnectionType.BULK_IN);
                    RawPeer otherOut = acceptAs(ConnectionType.BULK_OUT)) {
                Await.until("five", () -> node.lnd.stats().connectionsOpen() == 5);
                // More than the sockets hold, and nobody reads.
                for (int i = 0; i < 10; i++) {
                    assertThat(node.lnd.send(node.ni, TestMessage.put(OWN, HIGH, Wire.MTU)))
                            .isZero();
                }
                for (int i = 0; i < 5; i++) {
                    otherOut.readBytes(96 + Wire.MTU);
                }
                // By turns it would be the one where much waits.
                for (int i = 0; i < 2; i++) {
                    TestMessage next = put(node, 2000);
                    assertThat(otherOut.read(2096)).startsWith("c1000000");
                    assertThat(node.stack.awaitCompletion(next).status()).isZero();
                }
                assertThat(control.read(106)).startsWith("c1");
                assertThat(out.read(4)).isEqualTo("c1000000");
                assertThat(in.remote()).isNotEqualTo(otherIn.remote());
            }
        }
    }

    @Test
    void aFrameWhoseRestDoesNotComeClosesAll() throws Exception {
        try (Node node = node(builder -> builder)) {
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(106)).startsWith("c1");
                control.send(BEGUN);
                Await.until("payload begun", () -> node.stack.headers.size() == 1);
                Await.until("what was sent", () -> node.stack.completions.size() == 1);
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completions).hasSize(1);
                host.advance(VirtualHost.SECOND);
                Await.until("given back", () -> {
                    // The I/O thread notes what is missing after the stack has seen the head.
                    host.advance(0);
                    return node.stack.completions.size() == 2;
                });
                assertThat(node.stack.completions.getLast().health()).isEqualTo(HealthStatus.REMOTE_ERROR);
                assertThat(node.stack.completions.getLast().status()).isEqualTo(Errno.ETIMEDOUT.status());
                assertThat(control.readToEnd()).isEmpty();
                assertThat(node.lnd.stats().timeouts()).isEqualTo(1);
            }
        }
    }

    /** A router that is short of buffers lets a peer wait for long: that is no fault of the peer. */
    @Test
    void aFrameThatWaitedForTheStackHasItsTimeFromThenOn() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.NSCHEDS, 1))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                List<LndReceiver> receivers = new CopyOnWriteArrayList<>();
                node.stack.policy = (ni, header, from, pid, receiver) -> {
                    receivers.add(receiver);
                    return 0;
                };
                peer.control().send(BEGUN);
                Await.until("payload begun", () -> receivers.size() == 1);
                // The thread has left the first frame when it comes to another one.
                peer.out().send(BEGUN);
                Await.until("another one begun", () -> receivers.size() == 2);
                host.advance(60 * VirtualHost.SECOND);
                TestMessage into = new TestMessage(ByteBuffer.allocateDirect(100));
                receivers.getFirst().receive(into, 100, 100);
                Await.until("what is there", () -> into.fragments()[0].position() == 5);
                host.advance(49 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().timeouts()).isZero();
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                host.advance(2 * VirtualHost.SECOND);
                Await.until("given back", () -> {
                    host.advance(0);
                    return node.stack.completionOf(into) != null;
                });
                assertThat(node.stack.awaitCompletion(into).status()).isEqualTo(Errno.ETIMEDOUT.status());
            }
        }
    }

    @Test
    @Requirement({"rsl-144", "rsl-090", "rsl-093"})
    void aPeerThatDoesNotReadIsGivenUp() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                TestMessage[] stuck = new TestMessage[20];
                for (int i = 0; i < stuck.length; i++) {
                    stuck[i] = put(node, Wire.MTU);
                }
                TestMessage last = stuck[stuck.length - 1];
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completionOf(last)).isNull();
                Await.until("given up", () -> {
                    // The thread that writes may still have filled the socket when time went by, which was progress.
                    host.advance(2 * VirtualHost.SECOND);
                    return node.stack.completionOf(last) != null;
                });
                assertThat(node.stack.awaitCompletion(last))
                        .isEqualTo(new RecordingStack.Completion(
                                last, Errno.ETIMEDOUT.status(), HealthStatus.LOCAL_TIMEOUT));
                assertThat(node.stack.completions)
                        .as("the one that had begun to leave")
                        .filteredOn(completion -> completion.health() == HealthStatus.NETWORK_TIMEOUT)
                        .hasSize(1);
                assertThat(peer.control().read(106)).startsWith("c1");
                assertThat(peer.control().readToEnd()).isEmpty();
                assertThat(peer.in().readToEnd()).matches("(c00000000000000000000000000000000100000000000000)*");
                assertThat(peer.out().read(4)).isEqualTo("c1000000");
                assertThat(peer.out().isReset())
                        .as("what the socket held does not follow")
                        .isTrue();
            }
        }
    }

    private static int sendSome(Node node, LndMessage... messages) {
        return node.lnd.sendSome(node.ni, messages, messages.length);
    }

    @Test
    void smallMessagesThatAreSentTogetherKeepTheirLimits() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                Await.until("all connections are known", () -> sendSome(node, TestMessage.put(OWN, HIGH, 1)) == 1);
                LndMessage[] messages = new LndMessage[100];
                for (int i = 0; i < 100; i++) {
                    Arrays.setAll(messages, k -> TestMessage.put(OWN, HIGH, 900));
                    assertThat(sendSome(node, messages)).isEqualTo(messages.length);
                }
                TestMessage hurried = TestMessage.put(OWN, HIGH, 1);
                hurried.setTimeoutNanos(3 * VirtualHost.SECOND);
                TestMessage patient = TestMessage.put(OWN, HIGH, 1);
                patient.setTimeoutNanos(30 * VirtualHost.SECOND);
                assertThat(sendSome(node, patient, hurried)).isEqualTo(2);
                host.advance(3 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().timeouts()).isZero();
                for (int i = 0; i < 20 && node.lnd.stats().timeouts() == 0; i++) {
                    host.advance(VirtualHost.SECOND);
                }
                assertThat(node.lnd.stats().timeouts()).isEqualTo(1);
                assertThat(node.stack.awaitCompletion(hurried).status()).isEqualTo(Errno.ETIMEDOUT.status());
                assertThat(peer.control().read(4)).isEqualTo("c1000000");
            }
        }
    }

    @Test
    void theLimitOfAMessageThatIsNotTakenCountsForNoneOfTheOthers() throws Exception {
        try (Node node =
                node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536).set(SockTunable.MAX_QUEUED, 16))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                int status = 0;
                for (int i = 0; i < 1000 && status == 0; i++) {
                    status = node.lnd.send(node.ni, TestMessage.put(OWN, HIGH, 65_536));
                }
                assertThat(status).isEqualTo(Errno.ENOBUFS.status());
                TestMessage hurried = TestMessage.put(OWN, HIGH, 65_536);
                hurried.setTimeoutNanos(VirtualHost.SECOND);
                assertThat(node.lnd.send(node.ni, hurried)).isEqualTo(Errno.ENOBUFS.status());
                host.advance(10 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().timeouts()).isZero();
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void aSilentPathIsGivenUpAlthoughTheSocketHasRoom() throws Exception {
        Map<String, Long> queues = new ConcurrentHashMap<>();
        try (LogTap log = new LogTap("org.railyard.socklnd");
                Node node = new Node(
                        OWN.toString(), ports, host, builder -> builder.set(SockTunable.KEEPALIVE, 0), () -> queues)) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                String key = ProcNetTcp.key(
                        /* local= */ peer.control().remote(),
                        /* remote= */ peer.control().local());
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
                assertThat(log.lines()).anyMatch(line -> line.contains(HIGH + " (") && line.contains("timed out"));
                assertThat(peer.control().read(106)).startsWith("c1");
                assertThat(peer.control().readToEnd()).isEmpty();
                assertThat(peer.in().readToEnd()).isEmpty();
                assertThat(peer.out().readToEnd()).isEmpty();
            }
        }
    }

    @Test
    @Requirement({"rsl-096", "rsl-141"})
    void zeroCopyAckThatDoesNotComeClosesAll() throws Exception {
        try (LogTap log = new LogTap("org.railyard.socklnd");
                Node node = node(builder -> builder.zeroCopyRequests(true))) {
            CountDownLatch left = new CountDownLatch(1);
            node.stack.atFlush = left::countDown;
            TestMessage message = put(node, 20_000);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(20_096)).startsWith("c1000000" + "00000000" + "0200000000000000");
                // The peer may have it before the thread that wrote it has noted so, and that would be another limit.
                Await.until("written", () -> left.getCount() == 0);
                host.advance(50 * VirtualHost.SECOND);
                assertThat(node.stack.completions).isEmpty();
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.awaitCompletion(message).health()).isEqualTo(HealthStatus.REMOTE_TIMEOUT);
                assertThat(control.readToEnd()).isEmpty();
                assertThat(log.lines())
                        .anyMatch(line -> line.contains("no zero-copy acknowledgement from " + HIGH + " for 50 s"));
            }
        }
    }

    private static String ack(int cookie) {
        return "c0000000" + "00000000" + "0000000000000000" + "0" + cookie + "00000000000000";
    }

    /** Sends much, of which the last part can not leave as long as the peer does not read. */
    private TestMessage sendMuch(Node node) {
        for (int i = 2; i < 9; i++) {
            put(node, Wire.MTU);
        }
        return put(node, Wire.MTU);
    }

    @Test
    void zeroCopyAckOfWhatHasNotLeftCountsWhenItHas() throws Exception {
        try (Node node = node(builder -> builder.zeroCopyRequests(true).set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                TestMessage last = sendMuch(node);
                peer.control().send(ack(9));
                byte[] all = peer.out().readBytes(8 * (96 + Wire.MTU));
                assertThat(all).hasSize(8 * (96 + Wire.MTU));
                for (int i = 0; i < last.payloadLength(); i++) {
                    if (all[all.length - last.payloadLength() + i] != TestMessage.byteAt(i)) {
                        throw new AssertionError("byte " + i + " is wrong");
                    }
                }
                assertThat(node.stack.awaitCompletion(last).status()).isZero();
                assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isZero();
            }
        }
    }

    @Test
    void zeroCopyAckOfWhatHasNotLeftGivesNothingBack() throws Exception {
        try (Node node = node(builder -> builder.zeroCopyRequests(true).set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                TestMessage last = sendMuch(node);
                // The second one tells that the first one was read: there is nothing left to acknowledge.
                peer.control().send(ack(9) + ack(9));
                assertThat(node.stack.awaitCompletion(last).status()).isEqualTo(Errno.EPROTO.status());
                assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
                Await.until("all are given back, once", () -> node.stack.completions.size() == 9);
            }
        }
    }

    @Test
    void connectionLossGivesBackWhatIsUnsent() throws Exception {
        try (Node node = node(builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                TestMessage[] messages = new TestMessage[20];
                for (int i = 0; i < messages.length; i++) {
                    messages[i] = put(node, Wire.MTU);
                }
                assertThat(peer.out().read(4)).isEqualTo("c1000000");
                peer.in().hangUp();
                for (TestMessage message : messages) {
                    RecordingStack.Completion completion = node.stack.awaitCompletion(message);
                    assertThat(completion.health()).isIn(HealthStatus.OK, HealthStatus.REMOTE_DROPPED);
                    assertThat(completion.status() == 0).isEqualTo(completion.health() == HealthStatus.OK);
                }
                assertThat(node.stack.completions.getLast().health()).isEqualTo(HealthStatus.REMOTE_DROPPED);
                assertThat(node.stack.completions).hasSize(messages.length + 1);
                assertThat(peer.control().read(106)).startsWith("c1");
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void aLinkThatIsDownKeepsConnections() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> link[0]))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                link[0] = DeviceLinkState.DOWN;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
                TestMessage lastResort = put(node, 10);
                assertThat(node.stack.awaitCompletion(lastResort).status()).isZero();
                assertThat(peer.control().read(106)).startsWith("c1");
                link[0] = DeviceLinkState.UNKNOWN;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
                link[0] = DeviceLinkState.UP;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
                put(node, 10);
                assertThat(peer.control().read(106)).startsWith("c1");
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    /** The stack chose the NI before it knew: the message may take another one. */
    @Test
    void aMessageThatIsOvertakenByTheEndOfTheLinkIsGivenBack() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(
                builder -> builder.linkMonitor((device, address) -> link[0]).set(SockTunable.TX_BUFFER_SIZE, 65_536))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                LndMessage before = sendMuch(node);
                LndMessage overtaken = new OvertakenMessage(TestMessage.put(OWN, HIGH, Wire.MTU), () -> {}, () -> {
                    link[0] = DeviceLinkState.DOWN;
                    host.advance(VirtualHost.SECOND);
                    assertGivenBack(node, before);
                });
                assertThat(node.lnd.send(node.ni, overtaken)).isZero();
                assertGivenBack(node, overtaken);
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    @Test
    void whatWaitsInFrontOfAnAckIsGivenBackToo() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder ->
                        builder.linkMonitor((device, address) -> link[0]).set(SockTunable.TX_BUFFER_SIZE, 65_536));
                RawPeer only = RawPeer.connect("127.0.5.9", OWN.toString(), node.port())) {
            assertThat(only.hello(OWN.toString(), HIGH.toString(), 77, 2)).isEqualTo(3);
            Await.until("the connection", () -> node.lnd.stats().connectionsOpen() == 1);
            TestMessage last = sendMuch(node);
            only.send(PUT_WITH_COOKIE);
            Await.until("the ack", () -> node.lnd.stats().zeroCopyAcksSent() == 1);
            TestMessage behind = put(node, Wire.MTU);
            link[0] = DeviceLinkState.DOWN;
            host.advance(VirtualHost.SECOND);
            assertGivenBack(node, last);
            assertGivenBack(node, behind);
            int left = 9
                    - node.stack.completions.stream()
                            .filter(each -> each.status() == Errno.ENETDOWN.status())
                            .toList()
                            .size();
            assertThat(only.readBytes(left * (96 + Wire.MTU))).hasSize(left * (96 + Wire.MTU));
            assertThat(only.read(24)).isEqualTo("c0000000" + "00".repeat(12) + "0500000000000000");
            put(node, 10);
            assertThat(only.read(106)).startsWith("c1");
        }
    }

    private static void assertGivenBack(Node node, LndMessage message) {
        assertThat(node.stack.awaitCompletion(message))
                .isEqualTo(new RecordingStack.Completion(message, Errno.ENETDOWN.status(), HealthStatus.LOCAL_ABORTED));
    }

    @Test
    @Requirement("rsl-144")
    void afterALongTimeWithoutALinkWhatThePeerHasClosedIsFoundOutFirst() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> link[0]))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                link[0] = DeviceLinkState.DOWN;
                host.advance(VirtualHost.SECOND);
                host.advance(10 * VirtualHost.SECOND);
                link[0] = DeviceLinkState.UP;
                host.advance(VirtualHost.SECOND / 4);
                link[0] = DeviceLinkState.DOWN;
                host.advance(VirtualHost.SECOND / 4);
                link[0] = DeviceLinkState.UP;
                for (int i = 0; i < 4; i++) {
                    host.advance(VirtualHost.SECOND / 4);
                    assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
                }
                String keepalive = "c00000000000000000000000000000000100000000000000";
                assertThat(peer.control().read(48)).isEqualTo(keepalive.repeat(2));
                assertThat(peer.in().read(48)).isEqualTo(keepalive.repeat(2));
                assertThat(peer.out().read(48)).isEqualTo(keepalive.repeat(2));
                peer.out().hangUp();
                Await.until("the end of the connections", () -> !node.stack.disconnected.isEmpty());
                assertThat(node.lnd.stats().connectionsOpen()).isZero();
                assertThat(node.stack.deaths).as("the peer is not to blame").isEmpty();
                host.advance(VirtualHost.SECOND / 4);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR);
            }
            put(node, 10);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(control.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    @Requirement({"hlt-015", "hlt-020"})
    void aDeviceWithManyErrorsIsReportedOnceUntilItHasWorkedWell() throws Exception {
        AtomicLong errors = new AtomicLong();
        AtomicLong frames = new AtomicLong();
        LinkMonitor monitor = new LinkMonitor() {
            @Override
            public DeviceLinkState look(String interfaceName, InetAddress address) {
                return DeviceLinkState.UP;
            }

            @Override
            public LinkCounts counts(String interfaceName) {
                return new LinkCounts(frames.get(), errors.get());
            }
        };
        try (Node node = node(builder -> builder.linkMonitor(monitor))) {
            host.advance(10 * VirtualHost.SECOND);
            // Errors in each interval: what is too few, not for long enough, or too few for so many frames is no fault.
            int[] harmless = {99, 99, 99, 99, 100, 100, 0, 100, 100};
            for (int each : harmless) {
                pass(frames, 100_000, errors, each);
            }
            pass(frames, 200_000, errors, 199);
            assertThat(node.stack.deviceEvents).isEmpty();
            pass(frames, 100_000, errors, 100);
            pass(frames, 0, errors, 100);
            assertThat(node.stack.deviceEvents).isEmpty();
            pass(frames, 100, errors, 100);
            assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.DEGRADED);
            for (int i = 0; i < 30; i++) {
                pass(frames, 100, errors, i % 6 == 0 ? 500 : 0);
            }
            assertThat(node.stack.deviceEvents).as("not again").hasSize(1);
            for (int i = 0; i < LinkQuality.GOOD_INTERVALS; i++) {
                pass(frames, 100, errors, 0);
            }
            for (int i = 0; i < LinkQuality.BAD_INTERVALS; i++) {
                pass(frames, 100, errors, 100);
            }
            assertThat(node.stack.deviceEvents).hasSize(2).containsOnly(DeviceEvent.DEGRADED);
        }
    }

    @Test
    void aDeviceWithManyErrorsIsReportedAlthoughItsLinkWasDownMeanwhile() throws Exception {
        AtomicLong errors = new AtomicLong();
        AtomicLong frames = new AtomicLong();
        DeviceLinkState[] link = {DeviceLinkState.UP};
        LinkMonitor monitor = new LinkMonitor() {
            @Override
            public DeviceLinkState look(String interfaceName, InetAddress address) {
                return link[0];
            }

            @Override
            public LinkCounts counts(String interfaceName) {
                return new LinkCounts(frames.get(), errors.get());
            }
        };
        try (Node node = node(builder -> builder.linkMonitor(monitor))) {
            host.advance(10 * VirtualHost.SECOND);
            for (int i = 1; i < LinkQuality.BAD_INTERVALS; i++) {
                pass(frames, 100, errors, 100);
            }
            link[0] = DeviceLinkState.DOWN;
            pass(frames, 100, errors, 100);
            assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
            link[0] = DeviceLinkState.UP;
            host.advance(VirtualHost.SECOND);
            assertThat(node.stack.deviceEvents)
                    .containsExactly(DeviceEvent.FATAL, DeviceEvent.CLEAR, DeviceEvent.DEGRADED);
        }
    }

    private void pass(AtomicLong frames, long more, AtomicLong errors, long moreErrors) {
        frames.addAndGet(more);
        errors.addAndGet(moreErrors);
        host.advance(LinkQuality.INTERVAL_NANOS);
    }

    @Test
    @Requirement("rsl-144")
    void withoutALinkNothingIsDialledUntilItIsBack() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> link[0]))) {
            TestMessage waiting = put(node, 10);
            Await.until("the call", () -> node.lnd.stats().handshakesOpen() == 1);
            link[0] = DeviceLinkState.DOWN;
            host.advance(VirtualHost.SECOND);
            assertThat(node.stack.awaitCompletion(waiting))
                    .isEqualTo(new RecordingStack.Completion(
                            waiting, Errno.ENETDOWN.status(), HealthStatus.LOCAL_ABORTED));
            Await.until("the end of the call", () -> node.lnd.stats().handshakesOpen() == 0);
            TestMessage refused = put(node, 10);
            RecordingStack.Completion refusal = node.stack.awaitCompletion(refused);
            assertThat(refusal.status()).isEqualTo(Errno.ENETDOWN.status());
            // The end of the call may have found it waiting.
            assertThat(refusal.health()).isIn(HealthStatus.LOCAL_NO_ROUTE, HealthStatus.LOCAL_ABORTED);
            assertThat(node.stack.deaths).as("the peer is not to blame").isEmpty();
            link[0] = DeviceLinkState.UP;
            host.advance(VirtualHost.SECOND / 2);
            try (RawPeer abandoned = RawPeer.accept(server);
                    RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                assertThat(abandoned).isNotNull();
                put(node, 10);
                assertThat(control.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    void withoutALinkNothingWaitsForTheEndOfARefusal() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> link[0]))) {
            TestMessage waiting = put(node, 10);
            try (RawPeer refusing = RawPeer.accept(server)) {
                answer(refusing, greeted(refusing), ConnectionType.NONE);
                assertThat(refusing.readToEnd()).isEmpty();
            }
            Await.until(
                    "the refusal",
                    () -> node.lnd.connections(node.ni).getFirst().retryNanos() > 0);
            link[0] = DeviceLinkState.DOWN;
            host.advance(VirtualHost.SECOND / 4);
            assertThat(node.stack.awaitCompletion(waiting).status()).isEqualTo(Errno.ENETDOWN.status());
            TestMessage refused = put(node, 10);
            assertThat(node.stack.completionOf(refused))
                    .isEqualTo(new RecordingStack.Completion(
                            refused, Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE));
            assertThat(node.lnd.connections(node.ni).getFirst().state()).isEqualTo(PeerConnections.State.NONE);
            host.advance(2 * VirtualHost.SECOND);
            link[0] = DeviceLinkState.UP;
            host.advance(VirtualHost.SECOND / 4);
            try (RawPeer control = acceptAs(ConnectionType.CONTROL)) {
                put(node, 10);
                assertThat(control.read(106)).startsWith("c1");
            }
        }
    }

    @Test
    void whatHasNotBegunToLeaveIsGivenBackWhenTheLinkGoesDown() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(
                builder -> builder.set(SockTunable.TX_BUFFER_SIZE, 65_536).linkMonitor((device, address) -> link[0]))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                TestMessage[] messages = new TestMessage[400];
                for (int i = 0; i < messages.length; i++) {
                    messages[i] = put(node, 65_536);
                }
                link[0] = DeviceLinkState.DOWN;
                host.advance(VirtualHost.SECOND);
                // If a thread is just writing, it gives them back.
                node.stack.awaitCompletion(messages[messages.length - 1]);
                List<RecordingStack.Completion> back = node.stack.completions.stream()
                        .filter(completion -> completion.status() != 0)
                        .toList();
                assertThat(back)
                        .hasSizeGreaterThan(100)
                        .allMatch(completion -> completion.health() == HealthStatus.LOCAL_ABORTED
                                && completion.status() == Errno.ENETDOWN.status());
                assertThat(back.stream().map(RecordingStack.Completion::message))
                        .as("in order, from some message to the last")
                        .containsExactly(Arrays.copyOfRange(messages, messages.length - back.size(), messages.length));
                int kept = messages.length - back.size();
                TestMessage after = put(node, 2000);
                peer.out().read(kept * (96 + 65_536));
                assertThat(peer.out().read(2096)).startsWith("c1000000");
                assertThat(node.stack.awaitCompletion(after).status()).isZero();
                assertThat(node.stack.completions).hasSize(messages.length + 2);
                // What was given back is not waited for.
                host.advance(100 * VirtualHost.SECOND);
                assertThat(node.lnd.stats().timeouts()).isZero();
                assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            }
        }
    }

    @Test
    @Requirement("rsl-144")
    void aDeviceThatIsGoneClosesAndRefuses() throws Exception {
        DeviceLinkState[] link = {DeviceLinkState.UP};
        try (Node node = node(builder -> builder.linkMonitor((device, address) -> link[0]))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                assertThat(peer.control().read(106)).startsWith("c1");
                link[0] = DeviceLinkState.DOWN;
                host.advance(VirtualHost.SECOND);
                link[0] = DeviceLinkState.GONE;
                host.advance(VirtualHost.SECOND);
                assertThat(node.stack.deviceEvents).containsExactly(DeviceEvent.FATAL);
                assertThat(node.stack.deaths).as("the peer is not to blame").isEmpty();
                assertThat(node.stack.disconnected).hasSize(1);
                assertThat(peer.control().readToEnd()).isEmpty();
                assertThat(peer.in().readToEnd()).isEmpty();
                assertThat(peer.out().readToEnd()).isEmpty();
                TestMessage refused = put(node, 10);
                assertThat(node.stack.awaitCompletion(refused))
                        .isEqualTo(new RecordingStack.Completion(
                                refused, Errno.ENETDOWN.status(), HealthStatus.LOCAL_NO_ROUTE));
                try (RawPeer caller = RawPeer.connect("127.0.5.9", OWN.toString(), node.port())) {
                    caller.send(RawPeer.segment(org.railyard.socklnd.wire.ConnectionRequest.to(OWN)));
                    assertThat(caller.readToEnd()).isEmpty();
                }
                link[0] = DeviceLinkState.UP;
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
        try (Trio peer = acceptAll(node);
                ServerSocket low = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.1"))) {
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
            assertThat(HexFormat.of().parseHex(peer.control().read(106))).hasSize(106);
            assertThat(peer.control().readToEnd()).isEmpty();
            assertThat(peer.in().readToEnd()).isEmpty();
            assertThat(peer.out().read(4)).isNotEmpty();
            assertThat(node.lnd.stats().connectionsOpen()).isZero();
            assertThat(node.lnd.stats().peers()).isZero();
        }
    }

    @Test
    void whoCallsDuringAShutdownIsNotCountedAfterIt() throws Exception {
        try (Node node = node(builder -> builder);
                RawPeer calls = RawPeer.connect("127.0.5.8", OWN.toString(), node.port());
                RawPeer other = RawPeer.connect("127.0.5.7", OWN.toString(), node.port())) {
            Nid second = Nid.parse("127.0.5.6@tcp");
            LndNi stays = node.add(second, Map.of());
            calls.send(RawPeer.segment(ConnectionRequest.to(OWN)));
            // Handshakes take turns on one thread: when this one is through, the other's request was read.
            other.control(OWN.toString(), "127.0.5.7@tcp", 5);
            put(node, 10);
            try (RawPeer silent = RawPeer.accept(server)) {
                greeted(silent);
                Hello hello = Hello.of(
                        ProtocolVersion.V3,
                        Nid.parse("127.0.5.8@tcp"),
                        OWN,
                        ProcessId.LUSTRE_PID,
                        0,
                        5,
                        0,
                        ConnectionType.CONTROL);
                node.stack.beforeError = () -> {
                    try {
                        calls.send(RawPeer.segment(hello));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    Await.until("the refusal", () -> node.lnd.stats().refused(HandshakeRefusal.NI_DOWN) > 0);
                };
                node.lnd.shutdown(node.ni);
                assertThat(calls.readToEnd()).isEmpty();
                Await.until("the end of the call", () -> node.lnd.stats().handshakesOpen() == 0);
                Await.until("nobody is left", () -> node.lnd.stats().peers() == 0);
                assertThat(node.lnd.connections(stays)).isEmpty();
            }
        }
    }

    @Test
    void shutdownWaitsForConnectionsThatFailAtTheSameTime() throws Exception {
        CountDownLatch failing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        // With one I/O thread the connections of a peer that fail are closed one after the other.
        try (Node node = node(builder -> builder.set(SockTunable.NSCHEDS, 1))) {
            put(node, 10);
            try (Trio peer = acceptAll(node)) {
                Await.until("what was sent", () -> node.stack.completions.size() == 1);
                peer.control().send(BEGUN);
                peer.out().send(BEGUN);
                Await.until("payloads begun", () -> node.stack.headers.size() == 2);
                node.stack.beforeError = () -> {
                    failing.countDown();
                    Await.until("the shutdown has begun", () -> goOn.getCount() == 0);
                };
                peer.in().hangUp();
                Await.until("one of them is being closed", () -> failing.getCount() == 0);
                Thread stopping = Thread.ofPlatform().start(() -> node.lnd.shutdown(node.ni));
                Await.until("it waits or is through", () -> !stopping.isAlive() || isAwaitingEnd(stopping));
                assertThat(stopping.isAlive()).isTrue();
                goOn.countDown();
                stopping.join();
                assertThat(node.stack.completions).hasSize(3);
            } finally {
                goOn.countDown();
            }
        }
    }

    private static boolean isAwaitingEnd(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("awaitEnd"));
    }
}
