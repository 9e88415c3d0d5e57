package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.io.LowPorts;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.peer.SockPeer;
import org.railyard.socklnd.peer.SockPeerTable;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.Magic;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * The side that was called: connection request, then hello, then our answer (spec 02 §2.4, §3.6).
 *
 * <pre>
 * Step             may become                 when
 * MAGIC            REQUEST_VERSION            the magic of connection requests came
 * MAGIC            REFUSING                   the magic of hellos came
 * REQUEST_VERSION  REQUEST                    the version is known
 * REQUEST_VERSION  REFUSING                   the version is not known
 * REQUEST          HELLO_MAGIC                an NI here has the wanted NID
 * HELLO_MAGIC      HELLO_VERSION              the magic is right
 * HELLO_VERSION    HELLO                      the version is spoken here
 * HELLO_VERSION    REFUSING                   the version is not spoken here
 * HELLO            HELLO_ADDRESSES            addresses follow
 * HELLO            REFUSING, ACCEPTING        the hello is complete, and decided about
 * HELLO_ADDRESSES  REFUSING, ACCEPTING        the hello is complete, and decided about
 * </pre>
 *
 * <p>All else ends the handshake without an answer.
 */
final class PassiveHandshake extends Handshake {
    private enum Step {
        MAGIC,
        REQUEST_VERSION,
        REQUEST,
        HELLO_MAGIC,
        HELLO_VERSION,
        HELLO,
        HELLO_ADDRESSES,
        /** The answer says no. */
        REFUSING,
        /** The answer says yes. */
        ACCEPTING;

        boolean mayBecome(Step next) {
            return switch (this) {
                case MAGIC -> next == REQUEST_VERSION || next == REFUSING;
                case REQUEST_VERSION -> next == REQUEST || next == REFUSING;
                case REQUEST -> next == HELLO_MAGIC;
                case HELLO_MAGIC -> next == HELLO_VERSION;
                case HELLO_VERSION -> next == HELLO || next == REFUSING;
                case HELLO -> next == HELLO_ADDRESSES || next == REFUSING || next == ACCEPTING;
                case HELLO_ADDRESSES -> next == REFUSING || next == ACCEPTING;
                case REFUSING, ACCEPTING -> false;
            };
        }
    }

    private final int remotePort;
    private Step step = Step.MAGIC;
    private @Nullable SockPeerTable peers;
    private @Nullable SockPeer peer;
    private @Nullable SockPeer stale;
    private @Nullable Hello hello;
    private @Nullable ConnectionType type;

    PassiveHandshake(HandshakeOwner connector, SocketChannel channel, InetSocketAddress remote) {
        super(
                connector,
                channel,
                remote.getAddress(),
                connector.context().clock().nanoTime() + connector.context().nanos(SockTunable.ACCEPT_TIMEOUT));
        this.remotePort = remote.getPort();
    }

    void begin() throws IOException {
        begin(SelectionKey.OP_READ);
        want(Magic.BYTES);
    }

    @Override
    void connected() {
        throw new IllegalStateException("an accepted channel is connected from the start");
    }

    @Override
    void received() throws IOException, WireFormatException {
        switch (step) {
            case MAGIC -> receivedMagic();
            case REQUEST_VERSION -> receivedRequestVersion();
            case REQUEST -> receivedRequest();
            case HELLO_MAGIC -> {
                Hello.orderAt(bytes(), 0);
                next(Step.HELLO_VERSION, Hello.PREFIX_BYTES);
            }
            case HELLO_VERSION -> receivedHelloVersion();
            case HELLO -> receivedFixedHello();
            case HELLO_ADDRESSES -> receivedHello();
            case REFUSING, ACCEPTING -> throw new IllegalStateException("nothing is read while the answer is written");
        }
    }

    /** The only place where the step changes. */
    private void become(Step next) {
        if (!step.mayBecome(next)) {
            throw new IllegalStateException("handshake is at " + step + ", which can not become " + next);
        }
        step = next;
    }

    private void next(Step following, int bytes) {
        become(following);
        want(bytes);
    }

