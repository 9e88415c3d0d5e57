package org.railyard.socklnd.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * The receiving half of a connection: takes the stream apart into frames and puts payloads where the stack says (spec
 * 02 §6.2). Heads go through a buffer, on connections for small messages many at a time; payload that is not in the
 * buffer yet is read straight into its target, together with the next head. Runs on the I/O thread, except {@link
 * #receive}.
 *
 * <pre>
 * Gate      may become  when
 * HEAD      PARSING     a head is complete; the stack is asked
 * PARSING   PAYLOAD     the stack says where the payload goes, while it is asked
 * PARSING   PAUSED      the stack returned without saying so
 * PAUSED    PAYLOAD     the stack says so later, on any thread
 * PAYLOAD   HEAD        the payload is complete
 * all       CLOSED      the connection ends
 * </pre>
 */
final class FrameReader implements LndReceiver {
    /** Buffer on connections for small messages, bytes. */
    static final int SMALL_BUFFER = 64 * 1024;

    /** Reads in a row before other connections are served. */
    private static final int MAX_ROUNDS = 16;

    // Values of the gate.
    private static final int HEAD = 0;
    private static final int PARSING = 1;
    private static final int PAYLOAD = 2;
    private static final int PAUSED = 3;
    private static final int CLOSED = 4;

    private final Connection connection;
    private final ProtocolVersion version;
    private final int headBytes;
    private final ByteBuffer buffer;
    private final MemorySegment memory;
    private final FrameHeader frame = new FrameHeader();
    private final LNetHeader header = new LNetHeader();
    private final FrameChecksum checksum = new FrameChecksum();
    private final AtomicInteger gate = new AtomicInteger(HEAD);
    private final CountDownLatch finished;

    /** The unread bytes of the buffer. */
    private int from;

    private int to;

    /** How many buffers the read under way uses. */
    private int parts;

    private final PayloadTarget target = new PayloadTarget();
    private volatile boolean midFrame;

    FrameReader(Connection connection, ByteBuffer buffer, CountDownLatch finished) {
        this.connection = connection;
        this.version = connection.version();
        this.headBytes = version.messageHeadBytes();
        this.buffer = buffer;
        this.memory = MemorySegment.ofBuffer(buffer);
        this.finished = finished;
    }

    /**
     * Returns the buffer that a reader needs, bytes: one head where payloads are to be read straight into their
     * targets.
     */
    static int bufferBytes(ProtocolVersion version, boolean bulk) {
        return bulk ? version.messageHeadBytes() : SMALL_BUFFER;
    }

    /**
     * Reads what is there.
     *
     * @return false if the peer closed the stream
     * @throws WireFormatException if a frame breaks the rules
     */
    boolean read() throws IOException, WireFormatException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            int now = parseWhatIsDecided();
            if (now == PAUSED || now == CLOSED) {
                return true;
            }
            long asked = prepare();
            long bytes = parts == 1
                    ? readOne()
                    : connection.channel().read(connection.loop().vector(), 0, parts);
            release();
            if (bytes < 0) {
                return false;
            }
            if (bytes == 0) {
                return true;
            }
            account(bytes);
            connection.noteRead();
            parse();
            if (bytes < asked) {
                return true;
            }
        }
        return true;
    }

    /**
     * Processes the bytes that are in the buffer while the stack says where they go: on another thread just now, or
     * when it was told of the messages before. Returns where the gate stands: with {@link #PAYLOAD} the buffer is
     * empty.
     */
    private int parseWhatIsDecided() throws WireFormatException {
        int now = gate.get();
        while (now == PAYLOAD && (from < to || target.isComplete())) {
            parse();
            now = gate.get();
        }
        return now;
    }

    private int readOne() throws IOException {
        ByteBuffer only = connection.loop().vector()[0];
        return only == null ? 0 : connection.channel().read(only);
    }

    /** Lists the memory for one read in stream order: rest of the payload, then buffer. Returns its bytes. */
    private long prepare() {
        @Nullable ByteBuffer[] vector = connection.loop().vector();
        if (gate.get() != PAYLOAD) {
            makeRoom();
            vector[0] = buffer;
            parts = 1;
            return buffer.remaining();
        }
        from = 0;
        to = 0;
        parts = target.list(vector, connection.loop().scratch());
        if (parts >= 0) {
            buffer.clear();
            vector[parts++] = buffer;
        } else {
            parts = -1 - parts;
        }
        long asked = 0;
        for (int i = 0; i < parts; i++) {
            ByteBuffer part = vector[i];
            asked += part == null ? 0 : part.remaining();
        }
        return asked;
    }

    private void makeRoom() {
        if (from == to) {
            from = 0;
            to = 0;
        } else if (from > 0) {
            MemorySegment.copy(memory, from, memory, 0, to - from);
            to -= from;
            from = 0;
        }
        buffer.limit(buffer.capacity()).position(to);
    }

    /** Releases the buffers of others. */
    private void release() {
        @Nullable ByteBuffer[] vector = connection.loop().vector();
        for (int i = 0; i < parts; i++) {
            vector[i] = null;
        }
    }

    private void account(long bytes) {
        to += (int) (gate.get() == PAYLOAD ? target.account(bytes) : bytes);
    }

    /**
     * Processes what is in the buffer, until more is needed or the stack wants to wait. The messages that are complete
     * then are told to the stack together.
     */
    private void parse() throws WireFormatException {
        try {
            parseFrames();
        } finally {
            connection.flushCompleted();
        }
    }

    private void parseFrames() throws WireFormatException {
        while (true) {
            switch (gate.get()) {
                case HEAD -> {
                    if (!parseHead()) {
                        midFrame = from < to;
                        return;
                    }
                }
                case PAYLOAD -> {
                    from += target.take(buffer, from, to);
                    if (!target.isComplete()) {
                        midFrame = true;
                        return;
                    }
                    finishMessage();
                }
                default -> {
                    midFrame = false;
                    return;
                }
            }
        }
    }

    /** Makes a transition of the table that threads may race for; false if the gate stands elsewhere. Any thread. */
    private boolean pass(int from, int next) {
        assert switch (from) {
                    case PARSING -> next == PAYLOAD || next == PAUSED;
                    case PAUSED -> next == PAYLOAD;
                    default -> false;
                }
                : "gate " + from + " can not become " + next;
        return gate.compareAndSet(from, next);
    }

    /**
     * Makes a transition of the table that nobody races for, since only the I/O thread leaves that state, or it is the
     * one that the stack says so on; what other threads see they see through the stack. False if the gate stands
     * elsewhere.
     */
    private boolean step(int from, int next) {
        assert from == HEAD && next == PARSING || from == PARSING && next == PAYLOAD || from == PAYLOAD && next == HEAD
                : "gate " + from + " can not become " + next;
        if (gate.get() != from) {
            return false;
        }
        gate.setRelease(next);
        return true;
    }

    private boolean parseHead() throws WireFormatException {
        int at = from;
        if (version.hasFrameHeader()) {
            if (to - from < FrameHeader.BYTES) {
                return false;
            }
            frame.read(memory, from, connection.order());
            if (frame.type() == FrameHeader.NOOP) {
                from += FrameHeader.BYTES;
                receiveNoop(at);
                return true;
            }
            at += FrameHeader.BYTES;
        }
        if (to - from < headBytes) {
            return false;
        }
        header.read(memory, at, version.largeNids());
        checkLength();
        startChecksum(at);
        from += headBytes;
        if (frame.cookie1() != 0) {
            connection.acknowledged(frame);
        }
        if (!step(HEAD, PARSING)) {
            // The receiver of the acknowledgement has closed the connection.
            return false;
        }
        int status = connection.parse(header, this);
        if (status < 0) {
            throw new WireFormatException(header.type() + " from " + header.srcNid() + " to " + header.destNid()
                    + " was refused (" + Errno.describe(status) + "), expected a message for this NI");
        }
        if (gate.get() == PARSING) {
            pass(PARSING, PAUSED);
        }
        return true;
    }

    private void receiveNoop(int at) throws WireFormatException {
        if (frame.checksum() != 0) {
            checksum.reset();
            checksum.addFrameHeader(memory, at);
            verifyChecksum();
        }
        if (frame.cookie1() != 0) {
            connection.acknowledged(frame);
        }
    }

    private void checkLength() throws WireFormatException {
        int length = header.payloadLength();
        MessageType type = header.type();
        int limit = type == MessageType.PUT || type == MessageType.REPLY ? Wire.MTU : 0;
        if (type == MessageType.HELLO) {
            throw new WireFormatException("LNet message type is 4 HELLO, expected 0 ACK, 1 PUT, 2 GET or 3 REPLY");
        }
        if (length < 0 || length > limit) {
            throw new WireFormatException(type + " has a payload of " + Integer.toUnsignedString(length)
                    + " bytes, expected at most " + limit);
        }
    }

    private void startChecksum(int at) throws WireFormatException {
        if (frame.checksum() == 0) {
            return;
        }
        checksum.reset();
        if (version.checksumCoversFrame()) {
            checksum.addFrameHeader(memory, from);
            checksum.add(memory, at, version.lnetHeaderBytes());
        }
        if (header.payloadLength() == 0) {
            verifyChecksum();
        }
    }

    private void verifyChecksum() throws WireFormatException {
        if (checksum.value() != frame.checksum()) {
            throw new WireFormatException("checksum is 0x" + Integer.toHexString(frame.checksum()) + ", expected 0x"
                    + Integer.toHexString(checksum.value()));
        }
    }

    /** Called by the stack, during parse or later, from any thread. */
    @Override
    public void receive(@Nullable LndMessage message, int mlen, int rlen) {
        if (rlen != header.payloadLength() || mlen < 0 || mlen > rlen || message == null && mlen != 0) {
            throw new IllegalArgumentException(
                    "receive of " + mlen + " bytes out of " + rlen + ", the header says " + header.payloadLength());
        }
        int now = gate.get();
        if (now != CLOSED) {
            target.aim(message, mlen, rlen, frame.checksum() != 0);
            // Only an abort can come between, on another thread than this; it takes the message if it sees it.
            if (connection.loop().isCurrent() ? step(PARSING, PAYLOAD) : pass(PARSING, PAYLOAD)) {
                return;
            }
            if (pass(PAUSED, PAYLOAD)) {
                connection.resumeReading();
                return;
            }
        }
        if (message != null) {
            connection.complete(message, Errno.ECONNABORTED.status(), HealthStatus.REMOTE_ERROR);
        }
    }

    private void finishMessage() throws WireFormatException {
        if (target.isRemembered()) {
            target.addTo(checksum);
            verifyChecksum();
        }
        if (!step(PAYLOAD, HEAD)) {
            return;
        }
        LndMessage message = target.release();
        if (version.hasFrameHeader() && frame.cookie0() != 0) {
            connection.sendAck(frame.cookie0());
        }
        if (message != null) {
            connection.completeSoon(message);
        }
    }

    /** Goes on after the stack decided: processes the buffer; false if it has to wait again. */
    boolean resume() throws WireFormatException {
        parse();
        return gate.get() != PAUSED && gate.get() != CLOSED;
    }

    /** Tells whether the stack has not decided yet what to do with a payload. */
    boolean isPaused() {
        return gate.get() == PAUSED;
    }

    /** Tells whether a frame has begun and its end has not arrived. Any thread. */
    boolean isMidFrame() {
        return midFrame;
    }

    /** Ends: gives back the message being received. The I/O thread. */
    void abort(Errno errno) {
        int before = gate.getAndSet(CLOSED);
        if (before == CLOSED) {
            return;
        }
        if (before == PAYLOAD) {
            LndMessage message = target.release();
            if (message != null) {
                connection.complete(message, errno.status(), HealthStatus.REMOTE_ERROR);
            }
        }
        // Later: calls further up on this thread's stack may still look into the buffer.
        connection.loop().execute(() -> connection.loop().buffers().giveBack(buffer));
        finished.countDown();
    }
}
