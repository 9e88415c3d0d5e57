package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.ConnectionRequests;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.LogTap;

/** What the stack is told of the end of connections, and of what another thread closes between two steps. */
class ConnectionEndTest {
    private static final Nid OWN = Nid.parse("127.0.5.5@tcp");
    private static final Nid PEER = Nid.parse("127.0.5.9@tcp");

    private static final class Nobody implements ConnectionRequests {
        @Override
        public void dial(SockPeer peer, ConnectionType type, ProtocolVersion version) {
            throw new AssertionError("who only calls is not dialled");
        }
    }

    private final RecordingStack stack = new RecordingStack();
    private final SockContext context =
            new SockContext(SockLndConfig.builder().build(), stack, new VirtualHost().clock());
    private final SockNi ni = new SockNi(
            new TestNi(OWN, "lo", Map.of()),
            context,
            new InterfaceTable(SockLndConfig.CLASS_NET),
            /* incarnation= */ 1);
    private final SockPeerTable peers = new SockPeerTable(ni, context, new Nobody());

    private Connection accept(SockPeer peer, ServerSocket server, IoLoop loop, ConnectionType type) throws IOException {
        Hello hello = Hello.of(ProtocolVersion.V3, PEER, OWN, ProcessId.LUSTRE_PID, 0, 77, 0, type.inverted());
        assertThat(peer.decide(hello, false)).isEqualTo(SockPeer.Decision.ACCEPT);
        InetSocketAddress remote = (InetSocketAddress) server.getLocalSocketAddress();
        SocketChannel channel = SocketChannel.open(remote);
        channel.configureBlocking(false);
        Connection connection =
                new Connection(peer, channel, loop, type, ProtocolVersion.V3, ByteOrder.LITTLE_ENDIAN, remote);
        peer.acceptEnded(connection, hello);
        return connection;
    }

