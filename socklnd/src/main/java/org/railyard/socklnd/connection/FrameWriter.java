package org.railyard.socklnd.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.socklnd.io.BufferPool;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * The sending half of a connection. Any thread sends: it frames its message into the batch being filled, and writes if
 * nobody else does. In a burst, or when the socket is full, the I/O thread writes instead and takes along what came in
 * meanwhile. Completions run on the writing thread without any lock; a send from inside one only fills the batch, so
 * that there is a loop and no recursion.
 *
 * <pre>
 * State     may become  when
 * IDLE      WRITING     a thread sends, or the connection closes
 * IDLE      HANDED      a thread sends in a burst, or while the I/O thread processes what it read
 * HANDED    WRITING     the I/O thread begins; messages are recalled; the connection closes
 * BLOCKED   WRITING     the socket has room; messages are recalled; the connection closes
 * WRITING   IDLE        nothing is left
 * WRITING   HANDED      the writing thread has written its share
 * WRITING   BLOCKED     the socket has no room
 * </pre>
 *
 * <p>After the close it stays WRITING: that thread gives everything back, and nobody writes again.
 */
public final class FrameWriter {
    /** Staging memory of a batch on connections for small messages, bytes. */
    private static final int SMALL_STAGING = 64 * 1024;

    /** Staging memory of a batch on bulk connections, which holds mostly heads, bytes. */
    private static final int BULK_STAGING = 16 * 1024;

    /** Staging memory per frame slot: about the shortest message. */
    private static final int STAGING_PER_FRAME = 96;

    /** Writes that follow each other faster than this, with nothing received between them, are a burst, ns. */
    private static final long BURST_GAP_NANOS = 10_000;

    /** So many writes in a burst, and the I/O thread takes over. */
    private static final int BURST_WRITES = 4;

    /** So many batches a sending thread writes, for itself and others, before the I/O thread takes over. */
    private static final int DIRECT_ROUNDS = 4;

    /** So many batches the I/O thread writes before it serves other connections. */
    private static final int LOOP_ROUNDS = 16;

    /** So many messages are completed before their owners are told. */
    private static final int COMPLETED_TOGETHER = 32;

    /** What became of a message handed in. */
    public enum Sent {
        /** It will be completed. */
        TAKEN,
        /** The connection is closed; it was not taken. */
        CLOSED,
        /** Too much is queued; it was not taken. */
        FULL,
        /** The memory of its payload can not be read; it was not taken. */
        UNREADABLE
    }

    /** What became of a message that was to be framed. */
    private enum Framed {
        /** It is in the batch being filled. */
        DONE,
        /** The batch is full. */
        NO_ROOM,
        /** The memory of its payload can not be read. */
        UNREADABLE
    }

    private enum State {
        /** Nobody writes. */
        IDLE,
        /** Some thread writes, or gives everything back after the close. */
        WRITING,
        /** The I/O thread will write soon. */
        HANDED,
        /** The I/O thread will write when the socket has room. */
        BLOCKED;

        boolean mayBecome(State next) {
            return switch (this) {
                case IDLE -> next == WRITING || next == HANDED;
                case HANDED, BLOCKED -> next == WRITING;
                case WRITING -> next != WRITING;
            };
        }
    }

    private final Connection connection;
    private final NodeClock clock;
    private final ProtocolVersion version;
    private final int minBulk;
    private final @Nullable FrameChecksum checksum;
    private final int checksumFlaw;
    private final CountDownLatch finished;

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final TxQueue overflow;

    @GuardedBy("lock")
    private final CookieQueue acks = new CookieQueue();

    @GuardedBy("lock")
    private TxBatch filling;

    @GuardedBy("lock")
    private State state = State.IDLE;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private int burst;

    @GuardedBy("lock")
    private long lastWriteNanos;

    @GuardedBy("lock")
    private long lastReadEvents;

    @GuardedBy("lock")
    private Errno closeErrno = Errno.ECONNABORTED;

