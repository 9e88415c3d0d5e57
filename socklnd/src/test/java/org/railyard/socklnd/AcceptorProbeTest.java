package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.NeedsRoot;

/**
 * Probes that were put to a kernel node, put to this acceptor: the answers have to be the same, apart from the
 * incarnation, and so does the end. The probed NIDs are on loopback here.
 */
class AcceptorProbeTest {
    private static final String NID = "127.0.1.11@tcp";
    private static final String OTHER_RAIL = "127.0.2.11@tcp";
    static final String PING =
            "c10000000000000000000000000000000000000000000000" + "0b01007f00000200" + "0100630a00000200"
                    + "3930000039300000" + "0200000000000000" + "11110000000000002222000000000000" + "0000000000000080"
                    + "0000000000000000"
                    + "1001000000000000";

    /**
     * Where this node is better than the one probed: it swaps the NIDs of a big-endian hello too (12, 42), it has a
     * connection left for the ack of a zero-copy request (52), and it notices the end of a stream in the middle of a
     * header at once (57). Probe 60 is a test of its own.
     */
    private static final Set<String> DIFFERENT = Set.of("12", "42", "52", "57", "60");

    record Probe(String name, String request, String sent, String helloAnswer, String then, String got, String end) {
        String number() {
            return name.substring(0, name.indexOf(' '));
        }

