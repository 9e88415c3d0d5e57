package org.railyard.decode;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.decode.Element.Checksum;
import org.railyard.decode.tcp.StreamListener;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.tcp.TcpSegment;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.FrameChecksum;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.Magic;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * Takes one direction of a connection apart: connection request, HELLO, then frames (spec 02 §1). Not thread-safe.
 *
 * <p>What cannot be decoded is shown once, and the rest of the stream is passed over. Behind a gap, and in a connection
 * whose start the capture lacks, the start of a frame is looked for at the start of each segment.
 */
final class StreamDecoder implements StreamListener {
    /** Most bytes shown of what cannot be decoded. */
    static final int MAX_RAW = 96;

    private enum State {
        REQUEST,
        HELLO,
        FRAME,
        PAYLOAD,
        /** Looking for the start of something known. */
        SEARCH,
        /** Nothing more is expected to be understood. */
        LOST
    }

    private final TcpConnection connection;
    private final boolean fromInitiator;
    private final ElementSink sink;
    private final Accumulator head = new Accumulator();

    private State state;
    private @Nullable ProtocolVersion version;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private @Nullable PayloadReader payload;

    /** Where the element in {@link #head} started. */
    private long startOffset;

    private long startPacket;
    private long startTime;
    private long passedOver;

    StreamDecoder(TcpConnection connection, boolean fromInitiator, ElementSink sink) {
        this.connection = connection;
        this.fromInitiator = fromInitiator;
        this.sink = sink;
        this.state = !connection.complete() ? State.SEARCH : fromInitiator ? State.REQUEST : State.HELLO;
    }

    @Override
    public void data(long offset, MemorySegment bytes, TcpSegment segment, boolean segmentStart) {
        if (state == State.SEARCH && !(segmentStart && resume(offset, bytes, segment))) {
            if (passedOver == 0) {
                start(offset, segment);
            }
            passedOver += bytes.byteSize();
            return;
        }
        long at = 0;
        while (at < bytes.byteSize() && state != State.LOST) {
            if (state == State.PAYLOAD && payload != null) {
                at += payload.take(bytes, at);
                finishPayload(payload);
                continue;
            }
            if (head.size() == 0) {
                start(offset + at, segment);
            }
            try {
                at = readHead(bytes, at);
            } catch (WireFormatException e) {
                lose(e, bytes, startOffset + head.size() - offset);
            }
        }
    }

    @Override
    public void gap(long offset, long length, TcpSegment noticed) {
        emitAt(noticed, offset, new Element.Gap(length));
        if (state == State.LOST) {
            return;
        }
        long left = length;
        if (state == State.PAYLOAD && payload != null) {
            left -= payload.skip(length);
            finishPayload(payload);
        }
        if (left > 0) {
            finishCutShort("the gap");
            state = State.SEARCH;
            passedOver = 0;
        }
    }

    @Override
    public void end() {
        if (state == State.PAYLOAD && payload != null) {
            emit(payload.finish());
        } else if (state == State.SEARCH && passedOver > 0) {
            emit(new Element.Undecodable("no start of a frame recognised in " + passedOver + " bytes", ""));
        } else if (state != State.LOST) {
            finishCutShort("the end of the stream");
        }
        state = State.LOST;
    }

    private void start(long offset, TcpSegment segment) {
        startOffset = offset;
        startPacket = segment.packet();
        startTime = segment.time();
    }

    /**
     * Takes what the element at hand still needs and, when all is there, emits it. Returns where it came to in the
     * chunk.
     */
    private long readHead(MemorySegment bytes, long at) throws WireFormatException {
        long position = at;
        int needed = bytesNeeded();
        while (true) {
            position += head.fill(bytes, position, needed);
            if (head.size() < needed) {
                return position;
            }
            int more = bytesNeeded();
            if (more == needed) {
                break;
            }
            needed = more;
        }
        switch (state) {
            case REQUEST -> readRequest();
            case HELLO -> readHello();
            case FRAME -> readFrame();
            case PAYLOAD, SEARCH, LOST -> throw new IllegalStateException(state.toString());
        }
        return position;
    }

    /** Returns how many bytes the element at hand has, as far as the bytes that are there tell. */
    private int bytesNeeded() throws WireFormatException {
        return switch (state) {
            case REQUEST -> requestBytes();
            case HELLO -> helloBytes();
            case FRAME -> frameBytes();
            case PAYLOAD, SEARCH, LOST -> throw new IllegalStateException(state.toString());
        };
    }

    private int requestBytes() {
        if (head.size() < ConnectionRequest.PREFIX_BYTES) {
            return ConnectionRequest.PREFIX_BYTES;
        }
        ByteOrder found = Magic.orderOf(Magic.read(head.view(), 0), Magic.ACCEPTOR);
        int bytes = found == null ? 0 : ConnectionRequest.bytes(ConnectionRequest.versionAt(head.view(), 0, found));
        // What is no request is refused by its reader, which also says why.
        return bytes == 0 ? ConnectionRequest.PREFIX_BYTES : bytes;
    }