    @GuardedBy("lock")
    private HealthStatus closeHealth = HealthStatus.LOCAL_ERROR;

    // Of the thread that made the state WRITING; handed on through the lock.
    private TxBatch writing;

    // Written under lock or by the writing thread only; read by anyone.
    private final AtomicLong queuedBytes = new AtomicLong();
    private volatile long sentBytes;
    private volatile long progressNanos;
    private volatile long shortestNanos = Long.MAX_VALUE;

    /** Whether whoever writes is to give back what has not begun to leave. Written under lock. */
    private volatile boolean recalling;

    FrameWriter(Connection connection, SockLndConfig config, NodeClock clock, CountDownLatch finished) {
        this.connection = connection;
        this.clock = clock;
        this.version = connection.version();
        this.finished = finished;
        boolean bulk = connection.type() == ConnectionType.BULK_IN || connection.type() == ConnectionType.BULK_OUT;
        int staging = bulk ? BULK_STAGING : SMALL_STAGING;
        this.minBulk = Math.min(config.get(SockTunable.MIN_BULK), staging / 4);
        boolean sums = version.checksumCoversFrame() && config.isOn(SockTunable.ENABLE_CSUM);
        this.checksum = sums ? new FrameChecksum() : null;
        this.checksumFlaw = config.get(SockTunable.INJECT_CSUM_ERROR);
        this.overflow = new TxQueue(config.get(SockTunable.MAX_QUEUED));
        BufferPool buffers = connection.loop().buffers();
        this.filling = new TxBatch(buffers.take(staging), staging / STAGING_PER_FRAME);
        this.writing = new TxBatch(buffers.take(staging), staging / STAGING_PER_FRAME);
        this.progressNanos = clock.nanoTime();
    }

    /** The only place where the state changes. */
    @GuardedBy("lock")
    private void become(State next) {
        assert state.mayBecome(next) : state + " can not become " + next;
        state = next;
    }

    /** Sends a message, at once if nobody else is writing. Any thread, without locks. */
    Sent send(LndMessage message) {
        long limit = message.timeoutNanos();
        synchronized (lock) {
            Sent sent = take(message);
            if (sent != Sent.TAKEN) {
                return sent;
            }
            noteLimit(limit);
            if (!own(version.messageHeadBytes() + message.payloadLength())) {
                return Sent.TAKEN;
            }
        }
        drain(DIRECT_ROUNDS);
        return Sent.TAKEN;
    }

    /** Frames a message, or lets it wait behind others. */
    @GuardedBy("lock")
    private Sent take(LndMessage message) {
        if (closed) {
            return Sent.CLOSED;
        }
        Framed framed = overflow.isEmpty() && acks.isEmpty() ? frame(message) : Framed.NO_ROOM;
        return switch (framed) {
            case DONE -> Sent.TAKEN;
            case NO_ROOM -> overflow.offer(message) ? Sent.TAKEN : Sent.FULL;
            case UNREADABLE -> Sent.UNREADABLE;
        };
    }

    /**
     * Sends the messages that an array begins with, until one is not taken: why, {@link #send} tells. Any thread,
     * without locks.
     *
     * @return how many were taken
     */
    int sendAll(@Nullable LndMessage[] messages, int count) {
        int taken = 0;
        synchronized (lock) {
            int bytes = 0;
            long shortest = 0;
            while (taken < count) {
                LndMessage message = messages[taken];
                if (message == null || !takes(message)) {
                    break;
                }
                long limit = message.timeoutNanos();
                shortest = limit > 0 && (shortest == 0 || limit < shortest) ? limit : shortest;
                bytes += version.messageHeadBytes() + message.payloadLength();
                taken++;
            }
            if (taken == 0) {
                return 0;
            }
            noteLimit(shortest);
            if (!own(bytes)) {
                return taken;
            }
        }
        drain(DIRECT_ROUNDS);
        return taken;
    }

