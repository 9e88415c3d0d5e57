package org.railyard.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.decode.Tshark.Found;
import org.railyard.decode.capture.CaptureBuilder;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.tcp.Packets;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.wireshark.Dissector;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.o2iblnd.wire.RejectReason;
import org.railyard.o2iblnd.wire.RejectRecord;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.NeedsCommand;

/** Wireshark's dissector, made of our layouts, shows in captures what {@code railyard decode} shows. */
@NeedsCommand("tshark")
final class DissectorTest {
    private static final int RAW_IP = 101;
    private static final int ROCE_PORT = 4791;
    private static final Nid LEFT = Nid.parse("10.0.0.1@tcp");
    private static final Nid RIGHT = Nid.parse("10.0.0.2@tcp");

    @TempDir
    private Path folder = Path.of("");

    private Path dissector = Path.of("");

    @BeforeEach
    void writeDissector() throws IOException {
        dissector = folder.resolve("railyard.lua");
        Files.writeString(dissector, Dissector.text());
    }

    private Path capture(byte[] bytes) throws IOException {
        Path file = folder.resolve("capture.pcap");
        Files.write(file, bytes);
        return file;
    }

    static List<String> wellBehaved() {
        return GoldenFactsTest.wellBehaved().toList();
    }

    @ParameterizedTest
    @MethodSource("wellBehaved")
    void showsWhatKernelsSaidAsWeDo(String name) throws Exception {
        CaptureDecoder.Result result = CaptureDecoder.decode(
                GoldenCaptures.segment(name), Set.of(988), ElementFilter.all(), new CaptureProblems(line -> {
                    throw new AssertionError(line);
                }));
        Map<String, List<Map<String, List<String>>>> ours = new TreeMap<>();
        for (Element element : result.elements()) {
            Map<String, List<String>> facts = facts(element.body());
            if (!facts.isEmpty()) {
                ours.computeIfAbsent(stream(element, result.connections()), key -> new ArrayList<>())
                        .add(facts);
            }
        }
        Map<String, List<Found>> theirs = new TreeMap<>();
        for (Found found : Tshark.read(dissector, capture(GoldenCaptures.pcap(name)))) {
            assertThat(found.notes()).isEmpty();
            theirs.computeIfAbsent(found.stream(), key -> new ArrayList<>()).add(found);
        }
        assertThat(theirs.keySet()).isEqualTo(ours.keySet());
        ours.forEach((stream, elements) -> {
            List<Found> found = Objects.requireNonNull(theirs.get(stream));
            assertThat(found).as(stream).hasSameSizeAs(elements);
            for (int i = 0; i < elements.size(); i++) {
                assertThat(found.get(i).fields()).as("%s, number %d", stream, i).containsAllEntriesOf(elements.get(i));
            }
        });
    }

    private static String stream(Element element, List<TcpConnection> connections) {
        TcpConnection connection = connections.stream()
                .filter(candidate -> candidate.number() == element.connection())
                .findFirst()
                .orElseThrow();
        String initiator =
                connection.initiator().address() + " " + connection.initiator().port();
        String acceptor =
                connection.acceptor().address() + " " + connection.acceptor().port();
        return element.fromInitiator() ? initiator + " " + acceptor : acceptor + " " + initiator;
    }

    /** Returns the fields that a structure must show. */
    private static Map<String, List<String>> facts(Element.Body body) {
        Map<String, List<String>> facts = new TreeMap<>();
        switch (body) {
            case Element.Request(ConnectionRequest request) -> {
                put(facts, "request.version", request.version());
                put(facts, "request.nid", request.nid());
            }
            case Element.Greeting(Hello hello) -> hello(facts, hello);
            case Element.Noop noop -> frame(facts, noop.frame());
            case Element.Message message -> message(facts, message);
            case Element.Tcp _, Element.Undecodable _, Element.Gap _, Element.Resumed _ -> {}
        }
        return facts;
    }

    private static void put(Map<String, List<String>> facts, String field, Object value) {
        facts.put(field, List.of(value.toString()));
    }

    private static void putWord(Map<String, List<String>> facts, String field, int value) {
        put(facts, field, Integer.toUnsignedString(value));
    }

    private static void putLong(Map<String, List<String>> facts, String field, long value) {
        put(facts, field, Long.toUnsignedString(value));
    }

