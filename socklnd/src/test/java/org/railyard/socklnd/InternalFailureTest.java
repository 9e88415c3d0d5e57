package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.io.LoopClient;

/** What goes wrong inside costs one connection at most, and every message is given back. */
final class InternalFailureTest {
    private final Node.Ports ports = new Node.Ports();

    /** Fails with each write that it has kept back, and with its end. */
    private static final class Failing extends LoopClient {
        private final IoLoop loop;
        private final AtomicInteger abandoned = new AtomicInteger();

        Failing(IoLoop loop) {
            this.loop = loop;
        }

        @Override
        public void ready(SelectionKey key) {
            assertThat(loop.cork(this)).isTrue();
        }

        @Override
        public void runHanded() {
            throw new OutOfMemoryError("no room for what was handed over");
        }

        @Override
        public void flushCorked() {
            throw new OutOfMemoryError("no room for a write");
        }

        @Override
        public void abandon(Throwable cause) {
            abandoned.incrementAndGet();
            throw new IllegalStateException("nor for its end", cause);
        }
    }

    @Test
    void aChannelThatFailsDoesNotEndItsLoop() throws Exception {
        IoLoop loop = new IoLoop("loop under test");
        Pipe pipe = Pipe.open();
        try {
            Failing client = new Failing(loop);
            pipe.source().configureBlocking(false);
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
            loop.execute(() -> {
                try {
                    pipe.source().register(loop.selector(), SelectionKey.OP_READ, client);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Await.until("its writes have failed more than once", () -> client.abandoned.get() > 1);
            loop.hand(client);
            CountDownLatch alive = new CountDownLatch(1);
            loop.execute(alive::countDown);
            assertThat(alive.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            loop.stop();
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void aPayloadWhoseMemoryIsGoneIsGivenBackWithItsConnection() {
        try (Node a = new Node("127.0.8.1@tcp", ports, new RealHost(), builder -> builder);
                Node b = new Node("127.0.8.2@tcp", ports, new RealHost(), builder -> builder)) {
            assertThat(a.stack.awaitCompletion(a.put(b, 10_000, 1)).status()).isZero();
            TestMessage gone;
            try (Arena arena = Arena.ofShared()) {
                gone = TestMessage.put(a.nid, b.nid, 2, arena.allocate(100_000).asByteBuffer());
            }
            assertThat(a.lnd.send(a.ni, gone)).isZero();
            assertThat(a.stack.awaitCompletion(gone))
                    .isEqualTo(new RecordingStack.Completion(gone, Errno.EIO.status(), HealthStatus.LOCAL_ERROR));
            assertThat(a.stack.deaths).as("peers that are to blame").isEmpty();
            // When b sees that a connection ended inside a message, it closes all of a's, perhaps the next one too.
            int status = a.stack.awaitCompletion(a.put(b, 10_000, 3)).status();
            if (status == Errno.ECONNRESET.status()) {
                status = a.stack.awaitCompletion(a.put(b, 10_000, 4)).status();
            }
            assertThat(status).isZero();
        }
    }

    @Test
    void whatDidNotLeaveBeforeItsNiWasRemovedMayTakeAnother() throws Exception {
        VirtualHost host = new VirtualHost();
        Nid silent = Nid.parse("127.0.8.9@tcp");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.8.9"));
                Node node = new Node("127.0.8.1@tcp", ports, host, builder -> builder)) {
            ports.set(silent, server.getLocalPort());
            TestMessage waits = TestMessage.put(node.nid, silent, 10);
            assertThat(node.lnd.send(node.ni, waits)).isZero();
            node.lnd.shutdown(node.ni);
            assertThat(node.stack.awaitCompletion(waits))
                    .isEqualTo(
                            new RecordingStack.Completion(waits, Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ABORTED));
            assertThat(node.lnd.send(node.ni, TestMessage.put(node.nid, silent, 10)))
                    .isEqualTo(Errno.ESHUTDOWN.status());
            assertThat(node.lnd.stats().peers()).isZero();
        }
    }

    @Test
    void aSendThatTheEndOfItsNiOvertakesLeavesNoPeer() {
        try (Node node = new Node("127.0.8.1@tcp", ports, new VirtualHost(), builder -> builder)) {
            TestMessage late = TestMessage.put(node.nid, Nid.parse("127.0.8.9@tcp"), 10);
            assertThat(node.lnd.send(node.ni, new OvertakenMessage(late, node.lnd::close, () -> {})))
                    .isEqualTo(Errno.ESHUTDOWN.status());
            assertThat(node.lnd.stats().peers()).isZero();
        }
    }

    /** The port is asked of whoever set the transport up, by the thread that calls all peers. */
    @Test
    void aCallThatFailsWithinIsMadeAgainLater() throws Exception {
        VirtualHost host = new VirtualHost();
        Nid peer = Nid.parse("127.0.8.9@tcp");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.8.9"));
                Node node = new Node("127.0.8.1@tcp", ports, host, builder -> builder)) {
            ports.set(peer, 65_536);
            TestMessage first = TestMessage.put(node.nid, peer, 10);
            assertThat(node.lnd.send(node.ni, first)).isZero();
            assertThat(node.stack.awaitCompletion(first))
                    .isEqualTo(new RecordingStack.Completion(first, Errno.EIO.status(), HealthStatus.LOCAL_ERROR));
            assertThat(node.lnd.stats().dialsFailed()).isEqualTo(1);
            ports.set(peer, server.getLocalPort());
            host.advance(VirtualHost.SECOND);
            assertThat(node.lnd.send(node.ni, TestMessage.put(node.nid, peer, 10)))
                    .isZero();
            try (RawPeer called = RawPeer.accept(server)) {
                assertThat(called.readBytes(1)).hasSize(1);
                assertThat(node.stack.deaths).as("peers that are to blame").isEmpty();
            }
        }
    }
}