    @GuardedBy("lock")
    private boolean takes(LndMessage message) {
        try {
            return take(message) == Sent.TAKEN;
        } catch (RuntimeException e) {
            // Those before it have been taken: the one who sends it alone is told.
            return false;
        }
    }

    /**
     * Sends a frame that acknowledges a zero-copy request or keeps the connection alive; false if the connection is
     * closed, or has too many acknowledgements to send.
     */
    boolean sendNoop(long cookie1) {
        synchronized (lock) {
            if (closed) {
                return false;
            }
            if (acks.isEmpty() && filling.hasRoom(FrameHeader.BYTES)) {
                filling.addNoop(0, cookie1, checksum, checksumFlaw);
            } else if (!acks.offer(cookie1)) {
                return false;
            }
            if (!own(FrameHeader.BYTES)) {
                return true;
            }
        }
        drain(DIRECT_ROUNDS);
        return true;
    }

    /** Takes note of a message's own limit, ns, or 0: it holds until everything queued has left. */
    @GuardedBy("lock")
    private void noteLimit(long limit) {
        long before = queuedBytes.get() == sentBytes ? Long.MAX_VALUE : shortestNanos;
        long shortest = limit > 0 ? Math.min(before, limit) : before;
        if (shortest != shortestNanos) {
            shortestNanos = shortest;
        }
    }

    /** Counts the bytes and decides who writes them; true if it is the caller. */
    @GuardedBy("lock")
    private boolean own(int bytes) {
        long queued = queuedBytes.get();
        boolean idle = queued == sentBytes;
        if (state != State.IDLE && !idle) {
            // In a burst, the usual case: the clock would be a good part of what a message costs.
            queuedBytes.setRelease(queued + bytes);
            return false;
        }
        long now = clock.nanoTime();
        if (idle) {
            progressNanos = now;
        }
        queuedBytes.setRelease(queued + bytes);
        if (state != State.IDLE) {
            return false;
        }
        if (connection.cork()) {
            become(State.HANDED);
            return false;
        }
        long readEvents = connection.readEvents();
        burst = now - lastWriteNanos < BURST_GAP_NANOS && readEvents == lastReadEvents ? burst + 1 : 0;
        lastReadEvents = readEvents;
        if (burst >= BURST_WRITES) {
            become(State.HANDED);
            connection.handWriting();
            return false;
        }
        become(State.WRITING);
        return true;
    }

    @GuardedBy("lock")
    private Framed frame(LndMessage message) {
        int head = version.messageHeadBytes();
        int payload = message.payloadLength();
        boolean copy = head + payload < minBulk;
        if (!filling.hasRoom(copy ? head + payload : head)) {
            return Framed.NO_ROOM;
        }
        long cookie = connection.awaitsAck(message) ? connection.newCookie(message) : 0;
        try {
            filling.add(message, version, copy, cookie, checksum, checksumFlaw);
            return Framed.DONE;
        } catch (RuntimeException e) {
            if (cookie != 0) {
                connection.forgetCookie(cookie);
            }
            if (e instanceof IllegalStateException || e instanceof WrongThreadException) {
                return Framed.UNREADABLE;
            }
            throw e;
        }
    }

    /** Frames what waits; returns the messages whose memory was freed meanwhile: nothing of them leaves. */
    @GuardedBy("lock")
    private List<LndMessage> refill() {
        while (!acks.isEmpty() && filling.hasRoom(FrameHeader.BYTES)) {
            filling.addNoop(0, acks.poll(), checksum, checksumFlaw);
        }
        List<LndMessage> unreadable = List.of();
        for (LndMessage message = overflow.peek(); message != null; message = overflow.peek()) {
            Framed framed = frame(message);
            if (framed == Framed.NO_ROOM) {
                break;
            }
            if (framed == Framed.UNREADABLE) {
                unreadable = unreadable.isEmpty() ? new ArrayList<>() : unreadable;
                unreadable.add(message);
                queuedBytes.setRelease(queuedBytes.get() - version.messageHeadBytes() - message.payloadLength());
            }
            overflow.poll();
        }
        return unreadable;
    }

