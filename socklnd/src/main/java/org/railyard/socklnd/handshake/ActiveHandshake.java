package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.Magic;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * The side that calls: connection request and hello at once, then the answer (spec 02 §3.7).
 *
 * <pre>
 * Step        may become  when
 * CONNECTING  SENDING     TCP is connected
 * SENDING     MAGIC       request and hello are written
 * MAGIC       PREFIX      the magic of the answer is right
 * PREFIX      HELLO       the version of the answer is known
 * HELLO       ADDRESSES   addresses follow
 * </pre>
 *
 * <p>The complete answer ends it, after HELLO or ADDRESSES; all else ends it without a connection.
 */
final class ActiveHandshake extends Handshake {
    private enum Step {
        CONNECTING,
        SENDING,
        MAGIC,
        PREFIX,
        HELLO,
        ADDRESSES
    }

    private final SockPeer peer;
    private final ConnectionType type;
    private final ProtocolVersion version;
    private Step step = Step.CONNECTING;

    ActiveHandshake(
            HandshakeOwner connector,
            SocketChannel channel,
            InetAddress remote,
            SockPeer peer,
            ConnectionType type,
            ProtocolVersion version) {
        super(
                connector,
                channel,
                remote,
                connector.context().clock().nanoTime() + peer.ni().timeoutNanos());
        this.peer = peer;
        this.type = type;
        this.version = version;
    }

    void begin() throws IOException {
        if (channel().isConnected()) {
            begin(0);
            connected();
        } else {
            begin(SelectionKey.OP_CONNECT);
        }
    }

    @Override
    void connected() throws IOException {
        if (!channel().finishConnect()) {
            return;
        }
        become(Step.SENDING);
        ConnectionRequest request = ConnectionRequest.to(peer.nid());
        Hello hello = Hello.of(
                version,
                peer.ni().nid(),
                peer.nid(),
                ProcessId.LUSTRE_PID,
                0,
                peer.ni().incarnation(),
                0,
                type);
        ByteBuffer data = ByteBuffer.allocate(request.bytes() + hello.bytes());
        MemorySegment memory = MemorySegment.ofBuffer(data);
        request.write(memory, 0);
        hello.write(memory, request.bytes());
        send(data);
    }

    @Override
    void written() {
        ask(Step.MAGIC, Magic.BYTES);
    }

    private void ask(Step next, int bytes) {
        become(next);
        want(bytes);
    }

    /** The only place where the step changes: to the one that follows. */
    private void become(Step next) {
        if (next.ordinal() != step.ordinal() + 1) {
            throw new IllegalStateException("handshake is at " + step + ", which can not become " + next);
        }
        step = next;
    }

    @Override
    void received() throws IOException, WireFormatException {
        if (step == Step.MAGIC) {
            String other = OtherProtocols.nameOf(bytes());
            if (other != null) {
                throw new WireFormatException("the answer of port " + port() + " is " + other
                        + ", not LNet: a server or proxy of that kind listens there; check the address, and that the"
                        + " node's LNet listens at this port (accept_port)");
            }
            Hello.orderAt(bytes(), 0);
            ask(Step.PREFIX, Hello.PREFIX_BYTES);
            return;
        }
        ProtocolVersion spoken = Hello.versionAt(bytes(), 0);
        if (spoken == null) {
            throw new WireFormatException("answer has an unknown version, expected 1, 2, 3 or 4");
        }
        if (step == Step.PREFIX) {
            ask(Step.HELLO, spoken.helloBytes());
            return;
        }
        int total = Hello.bytesAt(bytes(), 0, spoken, Hello.orderAt(bytes(), 0));
        if (step == Step.HELLO && spoken.helloBytes() < total) {
            ask(Step.ADDRESSES, total);
            return;
        }
        answered(Hello.read(bytes(), 0));
    }

    private int port() throws IOException {
        return channel().getRemoteAddress() instanceof InetSocketAddress remote ? remote.getPort() : 0;
    }

    private void answered(Hello answer) throws IOException, WireFormatException {
        if (answer.srcNid().isAny()) {
            throw new WireFormatException("answer has the wildcard as source NID, expected " + peer);
        }
        if (answer.type() == ConnectionType.NONE) {
            boolean other = answer.version() != version;
            if (other) {
                checkSpeakable(answer.version());
            }
            finishWithout();
            if (other) {
                peer.dialOtherVersion(answer.version());
            } else {
                peer.dialRefused();
            }
            return;
        }
        if (!answer.srcNid().equals(peer.nid()) || answer.srcPid() != peer.pid()) {
            throw new WireFormatException(
                    "answer comes from " + new ProcessId(answer.srcNid(), answer.srcPid()) + ", expected " + peer);
        }
        if (answer.version() != version) {
            throw new WireFormatException("answer has version " + answer.version() + ", expected " + version);
        }
        ConnectionType theirs = answer.type();
        if (theirs == null || theirs.inverted() != type) {
            throw new WireFormatException(
                    "answer has connection type " + answer.typeNumber() + ", expected " + type.inverted());
        }
        if (!peer.isSamePeer(answer)) {
            finishWithout();
            peer.dialStale();
            return;
        }
        // Until the end, a failure tells the peer that the attempt failed.
        Connection connection = connector().connect(peer, channel(), type, version, answer.order());
        end();
        context().counters().dialled.increment();
        peer.dialConnected(connection, answer);
    }

    /** A peer that asks for what can not be spoken with it would be asked in it again and again. */
    private void checkSpeakable(ProtocolVersion wanted) throws WireFormatException {
        ProtocolVersion limit = context().config().protocol();
        if (limit != null && wanted.compareTo(limit) > 0) {
            throw new WireFormatException("answer asks for version " + wanted + ", expected at most " + limit);
        }
        boolean large = !peer.nid().isNid4() || !peer.ni().nid().isNid4();
        if (large && wanted.compareTo(ProtocolVersion.V4) < 0) {
            throw new WireFormatException("answer asks for version " + wanted + ", which has no room for the NIDs "
                    + peer.ni().nid() + " and " + peer.nid());
        }
    }

    private void finishWithout() throws IOException {
        end();
        channel().close();
    }

    @Override
    boolean isFor(SockNi ni) {
        return peer.ni() == ni;
    }

    @Override
    void failed(HandshakeRefusal reason, Throwable cause) {
        Errno errno = Errno.EPROTO;
        if (reason == HandshakeRefusal.TIMEOUT) {
            errno = Errno.ETIMEDOUT;
        } else if (cause instanceof IOException e) {
            errno = SocketErrors.of(e);
            if (step != Step.CONNECTING && errno == Errno.ECONNRESET) {
                tell("it accepted the call and closed it without an answer. An LNet node does so with callers that it"
                        + " does not accept (source ports above 1023, unless it has accept=all; NIDs that it has not);"
                        + " other services, such as TLS servers, with what they do not understand");
            }
        } else {
            tell(String.valueOf(cause.getMessage()));
        }
        peer.dialFailed(errno);
    }

    private void tell(String what) {
        context()
                .refuse(
                        HandshakeRefusal.BAD_ANSWER,
                        () -> peer + " (" + remote().getHostAddress() + ") was not connected: " + what);
    }
}