    private void receivedMagic() throws IOException {
        int magic = Magic.read(bytes(), 0);
        if (Magic.orderOf(magic, Magic.ACCEPTOR) != null) {
            next(Step.REQUEST_VERSION, ConnectionRequest.PREFIX_BYTES);
        } else if (Magic.orderOf(magic, Magic.LNET) != null) {
            refuseRequest("hello without a connection request");
        } else {
            String other = OtherProtocols.nameOf(bytes());
            fail(
                    HandshakeRefusal.BAD_REQUEST,
                    new WireFormatException((other == null
                                    ? ""
                                    : "it speaks " + other
                                            + ", and this is a port of LNet: check where it is meant to go; ")
                            + "magic is 0x" + Integer.toHexString(magic) + ", expected 0x"
                            + Integer.toHexString(Magic.ACCEPTOR)));
        }
    }

    private void receivedRequestVersion() throws IOException {
        ByteOrder order = Magic.orderOf(Magic.read(bytes(), 0), Magic.ACCEPTOR);
        int version = order == null ? 0 : ConnectionRequest.versionAt(bytes(), 0, order);
        int total = ConnectionRequest.bytes(version);
        if (total == 0) {
            refuseRequest("connection request of version " + Integer.toUnsignedString(version) + ", expected 1 or 2");
        } else {
            next(Step.REQUEST, total);
        }
    }

    private void refuseRequest(String why) throws IOException {
        context().refuse(HandshakeRefusal.BAD_REQUEST, () -> "caller " + caller() + " refused: " + why);
        become(Step.REFUSING);
        ConnectionRequest refusal = ConnectionRequest.refusal();
        ByteBuffer data = ByteBuffer.allocate(refusal.bytes());
        refusal.write(MemorySegment.ofBuffer(data), 0);
        send(data);
    }

    private void receivedRequest() throws WireFormatException {
        Nid wanted = ConnectionRequest.read(bytes(), 0).nid();
        SockPeerTable found = connector().peersOf(wanted);
        if (found == null) {
            fail(
                    HandshakeRefusal.UNKNOWN_NID,
                    new WireFormatException("wants " + wanted + ", expected a NID of this node on TCP"));
        } else if (found.ni().isGone() || found.ni().isStopping()) {
            fail(
                    HandshakeRefusal.NI_DOWN,
                    new IOException("wants " + wanted + ", whose device is gone or which is stopping"));
        } else {
            peers = found;
            extend(context().clock().nanoTime() + context().nanos(SockTunable.ACCEPT_TIMEOUT));
            restart();
            next(Step.HELLO_MAGIC, Magic.BYTES);
        }
    }

    private void receivedHelloVersion() throws IOException, WireFormatException {
        SockNi mine = ni();
        ProtocolVersion version = Hello.versionAt(bytes(), 0);
        ProtocolVersion limit = context().config().protocol();
        if (version == null || limit != null && version.compareTo(limit) > 0) {
            context()
                    .refuse(
                            HandshakeRefusal.OTHER_VERSION,
                            () -> "caller " + caller() + " speaks a version unknown here, " + mine.ownVersion()
                                    + " offered");
            become(Step.REFUSING);
            answer(Hello.of(
                    mine.ownVersion(),
                    mine.nid(),
                    mine.nid(),
                    ProcessId.LUSTRE_PID,
                    0,
                    mine.incarnation(),
                    0,
                    ConnectionType.NONE));
        } else {
            next(Step.HELLO, version.helloBytes());
        }
    }

    private void receivedFixedHello() throws IOException, WireFormatException {
        ProtocolVersion version = Hello.versionAt(bytes(), 0);
        if (version == null) {
            throw new IllegalStateException("version changed while the hello was read");
        }
        int total = Hello.bytesAt(bytes(), 0, version, Hello.orderAt(bytes(), 0));
        if (total == version.helloBytes()) {
            receivedHello();
        } else {
            next(Step.HELLO_ADDRESSES, total);
        }
    }

    private void receivedHello() throws IOException, WireFormatException {
        Hello read = Hello.read(bytes(), 0);
        ConnectionType theirs = read.type();
        if (read.srcNid().isAny()) {
            throw new WireFormatException("hello has the wildcard as source NID, expected a NID");
        }
        if (theirs == null || theirs == ConnectionType.NONE) {
            throw new WireFormatException("hello has connection type " + read.typeNumber()
                    + ", expected 0 ANY, 1 CONTROL, 2 BULK_IN or 3 BULK_OUT");
        }
        hello = read;
        type = theirs.inverted();
        decide(read);
    }