    private static void hello(Map<String, List<String>> facts, Hello hello) {
        boolean first = hello.version() == ProtocolVersion.V1;
        put(facts, "hello.version", hello.version().number());
        put(facts, "hello.src_nid", hello.srcNid());
        putWord(facts, "hello.src_pid", hello.srcPid());
        putWord(facts, first ? "hello.dest_pid" : "hello.dst_pid", hello.dstPid());
        putLong(facts, first ? "hello.incarnation" : "hello.src_incarnation", hello.srcIncarnation());
        putWord(facts, "hello.ctype", hello.typeNumber());
        if (!first) {
            put(facts, "hello.dst_nid", hello.dstNid());
            putLong(facts, "hello.dst_incarnation", hello.dstIncarnation());
            put(facts, "hello.nips", hello.ips().size());
        }
    }

    private static void frame(Map<String, List<String>> facts, FrameHeader frame) {
        put(facts, "frame.type", frame.type());
        putWord(facts, "frame.csum", frame.checksum());
        putLong(facts, "frame.cookie0", frame.cookie0());
        putLong(facts, "frame.cookie1", frame.cookie1());
    }

    private static void message(Map<String, List<String>> facts, Element.Message message) {
        LNetHeader header = message.header();
        if (message.frame() != null) {
            frame(facts, message.frame());
        }
        put(facts, "message.dest_nid", header.destNid());
        put(facts, "message.src_nid", header.srcNid());
        putWord(facts, "message.dest_pid", header.destPid());
        putWord(facts, "message.src_pid", header.srcPid());
        put(facts, "message.type", header.type().number());
        putWord(facts, "message.payload_length", header.payloadLength());
        putLong(facts, "message.interface_cookie", header.interfaceCookie());
        putLong(facts, "message.object_cookie", header.objectCookie());
        switch (header.type()) {
            case ACK -> {
                putLong(facts, "message.match_bits", header.matchBits());
                putWord(facts, "message.mlength", header.mlength());
            }
            case PUT -> {
                putLong(facts, "message.match_bits", header.matchBits());
                putLong(facts, "message.hdr_data", header.hdrData());
                putWord(facts, "message.ptl_index", header.portal());
                putWord(facts, "message.offset", header.offset());
            }
            case GET -> {
                putLong(facts, "message.match_bits", header.matchBits());
                putWord(facts, "message.ptl_index", header.portal());
                putWord(facts, "message.src_offset", header.offset());
                putWord(facts, "message.sink_length", header.sinkLength());
            }
            case REPLY, HELLO -> {}
        }
        PingInfo ping = message.ping();
        if (ping != null) {
            putWord(facts, "ping.features", ping.features());
            putWord(facts, "ping.pid", ping.pid());
            putWord(facts, "ping.nnis", ping.announcedInterfaces());
            putWord(facts, "ping.sequence", ping.sequence());
            facts.put(
                    "ping.entry.nid",
                    ping.entries().stream().map(entry -> entry.nid().toString()).toList());
            facts.put(
                    "ping.entry.status",
                    ping.entries().stream()
                            .map(entry -> Integer.toUnsignedString(entry.status()))
                            .toList());
        }
    }

    /** Traffic that is broken on purpose: shown or complained about, and no error of the dissector. */
    @Test
    void saysWhatIsWrongWithProbes() throws Exception {
        List<Found> all = Tshark.read(dissector, capture(GoldenCaptures.pcap("g_acceptor_probe")));
        assertThat(all).hasSizeGreaterThan(50);
        assertThat(all.stream().flatMap(found -> found.notes().stream()))
                .anyMatch(note -> note.startsWith("hello has version"))
                .anyMatch(note -> note.startsWith("no frame of LNet starts here"));
    }

    private static final Pattern KIB = Pattern.compile("KIB magic=\\w+ ver=(\\w+) type=(\\w+) credits=(\\d+) nob=(\\d+)"
            + " cksum=(\\w+) src=([\\d.]+)@5/0/(\\w+) dst=([\\d.]+)@5/0/(\\w+)(.*)");
    private static final Pattern PARAMETERS = Pattern.compile("qd=(\\d+) frags=(\\d+) msgsz=(\\d+)");
    private static final Pattern HEADER = Pattern.compile("type=(\\d) plen=(\\d+)");
    private static final Pattern DESCRIPTOR = Pattern.compile("key=(\\w+) nfrags=(\\d+) \\[\\((\\d+), (\\d+)\\)]");
    private static final Pattern COMPLETION = Pattern.compile(" cookie=(\\w+) status=(-?\\d+)");