    /** Writes what was handed over, or what the socket had no room for. The I/O thread. */
    void resume() {
        synchronized (lock) {
            if (closed || state != State.HANDED && state != State.BLOCKED) {
                return;
            }
            become(State.WRITING);
        }
        drain(LOOP_ROUNDS);
    }

    private void drain(int rounds) {
        try {
            write(rounds);
        } catch (RuntimeException | Error e) {
            // No room for a copy of the payload, or payload whose memory is gone: nobody else would give back.
            try {
                connection.abandon(e);
            } finally {
                end();
            }
        }
    }

    /** Nothing may be added behind what is given back now. The thread that made the state WRITING. */
    private void end() {
        synchronized (lock) {
            // Another thread may be about to do it.
            closed = true;
        }
        giveBack();
    }

    private void write(int rounds) {
        int round = 0;
        while (true) {
            if (recalling) {
                giveBackUnsent();
            }
            if (writing.isEmpty() && !nextBatch(round++ < rounds)) {
                return;
            }
            long bytes;
            try {
                bytes = writing.write(connection.channel());
            } catch (IOException e) {
                connection.broke(e, SocketErrors.healthOfWrite(SocketErrors.of(e)));
                end();
                return;
            }
            if (bytes > 0) {
                long sent = sentBytes;
                sentBytes = sent + bytes;
                progressNanos = clock.nanoTime();
                completeWritten();
            }
            if (writing.isWritten()) {
                writing.clear();
            } else if (bytes == 0 && !block()) {
                return;
            }
        }
    }

    /** Makes the filled batch the one to write; false if the caller is to stop writing. */
    private boolean nextBatch(boolean mayWrite) {
        List<LndMessage> unreadable = List.of();
        boolean ended;
        boolean more = false;
        synchronized (lock) {
            ended = closed;
            if (!ended) {
                unreadable = refill();
                more = takeFilled(mayWrite);
            }
        }
        if (ended) {
            giveBack();
        }
        if (!unreadable.isEmpty()) {
            unreadable.forEach(message -> giveBack(message, Errno.EFAULT, HealthStatus.LOCAL_ERROR));
        }
        return more;
    }

    /** The same, of a connection that is not closed. */
    @GuardedBy("lock")
    private boolean takeFilled(boolean mayWrite) {
        if (filling.isEmpty()) {
            lastWriteNanos = clock.nanoTime();
            // There is nothing to recall; the next message is not meant.
            recalling = false;
            become(State.IDLE);
            return false;
        }
        if (!mayWrite) {
            become(State.HANDED);
            connection.handWriting();
            return false;
        }
        TxBatch full = filling;
        filling = writing;
        writing = full;
        return true;
    }

    /** Leaves the rest to the I/O thread until the socket has room; false if it did. */
    private boolean block() {
        synchronized (lock) {
            if (recalling && !closed) {
                return true;
            }
            if (!closed) {
                become(State.BLOCKED);
                connection.wantWrite();
                return false;
            }
        }
        giveBack();
        return false;
    }

    /**
     * Gives back messages of which no byte has left, so that they can take another path; what has begun stays, and the
     * stream remains whole. Messages that await a zero-copy acknowledgement stay, too. Any thread, without locks.
     */
    void recall() {
        synchronized (lock) {
            if (closed || state == State.IDLE) {
                return;
            }
            recalling = true;
            if (state == State.WRITING) {
                return;
            }
            become(State.WRITING);
        }
        drain(DIRECT_ROUNDS);
    }

    /** The thread that made the state WRITING. */
    private void giveBackUnsent() {
        List<LndMessage> unsent = new ArrayList<>();
        synchronized (lock) {
            recalling = false;
            writing.takeUnsent(unsent);
            filling.takeUnsent(unsent);
            overflow.drainTo(unsent);
            long bytes = 0;
            for (LndMessage message : unsent) {
                bytes += version.messageHeadBytes() + message.payloadLength();
            }
            queuedBytes.setRelease(queuedBytes.get() - bytes);
        }
        if (!writing.isEmpty() && writing.isWritten()) {
            writing.clear();
        }
        for (LndMessage message : unsent) {
            connection.complete(message, Errno.ENETDOWN.status(), HealthStatus.LOCAL_ABORTED);
        }
    }