    private void decide(Hello read) throws IOException {
        boolean sameAddress = channel().getLocalAddress() instanceof InetSocketAddress local
                && local.getAddress().equals(remote());
        SockPeer.Decision decision;
        SockPeer caller;
        do {
            caller = peerOf(read);
            if (caller == null) {
                fail(
                        HandshakeRefusal.TOO_MANY_CONNECTIONS,
                        new IOException("there are " + context().config().get(SockTunable.MAX_PEERS)
                                + " peers already, which is the limit; raise max_peers"));
                return;
            }
            decision = caller.decide(read, sameAddress);
            if (decision == SockPeer.Decision.RETIRED) {
                peers().remove(caller);
            }
        } while (decision == SockPeer.Decision.RETIRED);
        switch (decision) {
            case ACCEPT -> {
                peer = caller;
                become(Step.ACCEPTING);
                answer(answerTo(read, type()));
            }
            case RACE -> refuseHello(read, HandshakeRefusal.RACE);
            case SURPLUS -> refuseHello(read, HandshakeRefusal.TOO_MANY_CONNECTIONS);
            case STALE -> {
                if (hasGone()) {
                    fail(HandshakeRefusal.GONE, new IOException("it has closed the connection already"));
                } else {
                    stale = caller;
                    refuseHello(read, HandshakeRefusal.STALE);
                }
            }
            case STOPPING -> fail(HandshakeRefusal.NI_DOWN, new IOException("the NI is stopping"));
            case RETIRED -> throw new IllegalStateException("a peer that was forgotten is looked up again");
        }
    }

    /**
     * Tells whether the caller, who is going to be refused, has closed the connection. A call that its NI gave up when
     * it stopped may be read only after those of the NI started in its place; it says nothing about them.
     */
    private boolean hasGone() throws IOException {
        return channel().read(connector().loop().scratch().clear().limit(1)) < 0;
    }

    /** Returns who calls: whom the hello names, or, from a port that is not trusted, address and port themselves. */
    private @Nullable SockPeer peerOf(Hello read) {
        SockNi mine = ni();
        if (remotePort > LowPorts.HIGHEST && context().config().sourcePorts() != SourcePorts.ANY) {
            return peers().findOrAdd(Nid.of(mine.ni().net(), remote().getAddress()), remotePort | ProcessId.USER_FLAG);
        }
        return peers().findOrAdd(read.srcNid(), read.srcPid());
    }

    private void refuseHello(Hello read, HandshakeRefusal reason) throws IOException {
        context().counters().refused(reason);
        become(Step.REFUSING);
        answer(answerTo(read, ConnectionType.NONE));
    }

    private Hello answerTo(Hello read, ConnectionType own) {
        return Hello.of(
                read.version(),
                ni().nid(),
                read.srcNid(),
                ProcessId.LUSTRE_PID,
                read.dstPid(),
                ni().incarnation(),
                read.dstIncarnation(),
                own);
    }

    private void answer(Hello answer) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(answer.bytes());
        answer.write(MemorySegment.ofBuffer(data), 0);
        send(data);
    }

    @Override
    void written() throws IOException {
        if (step == Step.REFUSING) {
            try {
                closeGracefully();
            } finally {
                closeStale();
            }
            return;
        }
        SockPeer caller = peer;
        Hello read = hello;
        if (caller == null || read == null) {
            throw new IllegalStateException("answered before the hello was read");
        }
        // Until the end, a failure tells the peer that the accepting ended.
        Connection connection = connector().connect(caller, channel(), type(), read.version(), read.order());
        end();
        context().counters().accepted.increment();
        caller.acceptEnded(connection, read);
    }

    /** The old connections of a peer that restarted go, whether it could be told so or not. */
    private void closeStale() {
        SockPeer restarted = stale;
        if (restarted != null) {
            stale = null;
            restarted.restarted();
        }
    }

    @Override
    boolean isFor(SockNi other) {
        SockPeerTable known = peers;
        return known != null && known.ni() == other;
    }

    @Override
    void failed(HandshakeRefusal reason, Throwable cause) {
        context().refuse(reason, () -> "caller " + caller() + " refused: " + cause.getMessage());
        closeStale();
        SockPeer caller = peer;
        if (caller != null) {
            peer = null;
            caller.acceptFailed();
        }
    }

    private String caller() {
        return remote().getHostAddress() + ":" + remotePort;
    }

    private SockPeerTable peers() {
        SockPeerTable known = peers;
        if (known == null) {
            throw new IllegalStateException("no NI before the connection request is read");
        }
        return known;
    }

    private SockNi ni() {
        return peers().ni();
    }

    private ConnectionType type() {
        ConnectionType known = type;
        if (known == null) {
            throw new IllegalStateException("no type before the hello is read");
        }
        return known;
    }
}
