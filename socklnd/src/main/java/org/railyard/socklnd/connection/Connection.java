package org.railyard.socklnd.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteOrder;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.io.IoLoop;
import org.railyard.socklnd.io.LoopClient;
import org.railyard.socklnd.io.ProcNetTcp;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/** A TCP connection whose handshake is done: one channel, one I/O thread, a reader and a writer. Thread-safe. */
public final class Connection extends LoopClient {
    private static final System.Logger LOG = System.getLogger("org.railyard.socklnd");
    private static final int WRITE = 1;
    private static final int WANT_WRITE = 2;
    private static final int RESUME = 4;
    private static final int ABORT = 8;

    private final ConnectionOwner peer;
    private final SocketChannel channel;
    private final IoLoop loop;
    private final ConnectionType type;
    private final ProtocolVersion version;
    private final ByteOrder order;
    private final InetAddress remote;
    private final FrameReader reader;
    private final FrameWriter writer;
    private final CountDownLatch halves = new CountDownLatch(2);
    private final AtomicInteger posted = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Errno closeErrno = Errno.ECONNABORTED;
    private volatile long lastReadNanos;
    private long lastUse;

    // Of the worker for time limits.
    private final String socketKey;
    private long unacknowledged;
    private long acknowledgedBytes;
    private long ackProgressNanos;

    // Of the loop's thread.
    private @Nullable SelectionKey key;
    private boolean wantsWrite;

    /**
     * Makes a connection; {@link #start} makes it read.
     *
     * @param type the type as this side sees it
     * @param order byte order of the peer
     */
    public Connection(
            ConnectionOwner peer,
            SocketChannel channel,
            IoLoop loop,
            ConnectionType type,
            ProtocolVersion version,
            ByteOrder order,
            InetSocketAddress remote)
            throws IOException {
        this.peer = peer;
        this.channel = channel;
        this.loop = loop;
        this.type = type;
        this.version = version;
        this.order = order;
        this.remote = remote.getAddress();
        this.socketKey =
                channel.getLocalAddress() instanceof InetSocketAddress local ? ProcNetTcp.key(local, remote) : "";
        this.lastReadNanos = peer.context().clock().nanoTime();
        boolean bulk = type == ConnectionType.BULK_IN || type == ConnectionType.BULK_OUT;
        this.reader = new FrameReader(this, loop.buffers().take(FrameReader.bufferBytes(version, bulk)), halves);
        this.writer =
                new FrameWriter(this, peer.context().config(), peer.context().clock(), halves);
    }

    /** Begins to read. Any thread. */
    public void start() {
        loop.execute(this::register);
    }

    private void register() {
        try {
            if (channel.isOpen()) {
                key = channel.register(
                        loop.selector(), SelectionKey.OP_READ | (wantsWrite ? SelectionKey.OP_WRITE : 0), this);
            }
        } catch (ClosedChannelException e) {
            // Closed before it began; the abort is on its way.
            key = null;
        }
    }

    @Override
    public void ready(SelectionKey ready) {
        try {
            int ops = ready.readyOps();
            if ((ops & SelectionKey.OP_WRITE) != 0) {
                wantsWrite = false;
                ready.interestOpsAnd(~SelectionKey.OP_WRITE);
                writer.resume();
            }
            if ((ops & SelectionKey.OP_READ) != 0 && !closed.get()) {
                read(ready);
            }
        } catch (CancelledKeyException e) {
            // Closed by another thread; the abort is on its way.
            key = null;
        }
    }

    private void read(SelectionKey ready) {
        try {
            if (!reader.read()) {
                endOfStream();
            } else if (reader.isPaused()) {
                ready.interestOpsAnd(~SelectionKey.OP_READ);
            }
        } catch (WireFormatException e) {
            refuse(e);
        } catch (IOException e) {
            broke(e, SocketErrors.healthOfBreak(SocketErrors.of(e)));
        }
    }

    private void endOfStream() {
        if (reader.isMidFrame()) {
            peer.context()
                    .refuse(
                            HandshakeRefusal.BAD_FRAME,
                            () -> "connection with " + this + " ended in the middle of a frame");
            fail(Errno.EPROTO, SocketErrors.healthOfBreak(Errno.EPROTO));
        } else {
            fail(Errno.ECONNRESET, SocketErrors.healthOfBreak(Errno.ECONNRESET));
        }
    }

