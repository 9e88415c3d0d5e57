package org.railyard.decode;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.railyard.decode.capture.CaptureBuilder;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.Packets;
import org.railyard.decode.tcp.TcpSegment;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Makes a capture of one connection from A, which opens it, to B. */
final class Conversation {
    static final Nid A = Nid.parse("10.0.0.1@tcp");
    static final Nid B = Nid.parse("10.0.0.2@tcp");

    private static final int RAW_IP = 101;
    private static final long START = 1_700_000_000;

    private final CaptureBuilder file = CaptureBuilder.pcap(LITTLE_ENDIAN, false, RAW_IP);
    private int sequenceA = 1000;
    private int sequenceB = 2000;
    private int packets;

    /** Adds the packets that open a TCP connection. */
    Conversation syn() {
        add(true, TcpSegment.SYN);
        sequenceA++;
        add(false, TcpSegment.SYN | TcpSegment.ACK);
        sequenceB++;
        return this;
    }

    /** Opens the connection, up to both HELLOs. */
    Conversation open() {
        return syn().a(request()).a(hello(ProtocolVersion.V3, true)).b(hello(ProtocolVersion.V3, false));
    }

    /** A sends one segment. */
    Conversation a(byte[]... payload) {
        byte[] all = Packets.join(payload);
        add(true, TcpSegment.ACK, all);
        return skipA(all.length);
    }

    /** B sends one segment. */
    Conversation b(byte[]... payload) {
        byte[] all = Packets.join(payload);
        add(false, TcpSegment.ACK, all);
        sequenceB += all.length;
        return this;
    }

    /** A sends bytes that are not captured. */
    Conversation skipA(int bytes) {
        sequenceA += bytes;
        return this;
    }

    /** Adds a packet that has nothing to do with it. */
    Conversation other(int port) {
        file.record(START, packets++, Packets.fromA(true, 4000, port, 1, TcpSegment.SYN));
        return this;
    }

    private void add(boolean fromA, int flags, byte... payload) {
        file.record(START, packets++, Packets.fromA(fromA, 1023, 988, fromA ? sequenceA : sequenceB, flags, payload));
    }

    byte[] bytes() {
        return file.bytes();
    }

    /** Returns what the decoder says of it, without time, number and direction of A. */
    List<String> decoded() {
        try {
            List<String> complaints = new ArrayList<>();
            CaptureDecoder.Result result = CaptureDecoder.decode(
                    MemorySegment.ofArray(bytes()),
                    Set.of(988),
                    ElementFilter.all(),
                    new CaptureProblems(complaints::add));
            List<String> lines = new ArrayList<>(complaints);
            for (Element element : result.elements()) {
                lines.add((element.fromInitiator() ? "" : "< ") + ElementText.of(element));
                if (element.body() instanceof Element.Message message) {
                    String ping = ElementText.pingInfo(message);
                    if (ping != null) {
                        lines.add(ping);
                    }
                }
            }
            return lines;
        } catch (NotACaptureException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] request() {
        ConnectionRequest request = ConnectionRequest.to(B);
        byte[] bytes = new byte[request.bytes()];
        request.write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    static byte[] hello(ProtocolVersion version, boolean fromA) {
        Hello hello = Hello.of(version, fromA ? A : B, fromA ? B : A, 12345, 0, 7, 0, ConnectionType.CONTROL);
        byte[] bytes = new byte[hello.bytes()];
        hello.write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    static byte[] noop(long cookie0, long cookie1) {
        byte[] bytes = new byte[FrameHeader.BYTES];
        FrameHeader.write(MemorySegment.ofArray(bytes), 0, FrameHeader.NOOP, cookie0, cookie1);
        return bytes;
    }

    /** Returns the headers of a PUT from A to portal 5. */
    static byte[] put(ProtocolVersion version, int payloadLength) {
        LNetHeader header = new LNetHeader();
        header.setRoute(B, 12345, A, 12345);
        header.setPut(payloadLength, -1, -1, 5, 0x77, 0, 0);
        return frame(version, header);
    }

    /** Returns the headers of a ping reply from A. */
    static byte[] reply(ProtocolVersion version, int payloadLength) {
        LNetHeader header = new LNetHeader();
        header.setRoute(B, 12345, A, 12345);
        header.setReply(payloadLength, 1, 2);
        return frame(version, header);
    }

    private static byte[] frame(ProtocolVersion version, LNetHeader header) {
        byte[] bytes = new byte[version.messageHeadBytes()];
        MemorySegment out = MemorySegment.ofArray(bytes);
        if (version.hasFrameHeader()) {
            FrameHeader.write(out, 0, FrameHeader.LNET, 0, 0);
        }
        header.write(out, bytes.length - version.lnetHeaderBytes(), version.largeNids());
        return bytes;
    }
}