    @Test
    void anAckTakesTheConnectionThatBroughtTheRequest() throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"))) {
            Connection carrier = accept(peer, server, loop, ConnectionType.BULK_OUT);
            try (RawPeer other = RawPeer.accept(server)) {
                Connection best = accept(peer, server, loop, ConnectionType.BULK_IN);
                best.close(Errno.ECONNRESET, HealthStatus.REMOTE_DROPPED);
                peer.sendAck(carrier, 5);
                assertThat(other.read(24)).isEqualTo("c0000000" + "00".repeat(12) + "0500000000000000");
                assertThat(context.counters().zeroCopyAcksSent.sum()).isEqualTo(1);
                assertThat(context.counters().snapshot().refused(HandshakeRefusal.BAD_FRAME))
                        .as("the peer is not to blame")
                        .isZero();
                assertThat(carrier.isClosed()).isFalse();
            }
        } finally {
            peer.closeAll(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED);
            loop.stop();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "EIO, LOCAL_ERROR",
        "ENOBUFS, LOCAL_ERROR",
        "ENETDOWN, LOCAL_ABORTED",
        "ESHUTDOWN, LOCAL_ABORTED",
        "ESTALE, REMOTE_DROPPED"
    })
    void anEndForWhichThePeerIsNotToBlameIsToldAllTheSame(Errno errno, HealthStatus health) throws IOException {
        endsWith(errno, health);
        assertThat(stack.disconnected).containsExactly(PEER);
        assertThat(stack.deaths).as("peers that are to blame").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ECONNRESET, REMOTE_DROPPED", "ETIMEDOUT, NETWORK_TIMEOUT", "EPROTO, REMOTE_ERROR"})
    void anEndForWhichThePeerIsToBlameIsToldOnce(Errno errno, HealthStatus health) throws IOException {
        endsWith(errno, health);
        assertThat(stack.disconnected).isEmpty();
        assertThat(stack.deaths).containsExactly(PEER);
    }

    private void endsWith(Errno errno, HealthStatus health) throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"))) {
            accept(peer, server, loop, ConnectionType.CONTROL);
            assertThat(stack.connected).containsExactly(PEER);
            peer.closeAll(errno, health);
            peer.closeAll(errno, health);
        } finally {
            loop.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatBreaksIsLoggedAndOneThatEndsIsNot(boolean breaks) throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        try (LogTap log = new LogTap("org.railyard.socklnd");
                ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"))) {
            accept(peer, server, loop, ConnectionType.CONTROL);
            try (RawPeer other = RawPeer.accept(server)) {
                if (breaks) {
                    other.reset();
                }
            }
            Await.until("the end", () -> stack.deaths.contains(PEER));
            assertThat(log.lines().stream()
                            .filter(line -> line.contains("connection with 12345-127.0.5.9@tcp"))
                            .filter(line -> line.contains(") broke: Connection reset")))
                    .hasSize(breaks ? 1 : 0);
            assertThat(log.lines()).hasSize(breaks ? 1 : 0);
        } finally {
            loop.stop();
        }
    }

    @Test
    void aConnectionThatEndsBeforeItIsToldAsUpIsToldAsDownAfterIt() throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        stack.beforeConnected = () -> {
            peer.closeAll(Errno.ECONNRESET, HealthStatus.REMOTE_DROPPED);
            assertThat(stack.connected).isEmpty();
        };
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"))) {
            accept(peer, server, loop, ConnectionType.CONTROL);
            assertThat(stack.connected).containsExactly(PEER);
            assertThat(stack.disconnected).containsExactly(PEER);
        } finally {
            loop.stop();
        }
    }

    @Test
    void aConnectionThatBeginsBeforeTheLastOneIsToldAsDownIsToldAsUpAfterIt() throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        List<String> told = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.5.9"))) {
            accept(peer, server, loop, ConnectionType.CONTROL);
            stack.beforeConnected = () -> told.add("up");
            stack.beforeDisconnected = () -> {
                if (told.isEmpty()) {
                    acceptUnchecked(peer, server, loop);
                }
                told.add("down");
            };
            peer.closeAll(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED);
            assertThat(told).containsExactly("up", "down", "up");
            peer.closeAll(Errno.ESHUTDOWN, HealthStatus.LOCAL_ABORTED);
            assertThat(told).containsExactly("up", "down", "up", "down");
        } finally {
            loop.stop();
        }
    }

    private void acceptUnchecked(SockPeer peer, ServerSocket server, IoLoop loop) {
        try {
            accept(peer, server, loop, ConnectionType.CONTROL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aPeerThatReadsNoAcksIsToBlameForWhatWaitsBehindThem() throws IOException {
        SockPeer peer = Objects.requireNonNull(peers.findOrAdd(PEER, ProcessId.LUSTRE_PID));
        IoLoop loop = new IoLoop("loop under test");
        try (ServerSocket server = new ServerSocket()) {
            server.setReceiveBufferSize(1);
            server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.5.9"), 0));
            Connection carrier = accept(peer, server, loop, ConnectionType.CONTROL);
            TestMessage waits = TestMessage.put(OWN, PEER, 0);
            // More than the buffers of the two sockets hold: the last one has not begun to leave.
            for (int i = 0; i < 12; i++) {
                waits = TestMessage.put(OWN, PEER, Wire.MTU);
                assertThat(peer.send(waits)).isZero();
            }
            while (!carrier.isClosed()) {
                peer.sendAck(carrier, 5);
            }
            assertThat(stack.awaitCompletion(waits))
                    .isEqualTo(new RecordingStack.Completion(waits, Errno.ENOBUFS.status(), HealthStatus.REMOTE_ERROR));
            assertThat(stack.deaths).containsExactly(PEER);
            assertThat(stack.disconnected).isEmpty();
            assertThat(context.counters().snapshot().refused(HandshakeRefusal.BAD_FRAME))
                    .isEqualTo(1);
        } finally {
            loop.stop();
        }
    }
}