    private void refuse(WireFormatException e) {
        peer.context()
                .refuse(
                        HandshakeRefusal.BAD_FRAME,
                        () -> "connections with " + this + " are closed: " + e.getMessage());
        fail(Errno.EPROTO, HealthStatus.REMOTE_ERROR);
    }

    @Override
    public void runHanded() {
        int ops = posted.getAndSet(0);
        if ((ops & ABORT) != 0) {
            reader.abort(closeErrno);
        }
        if ((ops & RESUME) != 0 && !closed.get()) {
            resumeOnLoop();
        }
        if ((ops & WRITE) != 0) {
            writer.resume();
        }
        if ((ops & WANT_WRITE) != 0) {
            wantsWrite = true;
            interest(SelectionKey.OP_WRITE);
        }
    }

    private void resumeOnLoop() {
        // While the stack made up its mind nothing was read; that is not the peer's time.
        lastReadNanos = peer.context().clock().nanoTime();
        try {
            if (reader.resume()) {
                interest(SelectionKey.OP_READ);
            }
        } catch (WireFormatException e) {
            refuse(e);
        }
    }

    private void interest(int ops) {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            try {
                registered.interestOpsOr(ops);
            } catch (CancelledKeyException e) {
                // Closed by another thread between the two lines; the abort is on its way.
                key = null;
            }
        }
    }

    private void post(int op) {
        int before;
        do {
            before = posted.get();
        } while (!posted.compareAndSet(before, before | op));
        if (before == 0) {
            loop.hand(this);
        }
    }

    void handWriting() {
        post(WRITE);
    }

    void wantWrite() {
        post(WANT_WRITE);
    }

    void resumeReading() {
        post(RESUME);
    }

    boolean cork() {
        return loop.cork(this);
    }

    @Override
    public void flushCorked() {
        writer.resume();
    }

    /** Sends a message. Any thread. */
    public FrameWriter.Sent send(LndMessage message) {
        return writer.send(message);
    }

    /** Sends the messages that an array begins with, until one is not taken; returns how many were. Any thread. */
    public int sendAll(@Nullable LndMessage[] messages, int count) {
        return writer.sendAll(messages, count);
    }

    /** Gives back the messages of which no byte has left; the connection goes on. Any thread, without locks. */
    public void recall() {
        writer.recall();
    }

    /** Returns what {@link #noteUse} was given last. */
    public long lastUse() {
        return lastUse;
    }

    /** Notes that it was chosen, by a number that grows. */
    public void noteUse(long number) {
        lastUse = number;
    }

    /** Sends a NOOP; false if the connection is closed or its queue is full. Any thread. */
    public boolean sendNoop(long cookie1) {
        return writer.sendNoop(cookie1);
    }

    /** Acknowledges a zero-copy request that came over this connection. */
    void sendAck(long cookie) {
        peer.sendAck(this, cookie);
    }

    void acknowledged(FrameHeader frame) throws WireFormatException {
        peer.acknowledged(frame, version);
    }

    int parse(LNetHeader header, LndReceiver receiver) {
        if ((peer.pid() & ProcessId.USER_FLAG) != 0) {
            header.setRoute(header.destNid(), header.destPid(), peer.nid(), peer.pid());
        }
        return peer.context().stack().parse(peer.lndNi(), header, peer.nid(), peer.pid(), receiver);
    }

    /** Completes a message. What the stack throws must not leave the connection half done. */
    void complete(LndMessage message, int status, HealthStatus health) {
        try {
            peer.context().stack().complete(message, status, health);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the stack failed to complete a message", e);
        }
    }

    /** Completes a message that is through, as one of several: {@link #flushCompleted} follows. */
    void completeSoon(LndMessage message) {
        try {
            peer.context().stack().completeSoon(message);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the stack failed to take a message back", e);
        }
    }

    /** What the calling thread completed is told to its owners. */
    void flushCompleted() {
        try {
            peer.context().stack().flush();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the stack failed to complete messages", e);
        }
    }

    boolean awaitsAck(LndMessage message) {
        return version.hasFrameHeader() && peer.wantsAck(message);
    }

    long newCookie(LndMessage message) {
        return peer.newCookie(this, message);
    }

    /** All of a message with a cookie has left. Returns it if it is complete. */
    @Nullable
    LndMessage left(long cookie) {
        return peer.left(cookie);
    }

    /** A message with a cookie does not leave after all: returns it. */
    @Nullable
    LndMessage forgetCookie(long cookie) {
        return peer.forgetCookie(cookie);
    }

    void noteRead() {
        lastReadNanos = peer.context().clock().nanoTime();
        peer.noteAlive(lastReadNanos);
    }

    long readEvents() {
        return peer.lastAliveNanos();
    }

    /** Tells whether time ran out: bytes that do not leave, or a frame whose rest does not come. */
    public boolean isStalled(long nowNanos, long limitNanos) {
        return writer.isStalled(nowNanos, limitNanos) || reader.isMidFrame() && nowNanos - lastReadNanos > limitNanos;
    }

    /**
     * Takes note of how much the other host's TCP has acknowledged; true if nothing moved for longer than the limit.
     * The worker.
     *
     * @param queues the bytes not acknowledged, by socket
     */
    public boolean isSilent(Map<String, Long> queues, long nowNanos, long limitNanos) {
        long left = queues.getOrDefault(socketKey, 0L);
        long acknowledged = writer.sentBytes() - left;
        if (unacknowledged == 0 || left == 0 || acknowledged != acknowledgedBytes) {
            ackProgressNanos = nowNanos;
        }
        unacknowledged = left;
        acknowledgedBytes = acknowledged;
        return nowNanos - ackProgressNanos >= limitNanos;
    }

    /**
     * Closes this connection and all others of the peer with the same remote address (spec 02 §11). Any thread, without
     * locks.
     *
     * @param health of a message that is on its way
     */
    void fail(Errno errno, HealthStatus health) {
        peer.connectionFailed(this, errno, health);
    }

    /** The same, because of an error of its socket. */
    void broke(IOException cause, HealthStatus health) {
        peer.connectionBroke(this, cause, health);
    }

    @Override
    public void abandon(Throwable cause) {
        LOG.log(System.Logger.Level.ERROR, "internal failure on the connection with " + this, cause);
        fail(Errno.EIO, HealthStatus.LOCAL_ERROR);
    }

    /**
     * Closes only this connection. Messages unsent are given back. Any thread, without locks. But for an orderly end
     * ({@code ESHUTDOWN}) the connection is reset: what the system holds back does not leave any more (spec 02 §11).
     *
     * @param health of a message that is on its way; one of which no byte has left may get another (spec 10 §22)
     */
    public void close(Errno errno, HealthStatus health) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closeErrno = errno;
        noteCause(errno, health);
        try {
            if (errno != Errno.ESHUTDOWN) {
                // What is given back here goes over another rail: it must not arrive a second time when this one
                // returns.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "close of " + this, e);
        }
        peer.context().counters().disconnected(remote);
        peer.context().counters().closed.increment();
        writer.close();
        if (loop.isCurrent()) {
            reader.abort(errno);
        } else {
            post(ABORT);
        }
        // The selector holds the file descriptor until it looks at its cancelled keys.
        loop.wake();
    }

    /** Is told why it will be closed: a write that fails because of the close has to know. */
    public void noteCause(Errno errno, HealthStatus health) {
        writer.noteCause(errno, health);
    }

    /** Returns whether it is closed. */
    public boolean isClosed() {
        return closed.get();
    }

    /** Waits until all messages of a closed connection are given back; false if that takes too long. */
    public boolean awaitEnd(long millis) {
        try {
            return halves.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether all messages of a closed connection are given back. */
    public boolean hasEnded() {
        return halves.getCount() == 0;
    }

    /** Returns how many bytes wait to be written. */
    public long unsentBytes() {
        return writer.unsentBytes();
    }

    SocketChannel channel() {
        return channel;
    }

    IoLoop loop() {
        return loop;
    }

    /** Returns what the connection is for. */
    public ConnectionType type() {
        return type;
    }

    /** Returns the version of the protocol that both speak. */
    public ProtocolVersion version() {
        return version;
    }

    ByteOrder order() {
        return order;
    }

    /** Returns the address of the other side. */
    public InetAddress remote() {
        return remote;
    }

    @Override
    public String toString() {
        return new ProcessId(peer.nid(), peer.pid()) + " (" + version + " " + type + ", " + remote.getHostAddress()
                + ")";
    }
}