    /** Over RoCEv2, from the request for a connection to RDMA, an independent decoder is the measure. */
    @Test
    void showsO2iblndOfKernels() throws Exception {
        List<Found> all = Tshark.read(dissector, capture(GoldenCaptures.pcap("o2ib_selftest_bulk")));
        List<Matcher> expected = GoldenCaptures.expected("o2ib_selftest_bulk").stream()
                .map(KIB::matcher)
                .filter(Matcher::find)
                .toList();
        assertThat(expected).hasSizeGreaterThan(30);
        assertThat(all).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(all.get(i).notes()).isEmpty();
            assertThat(all.get(i).fields()).as("number %d", i).containsAllEntriesOf(kibFacts(expected.get(i)));
        }
    }

    private static Map<String, List<String>> kibFacts(Matcher line) {
        Map<String, List<String>> facts = new TreeMap<>();
        put(facts, "kib.version", Integer.parseInt(line.group(1), 16));
        put(facts, "kib.type", KibType.valueOf(line.group(2)).code());
        put(facts, "kib.credits", line.group(3));
        put(facts, "kib.nob", line.group(4));
        put(facts, "kib.cksum", Integer.parseInt(line.group(5), 16));
        put(facts, "kib.srcnid", line.group(6) + "@o2ib");
        put(facts, "kib.srcstamp", Long.parseLong(line.group(7), 16));
        put(facts, "kib.dstnid", line.group(8) + "@o2ib");
        put(facts, "kib.dststamp", Long.parseLong(line.group(9), 16));
        String rest = line.group(10);
        putGroups(facts, PARAMETERS, rest, 10, "queue_depth", "max_frags", "max_msg_size");
        putGroups(facts, HEADER, rest, 10, "type", "payload_length");
        putGroups(facts, COMPLETION, rest.replaceFirst(" status=(\\d+)", " status=$1"), 16, "cookie", "status");
        Matcher descriptor = DESCRIPTOR.matcher(rest);
        if (descriptor.find()) {
            put(facts, "kib.descriptor.key", Long.parseLong(descriptor.group(1), 16));
            put(facts, "kib.descriptor.nfrags", descriptor.group(2));
            put(facts, "kib.fragment.nob", descriptor.group(3));
            put(facts, "kib.fragment.addr", descriptor.group(4));
        }
        return facts;
    }

    private static void putGroups(
            Map<String, List<String>> facts, Pattern pattern, String text, int radix, String... names) {
        Matcher found = pattern.matcher(text);
        if (!found.find()) {
            return;
        }
        for (int i = 0; i < names.length; i++) {
            String prefix = pattern == PARAMETERS ? "kib.parameters." : pattern == HEADER ? "message." : "kib.";
            put(facts, prefix + names[i], Long.parseLong(found.group(i + 1), i == 0 ? radix : 10));
        }
    }

    private static byte[] bytes(int size, Consumer<MemorySegment> writer) {
        byte[] bytes = new byte[size];
        writer.accept(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] hello(ByteOrder order) {
        Hello hello = new Hello(
                order,
                ProtocolVersion.V3,
                LEFT,
                RIGHT,
                12345,
                0,
                0x1122334455667788L,
                0,
                ConnectionType.CONTROL.number(),
                List.of(0x0a000001, 0x0a000002));
        return bytes(hello.bytes(), to -> hello.write(to, 0));
    }

    /** A frame with a PUT of some bytes. */
    private static byte[] put(int payload) {
        LNetHeader header = new LNetHeader();
        header.setPut(payload, 1, 2, 50, 0xabcL, 0, 7);
        header.setRoute(RIGHT, 12345, LEFT, 12345);
        return bytes(FrameHeader.BYTES + LNetHeader.NID4_BYTES + payload, to -> {
            FrameHeader.write(to, 0, FrameHeader.LNET, 0, 0);
            header.write(to, FrameHeader.BYTES, false);
        });
    }

    private static CaptureBuilder capture() {
        return CaptureBuilder.pcap(ByteOrder.LITTLE_ENDIAN, false, RAW_IP);
    }

    private static byte[] segment(int port, int sequence, byte... payload) {
        return Packets.fromA(true, 1023, port, sequence, 0x18, payload);
    }

    @Test
    void bigEndianPeersAndOtherPortsAreUnderstood() throws Exception {
        byte[] hello = hello(ByteOrder.BIG_ENDIAN);
        byte[] put = put(0);
        ByteBuffer frame = ByteBuffer.wrap(put);
        frame.putInt(FrameHeader.LNET);
        Path file = capture(capture()
                .record(0, 0, segment(10988, 1, hello))
                .record(0, 1, segment(10988, 1 + hello.length, put))
                .bytes());
        assertThat(Tshark.read(dissector, file)).isEmpty();
        List<Found> found = Tshark.read(dissector, file, "-o", "rylnet.ports:988,10988");
        assertThat(found).hasSize(2);
        assertThat(found.get(0).fields())
                .containsEntry("hello.src_nid", List.of("10.0.0.1@tcp"))
                .containsEntry("hello.src_incarnation", List.of(Long.toString(0x1122334455667788L)))
                .containsEntry("hello.ip", List.of("10.0.0.1", "10.0.0.2"));
        assertThat(found.get(1).fields())
                .containsEntry("frame.type", List.of("193"))
                .containsEntry("message.ptl_index", List.of("50"));
    }

    /** A frame in three segments, cut within its header and within its payload, and the next in the last of them. */
    @Test
    void framesAreTakenTogetherFromSegments() throws Exception {
        byte[] hello = hello(ByteOrder.LITTLE_ENDIAN);
        byte[] stream = Packets.join(put(3000), put(5));
        CaptureBuilder capture = capture().record(0, 0, segment(988, 1, hello));
        int at = 0;
        for (int end : new int[] {30, 2000, stream.length}) {
            capture.record(0, at, segment(988, 1 + hello.length + at, Arrays.copyOfRange(stream, at, end)));
            at = end;
        }
        List<Found> found = Tshark.read(dissector, capture(capture.bytes()));
        assertThat(found).hasSize(3).allSatisfy(each -> assertThat(each.notes()).isEmpty());
        assertThat(found.get(1).fields()).containsEntry("message.payload_length", List.of("3000"));
        assertThat(found.get(2).fields()).containsEntry("message.payload_length", List.of("5"));
    }

    /** What a capture with a short snap length, or rubbish, has in it: a note that says so. */
    @Test
    void whatIsCutShortOrRubbishGetsANote() throws Exception {
        byte[] hello = hello(ByteOrder.LITTLE_ENDIAN);
        byte[] cut = segment(988, 1 + hello.length, put(400));
        byte[] cutHello = segment(988, 1, hello);
        byte[] rubbish = new byte[77];
        Arrays.fill(rubbish, (byte) 0x5a);
        CaptureBuilder capture = capture()
                .record(0, 0, segment(988, 1, hello))
                .record(0, 1, 200, cut.length, Arrays.copyOf(cut, 200))
                .record(0, 2, Packets.fromA(true, 1022, 988, 1, 0x18, rubbish))
                .record(0, 3, Packets.fromA(true, 1021, 988, 1, 0x18, (byte) 1))
                .record(0, 4, 60, cutHello.length, Arrays.copyOf(cutHello, 60));
        List<Found> found = Tshark.read(dissector, capture(capture.bytes()), "-o", "tcp.desegment_tcp_streams:FALSE");
        assertThat(found.get(1).notes()).singleElement().asString().startsWith("payload is cut short");
        assertThat(found.get(2).notes()).singleElement().asString().startsWith("no frame of LNet starts here: 77");
        assertThat(found.get(3).notes()).singleElement().asString().startsWith("cut short: 1 bytes found");
    }

    /** However short the snap length was, and whatever bytes are wrong: tshark has no error to tell. */
    @Test
    void noSnapLengthIsTooShort() throws Exception {
        byte[] request = bytes(16, to -> ConnectionRequest.to(RIGHT).write(to, 0));
        byte[] hello = hello(ByteOrder.LITTLE_ENDIAN);
        byte[] put = put(40);
        CaptureBuilder capture = capture();
        int cuts = 0;
        int port = 1;
        for (byte[] whole : List.of(request, hello, put)) {
            for (int cut = 0; cut < whole.length; cut++, cuts++, port++) {
                byte[] packet = Packets.fromA(true, port, 988, 1, 0x18, whole);
                int captured = packet.length - whole.length + cut;
                capture.record(0, cuts, captured, packet.length, Arrays.copyOf(packet, captured));
                byte[] wrong = packet.clone();
                wrong[packet.length - whole.length + cut] ^= (byte) 0xff;
                capture.record(
                        0,
                        cuts,
                        Packets.fromA(
                                true,
                                port,
                                989,
                                1,
                                0x18,
                                Arrays.copyOfRange(wrong, packet.length - whole.length, wrong.length)));
            }
        }
        List<Found> found = Tshark.read(dissector, capture(capture.bytes()), "-o", "rylnet.ports:988-989");
        assertThat(found).hasSizeGreaterThan(cuts);
        assertThat(found.stream().filter(each -> !each.notes().isEmpty())).hasSizeGreaterThan(cuts / 2);
    }

    @Test
    void aRejectTellsWhy() throws Exception {
        RejectRecord record = RejectRecord.of(
                Kib.V2, RejectReason.MSG_QUEUE_SIZE, 0x55, new ConnectionParameters(8, 256, Kib.MESSAGE_BYTES));
        List<Found> found =
                Tshark.read(dissector, capture(reject(bytes(RejectRecord.BYTES, to -> record.write(to, 0)))));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().fields())
                .containsEntry("kib.reject.why", List.of("7"))
                .containsEntry("kib.reject.incarnation", List.of("85"))
                .containsEntry("kib.parameters.queue_depth", List.of("8"));
    }

    @Test
    void aMessageOfO2iblndThatIsCutShortGetsANote() throws Exception {
        KibMessage message = new KibMessage();
        message.setConnection(Kib.V2, KibType.CONNREQ, new ConnectionParameters(8, 256, Kib.MESSAGE_BYTES));
        message.header().setBytes(4000);
        List<Found> found = Tshark.read(dissector, capture(reject(bytes(56, to -> message.write(to, 0)))));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().notes()).singleElement().asString().startsWith("CONNREQ says that it has 4000");
    }

    @Test
    void severalMessagesInOneAreAllShown() throws Exception {
        byte[] whole = bytes(Packing.align(KibMessage.PAYLOAD_OFFSET + 3) + LNetHeader.NID4_BYTES + 5, to -> {
            KibMessage message = new KibMessage();
            message.setImmediate(Kib.V2, putHeader(3), 3);
            message.header().setBytes((int) to.byteSize());
            message.write(to, 0);
            putHeader(5).write(to, Packing.align(KibMessage.PAYLOAD_OFFSET + 3), false);
        });
        List<Found> found = Tshark.read(dissector, capture(sendOnly(whole)));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().notes()).isEmpty();
        assertThat(found.getFirst().fields())
                .containsEntry("kib.nob", List.of(String.valueOf(whole.length)))
                .containsEntry("message.payload_length", List.of("3", "5"));
    }

    private static LNetHeader putHeader(int payload) {
        LNetHeader header = new LNetHeader();
        header.setPut(payload, 1, 2, 50, 0xabcL, 0, 7);
        header.setRoute(RIGHT, 12345, LEFT, 12345);
        return header;
    }

    /** A capture with a SEND in one packet, over RoCEv2. */
    private static byte[] sendOnly(byte[] message) {
        int padding = -message.length & 3;
        ByteBuffer packet = ByteBuffer.allocate(8 + 12 + message.length + padding + 4);
        packet.putShort((short) ROCE_PORT)
                .putShort((short) ROCE_PORT)
                .putShort((short) packet.capacity())
                .putShort((short) 0);
        packet.putInt(0x0440ffff | padding << 20).putInt(0x11).putInt(0).put(message);
        return capture()
                .record(0, 0, Packets.ipv4(Packets.A, Packets.B, 17, packet.array()))
                .bytes();
    }

    /** A capture with a refusal by the connection manager, over RoCEv2. */
    private static byte[] reject(byte[] privateData) {
        ByteBuffer packet = ByteBuffer.allocate(8 + 12 + 8 + 256 + 4);
        packet.putShort((short) ROCE_PORT)
                .putShort((short) ROCE_PORT)
                .putShort((short) packet.capacity())
                .putShort((short) 0);
        packet.putInt(0x6400ffff).putInt(1).putInt(0);
        packet.putInt(0x80010000).putInt(1);
        int mad = packet.position();
        packet.put(mad, new byte[] {1, 7, 2, 3}).putShort(mad + 16, (short) 0x12);
        packet.put(mad + 24 + 84, privateData);
        return capture()
                .record(0, 0, Packets.ipv4(Packets.A, Packets.B, 17, packet.array()))
                .bytes();
    }
}
