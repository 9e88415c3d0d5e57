package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.base.wire.WireFormatException;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;

/** A node that dials, and a peer whose every byte the test decides; time moves by hand. */
abstract class ScriptedPeerCase {
    static final Nid OWN = Nid.parse("127.0.5.5@tcp");
    static final Nid LOW = Nid.parse("127.0.5.1@tcp");
    static final Nid HIGH = Nid.parse("127.0.5.9@tcp");

    final Node.Ports ports = new Node.Ports();
    final VirtualHost host = new VirtualHost();
    final ServerSocket server = openServer();

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

    Node node(UnaryOperator<SockLndConfig.Builder> config) {
        return new Node(OWN.toString(), ports, host, config);
    }

    TestMessage put(Node node, int size) {
        TestMessage message = TestMessage.put(OWN, HIGH, size, 1);
        assertThat(node.lnd.send(node.ni, message)).isZero();
        return message;
    }

    /** Takes a call in, and returns what its hello said. */
    static Hello greeted(RawPeer peer) throws IOException, WireFormatException {
        assertThat(peer.read(16)).isEqualTo("0071ceac01000000" + "0905007f00000200");
        return Hello.read(MemorySegment.ofArray(peer.readBytes(56)), 0);
    }

    static void answer(RawPeer peer, Hello hello, ConnectionType type) throws IOException {
        peer.send(
                RawPeer.segment(Hello.of(hello.version(), HIGH, hello.srcNid(), ProcessId.LUSTRE_PID, 0, 77, 0, type)));
    }

    RawPeer acceptAs(ConnectionType expected) throws IOException, WireFormatException {
        RawPeer peer = RawPeer.accept(server);
        Hello hello = greeted(peer);
        assertThat(hello.type()).isEqualTo(expected);
        answer(peer, hello, expected.inverted());
        return peer;
    }

    /** Takes in the three calls that a node makes, and returns them when the node has all three connections. */
    Trio acceptAll(Node node) throws IOException, WireFormatException {
        Trio trio = new Trio(
                acceptAs(ConnectionType.CONTROL), acceptAs(ConnectionType.BULK_IN), acceptAs(ConnectionType.BULK_OUT));
        Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
        return trio;
    }

    /** The other ends of the three connections of a peer. */
    record Trio(RawPeer control, RawPeer in, RawPeer out) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            control.close();
            in.close();
            out.close();
        }
    }
}
