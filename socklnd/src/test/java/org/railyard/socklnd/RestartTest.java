package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.LogTap;

/** What a peer left behind when its NI stopped does no harm to the one that was started in its place. */
class RestartTest {
    private static final String NID = "127.0.1.11@tcp";
    private static final String PEER = "10.99.0.1@tcp";
    private static final Nid ELSEWHERE = Nid.parse("127.0.1.12@tcp");
    private static final long BEFORE = 0x2000;
    private static final long AFTER = 0x2001;

    private static RawPeer call(Node node) throws Exception {
        return RawPeer.connect("127.0.1.1", NID, node.port());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** One thread reads all connections, so that what a later one brings shows that the earlier one is through. */
    private static Node oneReader() throws Exception {
        return new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder.set(SockTunable.NSCHEDS, 1));
    }

    /** A peer sends a message and restarts while the stack looks at it: its connection ends. */
    private static void restart(Node node, RawPeer before, String message, RawPeer told) throws Exception {
        before.control(NID, PEER, BEFORE);
        before.send(message);
        Await.until("the first header", () -> node.stack.headers.size() == 1);
        assertThat(told.hello(NID, PEER, AFTER, 1)).isEqualTo(-1);
        Await.until("the end of the old connection", () -> node.lnd.stats().connectionsOpen() == 0);
    }

    /** The new connection is among those of the peer: the answer to its hello comes before. */
    private static void awaitJoined(Node node) {
        Await.until("the new connection", () -> node.lnd.stats().connectionsOpen() == 1);
    }

    /** Has the first header wait and then do this; those after it are stored. */
    private static void holdFirst(Node node, CountDownLatch late, RecordingStack.Policy first) {
        node.stack.policy = (ni, header, from, pid, receiver) -> {
            await(late);
            node.stack.policy = node.stack::store;
            return first.parse(ni, header, from, pid, receiver);
        };
    }

    @Test
    void aLateFailureOfAnOldConnectionClosesNoneOfTheNew() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        try (Node node = oneReader();
                RawPeer before = call(node);
                RawPeer told = call(node);
                RawPeer after = call(node)) {
            holdFirst(node, late, (_, _, _, _, _) -> Errno.EPROTO.status());
            restart(node, before, AcceptorProbeTest.PING, told);
            after.control(NID, PEER, AFTER);
            awaitJoined(node);
            late.countDown();
            after.send(AcceptorProbeTest.PING);
            Await.until("the second header", () -> node.stack.headers.size() == 2);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
            assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(1);
        }
    }

    /** Its requests went with its connections (spec 02 §7.2): an ack that it does not know closes the new ones. */
    @Test
    void whatThePeerAskedForBeforeItRestartedIsNotAcknowledged() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        try (Node node = oneReader();
                RawPeer before = call(node);
                RawPeer told = call(node);
                RawPeer after = call(node)) {
            holdFirst(node, late, node.stack::store);
            restart(node, before, putWithCookie(2), told);
            // The type that acks prefer (spec 02 §4.1).
            assertThat(after.hello(NID, PEER, AFTER, 3)).isEqualTo(2);
            awaitJoined(node);
            late.countDown();
            after.send(putWithCookie(3));
            assertThat(after.read(24)).isEqualTo("c0000000" + "00".repeat(12) + "0300000000000000");
            assertThat(node.stack.headers).hasSize(2);
            assertThat(node.lnd.stats().zeroCopyAcksSent()).isEqualTo(1);
        }
    }

    /** A PUT of four bytes that asks for a zero-copy ack. */
    private static String putWithCookie(int cookie) {
        return "c1000000" + "00000000" + HexFormat.of().toHexDigits((byte) cookie) + "00".repeat(15)
                + "0b01007f00000200" + "0100630a00000200" + "3930000039300000" + "0100000004000000" + "ff".repeat(16)
                + "00".repeat(24) + "01020304";
    }

    @Test
    void aCallThatWasGivenUpClosesNothing() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Node node = new Node(
                        NID,
                        new Node.Ports(),
                        new VirtualHost(),
                        builder -> builder.peerPorts((nid, type) -> {
                            // On the thread that takes calls.
                            busy.countDown();
                            await(goOn);
                            return 1;
                        }));
                RawPeer after = call(node)) {
            after.control(NID, PEER, AFTER);
            Await.until("the connection", () -> node.lnd.stats().connectionsOpen() == 1);
            assertThat(node.lnd.send(node.ni, TestMessage.put(Nid.parse(NID), ELSEWHERE, 10, 1)))
                    .isZero();
            await(busy);
            try (RawPeer before = call(node)) {
                before.send(RawPeer.segment(ConnectionRequest.to(Nid.parse(NID))));
                before.send(RawPeer.segment(hello(BEFORE)));
            }
            goOn.countDown();
            Await.until("the call to be read", () -> node.lnd.stats().refused(HandshakeRefusal.GONE) == 1);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.STALE)).isZero();
            assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(1);
            assertThat(node.lnd.send(node.ni, TestMessage.put(Nid.parse(NID), Nid.parse(PEER), 10, 1)))
                    .isZero();
            assertThat(after.read(96)).startsWith("c1");
        }
    }

    /** Each call of the other one is refused as that of a node that restarted. */
    @Test
    void twoNodesWithOneNidAreTold() throws Exception {
        VirtualHost host = new VirtualHost();
        try (LogTap log = new LogTap("org.railyard.socklnd");
                Node node = new Node(NID, new Node.Ports(), host, builder -> builder)) {
            for (long each : new long[] {BEFORE, AFTER, BEFORE, AFTER}) {
                try (RawPeer caller = call(node)) {
                    caller.hello(NID, PEER, each, 1);
                }
                Await.until("that it is forgotten", () -> {
                    host.advance(VirtualHost.SECOND);
                    return node.lnd.stats().peers() == 0;
                });
            }
            assertThat(log.lines()).noneMatch(line -> line.contains("two nodes"));
            try (RawPeer caller = call(node)) {
                caller.hello(NID, PEER, BEFORE, 1);
            }
            assertThat(log.lines())
                    .anyMatch(line ->
                            line.contains("have the NID " + PEER) && line.contains("'ip neigh show to 10.99.0.1'"));
        }
    }

    /** Whoever removed it from the table then would keep its connections from being closed with the NI. */
    @Test
    void aPeerWhoseNiStopsIsNotReplaced() {
        SockContext context =
                new SockContext(SockLndConfig.builder().build(), new RecordingStack(), new VirtualHost().clock());
        Nid nid = Nid.parse(NID);
        SockNi ni = new SockNi(new TestNi(nid, "lo", Map.of()), context, new InterfaceTable(Path.of("none")), 1);
        SockPeer peer = Objects.requireNonNull(new SockPeerTable(ni, context, (of, type, version) -> {})
                .findOrAdd(Nid.parse(PEER), ProcessId.LUSTRE_PID));
        ni.stop();
        assertThat(peer.decide(hello(BEFORE), false)).isEqualTo(SockPeer.Decision.STOPPING);
        assertThat(peer.send(TestMessage.put(nid, Nid.parse(PEER), 10, 1))).isEqualTo(Errno.ESHUTDOWN.status());
    }

    private static Hello hello(long incarnation) {
        return Hello.of(
                ProtocolVersion.V3,
                Nid.parse(PEER),
                Nid.parse(NID),
                ProcessId.LUSTRE_PID,
                0,
                incarnation,
                0,
                ConnectionType.BULK_IN);
    }
}