    private int helloBytes() throws WireFormatException {
        if (head.size() < Hello.PREFIX_BYTES) {
            return Hello.PREFIX_BYTES;
        }
        MemorySegment view = head.view();
        if (isRequestMagic(view)) {
            return requestBytes();
        }
        ProtocolVersion found = Hello.versionAt(view, 0);
        if (found == null) {
            return Hello.PREFIX_BYTES;
        }
        return head.size() < found.helloBytes()
                ? found.helloBytes()
                : Hello.bytesAt(view, 0, found, Hello.orderAt(view, 0));
    }

    private int frameBytes() throws WireFormatException {
        ProtocolVersion spoken = spoken();
        if (!spoken.hasFrameHeader()) {
            return spoken.messageHeadBytes();
        }
        if (head.size() < FrameHeader.BYTES) {
            return FrameHeader.BYTES;
        }
        return readFrameHeader().type() == FrameHeader.NOOP ? FrameHeader.BYTES : spoken.messageHeadBytes();
    }

    private ProtocolVersion spoken() {
        if (version == null) {
            throw new IllegalStateException("frames before a version");
        }
        return version;
    }

    private FrameHeader readFrameHeader() throws WireFormatException {
        FrameHeader frame = new FrameHeader();
        frame.read(head.view(), 0, order);
        return frame;
    }

    private static boolean isRequestMagic(MemorySegment bytes) {
        return Magic.orderOf(Magic.read(bytes, 0), Magic.ACCEPTOR) != null;
    }

    private void readRequest() throws WireFormatException {
        emit(new Element.Request(ConnectionRequest.read(head.view(), 0)));
        nextElement(State.HELLO);
    }

    private void readHello() throws WireFormatException {
        // An acceptor that refuses answers in the form of a request.
        if (!fromInitiator && isRequestMagic(head.view())) {
            readRequest();
            return;
        }
        Hello hello = Hello.read(head.view(), 0);
        version = hello.version();
        order = hello.order();
        emit(new Element.Greeting(hello));
        nextElement(State.FRAME);
    }

    private void readFrame() throws WireFormatException {
        ProtocolVersion spoken = spoken();
        FrameHeader frame = spoken.hasFrameHeader() ? readFrameHeader() : null;
        if (frame != null && frame.type() == FrameHeader.NOOP) {
            emit(new Element.Noop(frame, spoken, checksumOfNoop(frame, spoken)));
            nextElement(State.FRAME);
            return;
        }
        LNetHeader header = new LNetHeader();
        header.read(head.view(), frame == null ? 0 : FrameHeader.BYTES, spoken.largeNids());
        payload = new PayloadReader(frame, spoken, header, head.view());
        state = State.PAYLOAD;
        finishPayload(payload);
    }

    private Checksum checksumOfNoop(FrameHeader frame, ProtocolVersion spoken) {
        if (frame.checksum() == 0) {
            return Checksum.NONE;
        }
        FrameChecksum sum = new FrameChecksum();
        if (spoken.checksumCoversFrame()) {
            sum.addFrameHeader(head.view(), 0);
        }
        return Checksum.of(frame.checksum(), sum.value());
    }

    private void finishPayload(PayloadReader reader) {
        if (reader.isComplete()) {
            emit(reader.finish());
            payload = null;
            nextElement(State.FRAME);
        }
    }

    private void nextElement(State next) {
        head.clear();
        state = next;
    }

    /** Tries to understand the start of a segment; true if that gave a state to go on from. */
    private boolean resume(long offset, MemorySegment bytes, TcpSegment segment) {
        State found = null;
        if (bytes.byteSize() >= Magic.BYTES && isRequestMagic(bytes)) {
            found = fromInitiator ? State.REQUEST : State.HELLO;
        } else if (isHello(bytes)) {
            found = State.HELLO;
        } else {
            ProtocolVersion guess = FrameGuess.versionOf(bytes, version, order);
            if (guess != null) {
                version = guess;
                found = State.FRAME;
            }
        }
        if (found == null) {
            return false;
        }
        emitAt(segment, offset, new Element.Resumed(passedOver));
        passedOver = 0;
        state = found;
        return true;
    }

    private static boolean isHello(MemorySegment bytes) {
        try {
            return bytes.byteSize() >= Hello.PREFIX_BYTES && Hello.versionAt(bytes, 0) != null;
        } catch (WireFormatException e) {
            return false;
        }
    }

    private void lose(WireFormatException reason, MemorySegment chunk, long read) {
        head.fill(chunk, read, MAX_RAW);
        emit(new Element.Undecodable(String.valueOf(reason.getMessage()), rawHead()));
        nextElement(State.LOST);
    }

    private void finishCutShort(String where) {
        if (head.size() > 0) {
            String what = switch (state) {
                case REQUEST -> "a connection request";
                case HELLO -> "a hello";
                default -> "a frame";
            };
            emit(new Element.Undecodable(
                    what + " is cut short by " + where + ": " + head.size() + " bytes found", rawHead()));
            head.clear();
        }
    }

    private String rawHead() {
        return HexFormat.of().formatHex(head.toArray(), 0, Math.min(head.size(), MAX_RAW));
    }

    private void emit(Element.Body body) {
        sink.add(new Element(startPacket, startTime, connection.number(), fromInitiator, startOffset, body));
    }

    private void emitAt(TcpSegment segment, long offset, Element.Body body) {
        sink.add(new Element(segment.packet(), segment.time(), connection.number(), fromInitiator, offset, body));
    }
}