    /** Completes what is written, a few at a time: what their owners send next uses what is in the cache. */
    private void completeWritten() {
        int told = 0;
        while (writing.hasWritten()) {
            if (told++ == COMPLETED_TOGETHER) {
                connection.flushCompleted();
                told = 1;
            }
            long cookie = writing.nextCookie();
            LndMessage message = writing.take();
            if (cookie != 0) {
                message = left(cookie);
            }
            if (message != null) {
                connection.completeSoon(message);
            }
        }
        connection.flushCompleted();
    }

    /** All of a message with a cookie has left. Returns it if it is complete. */
    private @Nullable LndMessage left(long cookie) {
        LndMessage complete = connection.left(cookie);
        if (complete == null && connection.isClosed()) {
            // Whoever closed it may have looked before this one had left.
            Errno errno;
            HealthStatus health;
            synchronized (lock) {
                errno = closeErrno;
                health = SocketErrors.healthOfUnacknowledged(closeHealth);
            }
            giveBack(connection.forgetCookie(cookie), errno, health);
        }
        return complete;
    }

    /**
     * Is told why it will be closed, before it is.
     *
     * @param health of a message that is on its way
     */
    void noteCause(Errno errno, HealthStatus health) {
        synchronized (lock) {
            closeErrno = errno;
            closeHealth = health;
        }
    }

    /**
     * Takes no more messages and gives back those not sent, at once or when the writing thread notices. Any thread,
     * without locks.
     */
    void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            if (state == State.WRITING) {
                return;
            }
            become(State.WRITING);
        }
        giveBack();
    }

    /** Completes everything unsent with the error of the close; nobody adds to the batches any more. */
    private void giveBack() {
        TxBatch framed;
        List<LndMessage> queued = new ArrayList<>();
        Errno errno;
        HealthStatus begun;
        synchronized (lock) {
            framed = filling;
            overflow.drainTo(queued);
            errno = closeErrno;
            begun = closeHealth;
        }
        HealthStatus unsent = SocketErrors.healthOfUnsent(begun);
        while (writing.hasAny()) {
            HealthStatus health = writing.hasBegunNext() ? begun : unsent;
            giveBackNext(writing, errno, health);
        }
        while (framed.hasAny()) {
            giveBackNext(framed, errno, unsent);
        }
        for (LndMessage message : queued) {
            giveBack(message, errno, unsent);
        }
        // Closed, and nobody writes: neither batch is touched again.
        BufferPool buffers = connection.loop().buffers();
        buffers.giveBack(writing.staging());
        buffers.giveBack(framed.staging());
        finished.countDown();
    }

    private void giveBackNext(TxBatch batch, Errno errno, HealthStatus health) {
        long cookie = batch.nextCookie();
        LndMessage message = batch.take();
        giveBack(cookie == 0 ? message : connection.forgetCookie(cookie), errno, health);
    }

    private void giveBack(@Nullable LndMessage message, Errno errno, HealthStatus health) {
        if (message != null) {
            connection.complete(message, errno.status(), health);
        }
    }

    /** Returns the bytes that the socket did not take yet. */
    long unsentBytes() {
        return queuedBytes.get() - sentBytes;
    }

    /** Returns the bytes that the socket took so far. */
    long sentBytes() {
        return sentBytes;
    }

    /**
     * Tells whether bytes have waited longer than the limit, or than a message's own one, without the socket taking
     * any.
     */
    boolean isStalled(long nowNanos, long limitNanos) {
        return unsentBytes() > 0 && nowNanos - progressNanos > Math.min(limitNanos, shortestNanos);
    }
}
