package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.decode.capture.CaptureBytes;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.CaptureReader;
import org.railyard.decode.capture.CapturedPacket;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.ConnectionListener;
import org.railyard.decode.tcp.PacketParser;
import org.railyard.decode.tcp.StreamListener;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.tcp.TcpSegment;
import org.railyard.decode.tcp.TcpTracker;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;

/** Every structure in every capture, written again by the wire classes, is what the kernel wrote. */
class GoldenBytesTest {
    /** A kernel's answer to a big-endian HELLO: it names a NID whose first byte is not 0, which no NID has. */
    private static final String GARBLED_NID = "00000200@<0:25354>";

    private final List<String> complaints = new ArrayList<>();
    private final Map<String, ByteArrayOutputStream> streams = new HashMap<>();

    private CaptureDecoder.Result decode(String name) throws NotACaptureException {
        CaptureProblems problems = new CaptureProblems(complaints::add);
        CaptureReader reader = CaptureReader.open(CaptureBytes.of(GoldenCaptures.segment(name)), problems);
        PacketParser parser = new PacketParser(problems);
        TcpTracker tracker = new TcpTracker(Set.of(988), new Recorder(), problems);
        for (CapturedPacket packet = reader.next(); packet != null; packet = reader.next()) {
            TcpSegment segment = parser.parse(packet);
            if (segment != null) {
                tracker.add(segment);
            }
        }
        tracker.end();
        return CaptureDecoder.decode(GoldenCaptures.segment(name), Set.of(988), ElementFilter.all(), problems);
    }

    private static String key(int connection, boolean fromInitiator) {
        return connection + (fromInitiator ? ">" : "<");
    }

    /** Keeps the streams as they are. */
    private final class Recorder implements ConnectionListener {
        @Override
        public Listeners opened(TcpConnection connection) {
            return new Listeners(record(key(connection.number(), true)), record(key(connection.number(), false)));
        }

        @Override
        public void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment) {}

        private StreamListener record(String key) {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            streams.put(key, stream);
            return new StreamListener() {
                @Override
                public void data(long offset, MemorySegment bytes, TcpSegment segment, boolean segmentStart) {
                    stream.writeBytes(bytes.toArray(ValueLayout.JAVA_BYTE));
                }

                @Override
                public void gap(long offset, long length, TcpSegment noticed) {
                    complaints.add("gap at " + offset);
                }

                @Override
                public void end() {}
            };
        }
    }

    static List<String> names() {
        return GoldenCaptures.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void isWrittenByteForByte(String name) throws NotACaptureException {
        CaptureDecoder.Result result = decode(name);
        assertThat(complaints).isEmpty();
        int written = 0;
        for (Element element : result.elements()) {
            byte[] again = encode(element.body());
            if (again != null) {
                byte[] stream = stream(element);
                int at = (int) element.offset();
                assertThat(again)
                        .as("%s", ElementText.of(element))
                        .isEqualTo(Arrays.copyOfRange(stream, at, at + again.length));
                written++;
            }
        }
        assertThat(written).isGreaterThan(9);
    }

    private byte[] stream(Element element) {
        return Objects.requireNonNull(streams.get(key(element.connection(), element.fromInitiator())))
                .toByteArray();
    }

    /** Returns an element as the wire classes write it, or null if it is nothing that they write. */
    private static byte @Nullable [] encode(Element.Body body) {
        return switch (body) {
            case Element.Request(ConnectionRequest request) -> {
                byte[] bytes = new byte[request.bytes()];
                request.write(MemorySegment.ofArray(bytes), 0);
                yield bytes;
            }
            case Element.Greeting(Hello hello) -> {
                if (hello.dstNid().toString().equals(GARBLED_NID)) {
                    yield null;
                }
                byte[] bytes = new byte[hello.bytes()];
                hello.write(MemorySegment.ofArray(bytes), 0);
                yield bytes;
            }
            case Element.Noop noop -> {
                byte[] bytes = new byte[FrameHeader.BYTES];
                noop.frame().write(MemorySegment.ofArray(bytes), 0);
                yield bytes;
            }
            case Element.Message message -> encode(message);
            case Element.Tcp _, Element.Undecodable _, Element.Gap _, Element.Resumed _ -> null;
        };
    }

    private static byte[] encode(Element.Message message) {
        boolean large = message.version().largeNids();
        FrameHeader frame = message.frame();
        int frameBytes = frame == null ? 0 : FrameHeader.BYTES;
        int headBytes = frameBytes + LNetHeader.bytes(large);
        byte[] bytes = new byte
                [headBytes + (message.ping() == null ? 0 : message.ping().bytes())];
        MemorySegment out = MemorySegment.ofArray(bytes);
        if (frame != null) {
            frame.write(out, 0);
        }
        message.header().write(out, frameBytes, large);
        if (message.ping() != null) {
            message.ping().write(out, headBytes);
        }
        return bytes;
    }

    @Test
    void coversEveryKindOfElement() throws NotACaptureException {
        int hellos = 0;
        int pings = 0;
        int noops = 0;
        for (String name : GoldenCaptures.NAMES) {
            for (Element element : CaptureDecoder.decode(
                            GoldenCaptures.segment(name),
                            Set.of(988),
                            ElementFilter.all(),
                            new CaptureProblems(complaints::add))
                    .elements()) {
                hellos += element.body() instanceof Element.Greeting ? 1 : 0;
                noops += element.body() instanceof Element.Noop ? 1 : 0;
                pings += element.body() instanceof Element.Message m && m.ping() != null ? 1 : 0;
            }
        }
        assertThat(hellos).isGreaterThan(250);
        assertThat(noops).isGreaterThan(15);
        assertThat(pings).isGreaterThan(100);
    }
}
