package org.railyard.socklnd.handshake;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.socklnd.io.Selectable;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.ni.SockNi;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.wire.Hello;

/**
 * A channel on its way to become a connection. Reads exactly the bytes that belong to the handshake, because frames may
 * follow at once. Runs on the connector's thread only.
 */
abstract class Handshake implements Selectable {
    /** What a refused caller may still send before the channel is closed, bytes. */
    private static final int DRAIN_LIMIT = 64 * 1024;

    /** How long a refused caller may take to notice, ns. */
    private static final long DRAIN_NANOS = 1_000_000_000L;

    private final HandshakeOwner connector;
    private final SocketChannel channel;
    private final InetAddress remote;
    private final ByteBuffer in = ByteBuffer.allocate(Hello.MAX_BYTES);
    private final MemorySegment bytes = MemorySegment.ofArray(in.array());
    private @Nullable ByteBuffer out;
    private @Nullable SelectionKey key;
    private long deadline;
    private boolean draining;
    private int drained;
    private boolean over;

    Handshake(HandshakeOwner connector, SocketChannel channel, InetAddress remote, long deadline) {
        this.connector = connector;
        this.channel = channel;
        this.remote = remote;
        this.deadline = deadline;
    }

    /** Registers with the connector's selector. */
    void begin(int ops) throws IOException {
        key = channel.register(connector.loop().selector(), ops, this);
    }

    /** The channel is connected. */
    abstract void connected() throws IOException, WireFormatException;

    /** The bytes asked for are there. */
    abstract void received() throws IOException, WireFormatException;

    /** What was to be written is written. */
    abstract void written() throws IOException;

    /** Tells whether the connection would be one of the NI. */
    abstract boolean isFor(SockNi ni);

    /** It ends without a connection, and the channel will be closed. */
    abstract void failed(HandshakeRefusal reason, Throwable cause);

    @Override
    public void ready(SelectionKey ready) {
        try {
            int ops = ready.readyOps();
            if ((ops & SelectionKey.OP_CONNECT) != 0) {
                connected();
            }
            if (!over && (ops & SelectionKey.OP_WRITE) != 0) {
                flush();
            }
            if (!over && (ops & SelectionKey.OP_READ) != 0) {
                read();
            }
        } catch (WireFormatException e) {
            fail(HandshakeRefusal.BAD_HELLO, e);
        } catch (IOException | CancelledKeyException e) {
            fail(HandshakeRefusal.GONE, e);
        }
    }

    /** Waits until so many bytes of the current structure are there, then calls {@link #received}. */
    void want(int total) {
        in.limit(total);
        interest(SelectionKey.OP_READ);
    }

    /** Begins a new structure. */
    void restart() {
        in.clear();
    }

    private void read() throws IOException, WireFormatException {
        if (draining) {
            drain();
            return;
        }
        while (!over && !draining && out == null && in.hasRemaining()) {
            int count = channel.read(in);
            if (count < 0) {
                fail(
                        HandshakeRefusal.GONE,
                        new IOException("connection reset after " + in.position() + " bytes of the handshake"));
                return;
            }
            if (in.hasRemaining()) {
                return;
            }
            received();
        }
    }

    /** Sends bytes, then calls {@link #written}. Nothing is read meanwhile. */
    void send(ByteBuffer data) throws IOException {
        out = data;
        interest(0);
        flush();
    }

    private void flush() throws IOException {
        ByteBuffer data = out;
        if (data == null) {
            interest(0);
            return;
        }
        channel.write(data);
        if (data.hasRemaining()) {
            interest(SelectionKey.OP_WRITE);
        } else {
            out = null;
            written();
        }
    }

    /**
     * Closes after the last answer so that it arrives: a close with unread input would turn into a reset, which
     * destroys what is on its way (spec 02 §3.8).
     */
    void closeGracefully() throws IOException {
        draining = true;
        deadline = connector.context().clock().nanoTime() + DRAIN_NANOS;
        channel.shutdownOutput();
        interest(SelectionKey.OP_READ);
        drain();
    }

    private void drain() throws IOException {
        ByteBuffer scratch = connector.loop().scratch().clear();
        int count = channel.read(scratch);
        if (count < 0 || (drained += count) > DRAIN_LIMIT) {
            end();
            channel.close();
        }
    }

    private void interest(int ops) {
        SelectionKey registered = key;
        if (registered != null && !over) {
            registered.interestOps(ops);
        }
    }

    /** Fails if the deadline has passed. */
    void expire(long now) {
        if (over || now - deadline < 0) {
            return;
        }
        fail(
                HandshakeRefusal.TIMEOUT,
                new IOException("connection timed out: the other side was silent in the handshake"));
    }

    void extend(long newDeadline) {
        deadline = newDeadline;
    }

    /** Ends without a connection. */
    void fail(HandshakeRefusal reason, Throwable cause) {
        if (over) {
            return;
        }
        boolean told = draining;
        end();
        try {
            channel.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        if (!told) {
            failed(reason, cause);
        }
    }

    @Override
    public void abandon(Throwable cause) {
        fail(HandshakeRefusal.BAD_HELLO, cause);
    }

    /** Releases the channel: it is closed or becomes a connection. */
    void end() {
        over = true;
        SelectionKey registered = key;
        if (registered != null) {
            registered.cancel();
        }
        connector.ended(this);
    }

    HandshakeOwner connector() {
        return connector;
    }

    SockContext context() {
        return connector.context();
    }

    SocketChannel channel() {
        return channel;
    }

    InetAddress remote() {
        return remote;
    }

    /** The bytes of the current structure. */
    MemorySegment bytes() {
        return bytes;
    }
}