        boolean staysOpen() {
            return end.contains("open");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Probe> probes() throws IOException {
        List<Probe> probes = new ArrayList<>();
        try (InputStream raw =
                        Objects.requireNonNull(AcceptorProbeTest.class.getResourceAsStream("acceptor-probes.txt.gz"));
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(raw), StandardCharsets.US_ASCII))) {
            String name = "";
            String request = "";
            String sent = "";
            String answer = "";
            String then = "";
            String got = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String value = onLoopback(line.substring(line.lastIndexOf(' ') + 1));
                String text = line.trim();
                if (line.startsWith("--- ")) {
                    name = line.substring(4);
                    request = "";
                    answer = "";
                    then = "";
                } else if (text.startsWith("sent req+hello")) {
                    request = "0071ceac01000000" + "0b01007f00000200";
                    sent = value;
                } else if (text.startsWith("sent")) {
                    sent = text.startsWith("sent (0)") ? "" : value;
                } else if (text.startsWith("hello answer")) {
                    answer = value;
                } else if (text.startsWith("then sent")) {
                    then = value;
                } else if (text.startsWith("got")) {
                    got = text.startsWith("got (0)") || text.startsWith("got  (0)") ? "" : value;
                } else if (text.startsWith("end:")) {
                    probes.add(new Probe(name, request, sent, answer, then, got, text));
                }
            }
        }
        assertThat(probes).hasSizeGreaterThan(45);
        return probes.stream().filter(probe -> !DIFFERENT.contains(probe.number()));
    }

    private static String onLoopback(String hex) {
        return hex.replace("0b00630a", "0b01007f")
                .replace("0b01630a", "0b02007f")
                .replace("0a63000b", "7f00010b");
    }

    @ParameterizedTest
    @MethodSource("probes")
    void answersLikeAKernel(Probe probe) throws IOException {
        VirtualHost host = new VirtualHost();
        boolean insecure = probe.number().equals("1") || probe.number().equals("2");
        try (Node node = new Node(
                NID,
                new Node.Ports(),
                host,
                builder -> builder.accept(insecure ? AcceptPolicy.SECURE : AcceptPolicy.ALL))) {
            node.add(Nid.parse(OTHER_RAIL), Map.of());
            answerPings(node, probe.got.length() > 192 ? probe.got.substring(192) : "");
            try (RawPeer peer = RawPeer.connect(NID, node.port())) {
                peer.send(probe.request + probe.sent);
                if (!probe.helloAnswer.isEmpty()) {
                    assertThat(withoutIncarnation(peer.read(probe.helloAnswer.length() / 2)))
                            .isEqualTo(withoutIncarnation(probe.helloAnswer));
                    peer.send(probe.then);
                }
                assertThat(withoutIncarnation(peer.read(probe.got.length() / 2)))
                        .isEqualTo(withoutIncarnation(probe.got));
                if (!probe.staysOpen()) {
                    if (probe.end.contains(" after 5.")) {
                        Await.until("taken in", () -> node.lnd.stats().handshakesOpen() == 1);
                        host.advance(4 * VirtualHost.SECOND);
                        assertThat(node.lnd.stats().handshakesOpen()).isEqualTo(1);
                        // The limit counts anew from the moment the request is read, which may be after the first leap.
                        Await.until("given up", () -> {
                            host.advance(VirtualHost.SECOND);
                            return node.lnd.stats().handshakesOpen() == 0;
                        });
                    }
                    assertThat(peer.readToEnd()).isEmpty();
                } else {
                    assertOpen(node, peer, probe);
                }
            }
        }
    }

    private static void assertOpen(Node node, RawPeer peer, Probe probe) throws IOException {
        Await.until(
                "one is open",
                () -> node.lnd.stats().handshakesOpen() + node.lnd.stats().connectionsOpen() == 1);
        if (probe.helloAnswer.isEmpty()) {
            return;
        }
        answerPings(node, "");
        int before = node.stack.headers.size();
        peer.send(PING);
        Await.until("ping", () -> node.stack.headers.size() > before);
        assertThat(peer.read(96)).startsWith("c1");
        assertThat(node.lnd.stats().closed()).isZero();
    }

    /** Puts the few rules of the stack in place that the probes touch. */
    private static void answerPings(Node node, String reply) {
        byte[] payload = HexFormat.of().parseHex(reply);
        node.stack.policy = new RecordingStack.Policy() {
            @Override
            public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
                if (!header.destNid().equals(ni.nid())) {
                    return Errno.EPROTO.status();
                }
                if (header.type() == MessageType.GET) {
                    TestMessage answer = new TestMessage(ByteBuffer.wrap(payload));
                    answer.header().setReply(payload.length, header.interfaceCookie(), header.objectCookie());
                    answer.header().setRoute(header.srcNid(), header.srcPid(), ni.nid(), ProcessId.LUSTRE_PID);
                    answer.setNextHop(from, fromPid);
                    assertThat(node.lnd.send(ni, answer)).isZero();
                }
                receiver.receive(null, 0, header.payloadLength());
                return 0;
            }
        };
    }

    private static String withoutIncarnation(String hex) {
        return hex.startsWith("63697245") || hex.startsWith("ed0dbcee")
                ? hex.substring(0, 64) + hex.substring(80)
                : hex;
    }

    @Test
    void swapsEverythingInABigEndianHello() throws IOException {
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder);
                RawPeer peer = RawPeer.connect(NID, node.port())) {
            peer.send("acce7100000000010002" + "00007f00010b"
                    + "4572696300000003000200000a630001000200007f00010b0000303900003039"
                    + "112233445566778800000000000000000000000100000000");
            String answer = peer.read(56);
            assertThat(answer)
                    .startsWith("6369724503000000" + "0b01007f00000200" + "0100630a00000200" + "39300000" + "39300000");
            assertThat(answer).endsWith("0100000000000000");
            // Frame headers are big-endian then, LNet headers never are.
            peer.send("000000c1" + "00000000" + "0000000000000000" + "0000000000000000" + PING.substring(48));
            Await.until("ping", () -> node.stack.headers.size() == 1);
            assertThat(node.stack.headers.getFirst().type()).isEqualTo(MessageType.GET);
        }
    }

    @Test
    void acknowledgesOnControlIfThereIsNothingElse() throws IOException {
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder);
                RawPeer peer = RawPeer.connect(NID, node.port())) {
            peer.control(NID, "10.99.0.1@tcp", 0x1000);
            peer.send("c10000000000000009000000000000000000000000000000" + "0b01007f00000200" + "0100630a00000200"
                    + "3930000039300000"
                    + "0100000004000000" + "ffffffffffffffffffffffffffffffff" + "0000000000000080" + "0000000000000000"
                    + "0000000000000000"
                    + "61626364");
            assertThat(peer.read(24)).isEqualTo("c00000000000000000000000000000000900000000000000");
        }
    }

    @Test
    void surplusAndRestart() throws IOException {
        try (Node node = new Node(
                        NID,
                        new Node.Ports(),
                        new VirtualHost(),
                        builder -> builder.set(SockTunable.MAX_CONNECTIONS_PER_PEER, 3));
                RawPeer control = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer in = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer out = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer surplus = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer restarted = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer again = RawPeer.connect("127.0.1.1", NID, node.port())) {
            assertThat(control.hello(NID, "10.99.0.1@tcp", 0x2000, 1)).isEqualTo(1);
            assertThat(in.hello(NID, "10.99.0.1@tcp", 0x2000, 2)).isEqualTo(3);
            assertThat(out.hello(NID, "10.99.0.1@tcp", 0x2000, 3)).isEqualTo(2);
            Await.until("three", () -> node.lnd.stats().connectionsOpen() == 3);
            assertThat(surplus.hello(NID, "10.99.0.1@tcp", 0x2000, 1)).isEqualTo(-1);
            assertThat(surplus.readToEnd()).isEmpty();
            assertThat(node.lnd.stats().connectionsOpen()).isEqualTo(3);
            assertThat(restarted.hello(NID, "10.99.0.1@tcp", 0x2001, 1)).isEqualTo(-1);
            assertThat(restarted.readToEnd()).isEmpty();
            assertThat(control.readToEnd()).isEmpty();
            assertThat(in.readToEnd()).isEmpty();
            assertThat(out.readToEnd()).isEmpty();
            assertThat(again.hello(NID, "10.99.0.1@tcp", 0x2001, 1)).isEqualTo(1);
            Await.until("four accepted", () -> node.lnd.stats().accepted() == 4);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.STALE)).isEqualTo(1);
        }
    }

    @Test
    void requestAndHelloHaveTheirTimeEach() throws Exception {
        VirtualHost host = new VirtualHost();
        try (Node node = new Node(NID, new Node.Ports(), host, builder -> builder);
                RawPeer slow = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer slower = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer other = RawPeer.connect("127.0.1.2", NID, node.port())) {
            Await.until("all", () -> node.lnd.stats().handshakesOpen() == 3);
            host.advance(4 * VirtualHost.SECOND);
            slow.send(RawPeer.segment(ConnectionRequest.to(node.nid)));
            slower.send(RawPeer.segment(ConnectionRequest.to(node.nid)));
            // Handshakes take turns on one thread: when this one is through, the requests of the others were read.
            other.control(NID, "10.99.0.1@tcp", 1);
            host.advance(4 * VirtualHost.SECOND);
            Hello hello = Hello.of(
                    ProtocolVersion.V3,
                    Nid.parse("10.99.0.2@tcp"),
                    node.nid,
                    ProcessId.LUSTRE_PID,
                    0,
                    1,
                    0,
                    ConnectionType.CONTROL);
            slow.send(RawPeer.segment(hello));
            assertThat(Hello.read(MemorySegment.ofArray(slow.readBytes(hello.bytes())), 0)
                            .type())
                    .isEqualTo(ConnectionType.CONTROL);
            host.advance(VirtualHost.SECOND);
            assertThat(slower.readToEnd()).isEmpty();
            Await.until("timeout", () -> node.lnd.stats().refused(HandshakeRefusal.TIMEOUT) == 1);
        }
    }

    /** The answer is to arrive, so the node waits for the other end of the stream; not for long, and not for much. */
    @Test
    void aCallerThatIsRefusedAndStaysIsClosed() throws IOException {
        VirtualHost host = new VirtualHost();
        try (Node node = new Node(NID, new Node.Ports(), host, builder -> builder);
                RawPeer silent = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer talks = RawPeer.connect("127.0.1.1", NID, node.port())) {
            String helloWithoutRequest = "63697245" + "00".repeat(12);
            silent.send(helloWithoutRequest);
            assertThat(silent.readToEnd()).isEqualTo("0071ceac01000000" + "00".repeat(8));
            host.advance(VirtualHost.SECOND - 1);
            assertThat(node.lnd.stats().handshakesOpen()).isPositive();
            host.advance(1);
            talks.send(helloWithoutRequest);
            assertThat(talks.readToEnd()).isEqualTo("0071ceac01000000" + "00".repeat(8));
            Await.until("only the second", () -> node.lnd.stats().handshakesOpen() == 1);
            talks.send("00".repeat(70_000));
            Await.until("none", () -> node.lnd.stats().handshakesOpen() == 0);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_REQUEST)).isEqualTo(2);
        }
    }

    /** A node that calls itself, or a neighbour in tests, has one address at both ends. */
    @Test
    void callersWithTheAddressOfTheNodeAreNeverTooMany() throws IOException {
        try (Node node = new Node(
                        NID,
                        new Node.Ports(),
                        new VirtualHost(),
                        builder -> builder.set(SockTunable.MAX_CONNECTIONS_PER_PEER, 3));
                RawPeer control = RawPeer.connect("127.0.1.11", NID, node.port());
                RawPeer in = RawPeer.connect("127.0.1.11", NID, node.port());
                RawPeer out = RawPeer.connect("127.0.1.11", NID, node.port());
                RawPeer more = RawPeer.connect("127.0.1.11", NID, node.port())) {
            assertThat(control.hello(NID, "10.99.0.1@tcp", 1, 1)).isEqualTo(1);
            assertThat(in.hello(NID, "10.99.0.1@tcp", 1, 2)).isEqualTo(3);
            assertThat(out.hello(NID, "10.99.0.1@tcp", 1, 3)).isEqualTo(2);
            assertThat(more.hello(NID, "10.99.0.1@tcp", 1, 3)).isEqualTo(2);
        }
    }

    /** It was replaced by another release within the same moment, or has been told to speak another version. */
    @Test
    void aPeerThatSpeaksAnotherVersionIsNotTheOneItWas() throws IOException {
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder);
                RawPeer before = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer other = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer again = RawPeer.connect("127.0.1.1", NID, node.port())) {
            before.control(NID, "10.99.0.1@tcp", 7);
            assertThat(other.hello(ProtocolVersion.V2, NID, "10.99.0.1@tcp", 7, 1))
                    .isEqualTo(-1);
            assertThat(before.readToEnd()).isEmpty();
            assertThat(again.hello(ProtocolVersion.V2, NID, "10.99.0.1@tcp", 7, 1))
                    .isEqualTo(1);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.STALE)).isEqualTo(1);
        }
    }

    @Test
    @NeedsRoot
    void callersFromOtherPortsAreTheirOwnPeers() throws IOException {
        try (Node node = new Node(
                        NID,
                        new Node.Ports(),
                        new VirtualHost(),
                        builder -> builder.sourcePorts(SourcePorts.RESERVED));
                RawPeer peer = RawPeer.connect("127.0.1.1", NID, node.port())) {
            peer.control(NID, "10.99.0.1@tcp", 1);
            peer.send(PING);
            Await.until("ping", () -> node.stack.arrivals.size() == 1);
            ProcessId expected = new ProcessId(Nid.parse("127.0.1.1@tcp"), peer.localPort() | ProcessId.USER_FLAG);
            assertThat(node.stack.arrivals.getFirst().from()).isEqualTo(expected);
            assertThat(node.stack.arrivals.getFirst().header().srcNid()).isEqualTo(expected.nid());
            assertThat(node.stack.arrivals.getFirst().header().srcPid()).isEqualTo(expected.pid());
            // Answers go back on its connection; without one there is no way.
            TestMessage answer = TestMessage.put(node.nid, expected.nid(), 4, 1);
            answer.setNextHop(expected.nid(), expected.pid());
            assertThat(node.lnd.send(node.ni, answer)).isZero();
            assertThat(peer.read(100)).startsWith("c1");
            peer.hangUp();
            Await.until("closed", () -> node.lnd.stats().connectionsOpen() == 0);
            TestMessage lost = TestMessage.put(node.nid, expected.nid(), 4, 1);
            lost.setNextHop(expected.nid(), expected.pid());
            assertThat(node.lnd.send(node.ni, lost)).isZero();
            assertThat(node.stack.awaitCompletion(lost).status()).isEqualTo(Errno.EHOSTUNREACH.status());
        }
    }

    @Test
    void silentCallersBlockNobodyAndAreBounded() throws IOException {
        try (Node node = new Node(
                NID,
                new Node.Ports(),
                new VirtualHost(),
                builder ->
                        builder.set(SockTunable.MAX_HANDSHAKES_PER_ADDRESS, 5).set(SockTunable.MAX_HANDSHAKES, 6))) {
            List<RawPeer> silent = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                silent.add(RawPeer.connect("127.0.1.1", NID, node.port()));
            }
            Await.until("five", () -> node.lnd.stats().handshakesOpen() == 5);
            try (RawPeer tooMany = RawPeer.connect("127.0.1.1", NID, node.port());
                    RawPeer other = RawPeer.connect("127.0.1.2", NID, node.port())) {
                assertThat(tooMany.readToEnd()).isEmpty();
                assertThat(other.hello(NID, "10.99.0.1@tcp", 1, 1)).isEqualTo(1);
                assertThat(node.lnd.stats().refused(HandshakeRefusal.TOO_MANY_HANDSHAKES))
                        .isEqualTo(1);
            }
            for (RawPeer peer : silent) {
                peer.close();
            }
            Await.until("gone", () -> node.lnd.stats().handshakesOpen() == 0);
        }
    }

    @Test
    void connectionsAreBounded() throws IOException {
        try (Node node = new Node(
                        NID,
                        new Node.Ports(),
                        new VirtualHost(),
                        builder -> builder.set(SockTunable.MAX_CONNECTIONS, 1));
                RawPeer first = RawPeer.connect("127.0.1.1", NID, node.port())) {
            first.control(NID, "10.99.0.1@tcp", 1);
            Await.until("one", () -> node.lnd.stats().connectionsOpen() == 1);
            try (RawPeer second = RawPeer.connect("127.0.1.1", NID, node.port())) {
                assertThat(second.readToEnd()).isEmpty();
            }
            assertThat(node.lnd.stats().refused(HandshakeRefusal.TOO_MANY_CONNECTIONS))
                    .isEqualTo(1);
        }
    }

    @Test
    void peersAreBounded() throws IOException {
        try (Node node = new Node(
                        NID, new Node.Ports(), new VirtualHost(), builder -> builder.set(SockTunable.MAX_PEERS, 1));
                RawPeer first = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer second = RawPeer.connect("127.0.1.2", NID, node.port());
                RawPeer again = RawPeer.connect("127.0.1.1", NID, node.port())) {
            first.control(NID, "10.99.0.1@tcp", 1);
            second.send(RawPeer.segment(ConnectionRequest.to(node.nid)));
            second.send(RawPeer.segment(Hello.of(
                    ProtocolVersion.V3,
                    Nid.parse("10.99.0.2@tcp"),
                    node.nid,
                    ProcessId.LUSTRE_PID,
                    0,
                    1,
                    0,
                    ConnectionType.CONTROL)));
            assertThat(second.readToEnd()).isEmpty();
            Await.until("the refusal", () -> node.lnd.stats().refused(HandshakeRefusal.TOO_MANY_CONNECTIONS) == 1);
            assertThat(again.hello(NID, "10.99.0.1@tcp", 1, 3))
                    .as("who is known may go on")
                    .isEqualTo(2);
            assertThat(node.lnd.send(node.ni, TestMessage.put(node.nid, Nid.parse("10.99.0.3@tcp"), 1)))
                    .isEqualTo(Errno.ENOBUFS.status());
        }
    }

    @Test
    void whoHasAskedForAnNiAndSaidNoHelloIsClosedWithIt() throws IOException {
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder);
                RawPeer silent = RawPeer.connect("127.0.1.1", NID, node.port());
                RawPeer other = RawPeer.connect("127.0.1.2", NID, node.port());
                RawPeer elsewhere = RawPeer.connect("127.0.1.3", NID, node.port())) {
            node.add(Nid.parse(OTHER_RAIL), Map.of());
            silent.send(RawPeer.segment(ConnectionRequest.to(node.nid)));
            elsewhere.send(RawPeer.segment(ConnectionRequest.to(Nid.parse(OTHER_RAIL))));
            // Handshakes take turns on one thread: when this one is through, the requests of the others were read.
            other.control(NID, "10.99.0.1@tcp", 1);
            node.lnd.shutdown(node.ni);
            assertThat(silent.readToEnd()).isEmpty();
            Await.until("the refusal", () -> node.lnd.stats().refused(HandshakeRefusal.NI_DOWN) == 1);
            assertThat(node.lnd.stats().handshakesOpen())
                    .as("the one with the NI that stays")
                    .isEqualTo(1);
        }
    }

    /** Whoever is being accepted is not called: that has to end with the accepting, whatever becomes of it. */
    @Test
    void aCallerThatIsGoneWhenItIsAnsweredCanBeCalled() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder)) {
            // Port 1 refuses; the one thread for handshakes tells of it, and waits.
            node.stack.beforeError = () -> {
                busy.countDown();
                Await.until("the caller is gone", () -> goOn.getCount() == 0);
            };
            assertThat(node.lnd.send(node.ni, TestMessage.put(node.nid, Nid.parse("127.0.1.3@tcp"), 1)))
                    .isZero();
            Await.until("the thread is busy", () -> busy.getCount() == 0);
            try (RawPeer caller = RawPeer.connect("127.0.1.1", NID, node.port())) {
                caller.send(RawPeer.segment(ConnectionRequest.to(node.nid)));
                caller.send(RawPeer.segment(Hello.of(
                        ProtocolVersion.V3,
                        Nid.parse("127.0.1.1@tcp"),
                        node.nid,
                        ProcessId.LUSTRE_PID,
                        0,
                        1,
                        0,
                        ConnectionType.CONTROL)));
                caller.reset();
            } finally {
                goOn.countDown();
            }
            Await.until("the end of the call", () -> node.lnd.stats().refused(HandshakeRefusal.GONE) == 1);
            TestMessage message = TestMessage.put(node.nid, Nid.parse("127.0.1.1@tcp"), 1);
            assertThat(node.lnd.send(node.ni, message)).isZero();
            assertThat(node.stack.awaitCompletion(message).status()).isEqualTo(Errno.ECONNREFUSED.status());
        }
    }

    /** Whatever names a host gives itself, its address leaves connections for others. */
    @Test
    void oneAddressLeavesConnectionsForOthers() throws IOException {
        List<RawPeer> peers = new ArrayList<>();
        try (Node node = new Node(
                NID, new Node.Ports(), new VirtualHost(), builder -> builder.set(SockTunable.MAX_CONNECTIONS, 8))) {
            for (int i = 1; i <= 6; i++) {
                peers.add(RawPeer.connect("127.0.1.1", NID, node.port()));
                peers.getLast().control(NID, "10.99.0." + i + "@tcp", 1);
                int count = i;
                Await.until("one more", () -> node.lnd.stats().connectionsOpen() == count);
            }
            try (RawPeer tooMany = RawPeer.connect("127.0.1.1", NID, node.port());
                    RawPeer other = RawPeer.connect("127.0.1.2", NID, node.port())) {
                assertThat(tooMany.readToEnd()).isEmpty();
                other.control(NID, "10.99.1.1@tcp", 1);
            }
            assertThat(node.lnd.stats().refused(HandshakeRefusal.TOO_MANY_CONNECTIONS))
                    .isEqualTo(1);
            for (RawPeer peer : peers) {
                peer.close();
            }
            Await.until("gone", () -> node.lnd.stats().connectionsOpen() == 0);
            try (RawPeer again = RawPeer.connect("127.0.1.1", NID, node.port())) {
                again.control(NID, "10.99.0.1@tcp", 1);
            }
        }
    }

    @Test
    void endInTheMiddleOfAHeaderClosesWithAnError() throws IOException {
        try (Node node = new Node(NID, new Node.Ports(), new VirtualHost(), builder -> builder)) {
            try (RawPeer peer = RawPeer.connect(NID, node.port())) {
                peer.control(NID, "10.99.0.1@tcp", 1);
                peer.send(PING.substring(0, 80));
            }
            Await.until("closed", () -> node.lnd.stats().closed() == 1);
            assertThat(node.lnd.stats().refused(HandshakeRefusal.BAD_FRAME)).isEqualTo(1);
            Await.until("death", () -> !node.stack.deaths.isEmpty());
            assertThat(node.stack.deaths).containsExactly(Nid.parse("10.99.0.1@tcp"));
        }
    }

    @Test
    void requestOfVersion2() throws IOException {
        try (Node node = new Node("::1@tcp", new Node.Ports(), new VirtualHost(), builder -> builder);
                RawPeer peer = RawPeer.connect("::1", "::1@tcp", node.port())) {
            assertThat(ConnectionRequest.to(node.nid).bytes()).isEqualTo(28);
            assertThat(peer.hello("::1@tcp", "fd00::5@tcp", 7, 1)).isEqualTo(1);
        }
    }
}
