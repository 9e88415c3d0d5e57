package org.railyard.itest.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * One node, one honest peer, and peers that break the rules in every way we could think of. Whatever they do, the
 * honest peer is served, over the connection it has and over new ones, and threads, memory and log stay as they are.
 */
@Isolated
final class BadPeersTest {
    private static final int PORT = Loopback.freePort();
    private static final Nid VICTIM = Nid.parse("127.0.7.1@tcp");
    private static final Nid HONEST = Nid.parse("127.0.7.2@tcp");
    /** Each newcomer is another one: the end of one connection of a peer is the end of all its connections. */
    private static final AtomicInteger NEWCOMERS = new AtomicInteger();

    private static final Nid BAD = Nid.parse("127.0.7.66@tcp");
    private static final int PORTAL = 50;
    private static final int MOST_LINES = 6;
    private static final long MORE_DIRECT_BYTES = 8L << 20;

    private static LNet victim = Loopback.node(
            Loopback.transport(PORT).set(SockTunable.ACCEPT_TIMEOUT, 1).set(SockTunable.MIN_RECONNECT_MS, 50),
            settings -> settings,
            VICTIM.toString());
    private static LNet honest = Loopback.node(PORT, HONEST.toString());

    private Watch watch = new Watch();

    /** What a bad peer does. */
    interface Deed {
        /** Does it. */
        void on(Attacker attacker) throws IOException, WireFormatException;
    }

    /** A deed with a name. */
    record Attack(String name, Deed deed) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void meet() {
        victim.attach(
                MeConfig.of(PORTAL, 1),
                MdConfig.of(MemorySegment.ofArray(new byte[4096]))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        Await.value(honest.discover(VICTIM, false));
    }

    @BeforeEach
    void look() {
        watch.close();
        watch = new Watch();
    }

    @AfterEach
    void theHonestAreServed() throws IOException, WireFormatException {
        try {
            assertServed();
            watch.assertQuiet(MOST_LINES);
            watch.assertMemory(MORE_DIRECT_BYTES);
        } finally {
            watch.close();
        }
    }

    @AfterAll
    static void stop() {
        honest.close();
        victim.close();
    }

    private static Nid newcomer() {
        int number = NEWCOMERS.getAndIncrement();
        return Nid.parse("127.200." + number / 250 + "." + (1 + number % 250) + "@tcp");
    }

    private static void assertServed() throws IOException, WireFormatException {
        assertThat(Await.value("an answer to the honest peer", honest.ping(VICTIM, Nid.ANY, Duration.ofSeconds(10)))
                        .nids())
                .containsExactly(VICTIM);
        try (Attacker newcomer = attacker(newcomer()).shakeHands(ConnectionType.CONTROL)) {
            newcomer.awaitAnswerToPing();
        }
    }

    private static Attacker attacker(Nid self) throws IOException {
        return new Attacker(VICTIM, PORT, self);
    }

    static Stream<Attack> handshakes() {
        return Stream.of(
                new Attack("wrong magic", a -> a.send(Attacker.patched(a.request(), 0, 0xdeadbeef))),
                new Attack("the magic of a V1 hello", a -> a.send(Attacker.patched(a.request(), 0, 0xeebc0ded))),
                new Attack("a hello without a connection request", a -> {
                    a.send(a.hello(ConnectionType.CONTROL));
                    assertThat(a.awaitClose()).as("the refusal of an acceptor").matches(Attacker::isRefusal);
                }),
                new Attack("connection request of version 99", a -> {
                    a.send(Attacker.patched(a.request(), 4, 99));
                    assertThat(a.awaitClose()).as("the refusal of an acceptor").matches(Attacker::isRefusal);
                }),
                new Attack("connection request of version 0", a -> a.send(Attacker.patched(a.request(), 4, 0))),
                new Attack("connection request for a NID that is elsewhere", a -> a.send(Attacker.request(HONEST))),
                new Attack("connection request for 0@lo", a -> a.send(Attacker.request(Nid.LOOPBACK))),
                new Attack("connection request for the wildcard", a -> a.send(Attacker.request(Nid.ANY))),
                new Attack(
                        "connection request for another net",
                        a -> a.send(Attacker.request(Nid.parse("127.0.7.1@tcp7")))),
                new Attack(
                        "connection request for a large NID", a -> a.send(Attacker.request(Nid.parse("fe80::1@tcp")))),
                new Attack("half a connection request, then silence", a -> a.send(Arrays.copyOf(a.request(), 7))),
                new Attack("a connection request, then silence", a -> a.send(a.request())),
                new Attack("half a hello, then silence", a -> {
                    a.send(a.request());
                    a.send(Arrays.copyOf(a.hello(ConnectionType.CONTROL), 30));
                }),
                new Attack("a hello with a wrong magic", a -> {
                    a.send(a.request());
                    a.send(Attacker.patched(a.hello(ConnectionType.CONTROL), 0, 0x12345678));
                }),
                new Attack("a hello of version 99", a -> {
                    a.send(a.request());
                    a.send(Attacker.patched(a.hello(ConnectionType.CONTROL), 4, 99));
                    assertThat(a.awaitClose()).as("a hello that says no").hasSize(56);
                }),
                new Attack("a hello of type NONE", a -> greet(a, a.hello(BAD, -1, List.of()))),
                new Attack("a hello of an unknown type", a -> greet(a, a.hello(BAD, 77, List.of()))),
                new Attack(
                        "a hello with 17 addresses",
                        a -> greet(a, Attacker.patched(a.hello(ConnectionType.CONTROL), 52, 17))),
                new Attack(
                        "a hello with 2 billion addresses",
                        a -> greet(a, Attacker.patched(a.hello(ConnectionType.CONTROL), 52, -1))),
                new Attack("a hello with the address 0", a -> {
                    greet(a, Attacker.patched(a.hello(ConnectionType.CONTROL), 52, 1));
                    a.send(new byte[4]);
                }),
                new Attack("a hello from the wildcard", a -> greet(a, a.hello(Nid.ANY, 1, List.of()))),
                new Attack(
                        "a web browser",
                        a -> a.send("GET / HTTP/1.1\r\nHost: lnet\r\n\r\n".getBytes(StandardCharsets.US_ASCII))),
                new Attack(
                        "a TLS client",
                        a -> a.send(
                                new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xfc, 0x03, 0x03})),
                new Attack("noise", a -> a.send(noise(10_000))));
    }

    private static void greet(Attacker attacker, byte[] hello) throws IOException {
        attacker.send(attacker.request());
        attacker.send(hello);
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new SplittableRandom(5).nextBytes(noise);
        return noise;
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void aBadHandshakeEndsTheConnection(Attack attack) throws IOException, WireFormatException {
        try (Attacker attacker = attacker(BAD)) {
            attack.deed.on(attacker);
            attacker.awaitClose();
        }
    }

    static Stream<Attack> fatalFrames() {
        byte[] nothing = new byte[0];
        return Stream.of(
                new Attack("noise", a -> a.send(noise(10_000))),
                new Attack("unknown frame type", a -> a.send(Attacker.patched(a.ping(1), 0, 0xdead))),
                new Attack("unknown message type", a -> a.send(a.typed(9))),
                new Attack("hello as a message", a -> a.send(a.typed(4))),
                new Attack("negative message type", a -> a.send(a.typed(-1))),
                new Attack("LNet header in the other byte order", a -> a.send(a.bigEndianPing())),
                new Attack("PUT of 1 MiB and one byte", a -> a.send(a.promisedPut(Wire.MTU + 1))),
                new Attack("PUT of 4 GiB", a -> a.send(a.promisedPut(-1))),
                new Attack("PUT of 2 GiB", a -> a.send(a.promisedPut(Integer.MIN_VALUE))),
                new Attack("REPLY of 2 MiB", a -> a.send(Attacker.patched(a.reply(1, 1, nothing), 52, 2 << 20))),
                new Attack("GET with a payload", a -> a.send(Attacker.patched(a.ping(1), 52, 8))),
                new Attack("ACK with a payload", a -> a.send(Attacker.patched(a.ack(1, 1), 52, 8))),
                new Attack("for another node on the net", a -> a.send(pingOf(HONEST))),
                new Attack("for 0@lo", a -> a.send(pingOf(Nid.LOOPBACK))),
                new Attack(
                        "NOOP with a checksum that is wrong",
                        a -> a.send(Attacker.patched(Attacker.noop(0, 1), 4, 0x1234))),
                new Attack("zero-copy ack that nobody asked for", a -> a.send(Attacker.noop(0, 0x7777))),
                new Attack("range of zero-copy acks over everything", a -> a.send(Attacker.noop(2, Long.MAX_VALUE))));
    }

    private static byte[] pingOf(Nid target) {
        LNetHeader header = Attacker.header(BAD, target);
        header.setGet(1, 1, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 272);
        return Attacker.frame(header, new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("fatalFrames")
    void aFrameAgainstTheRulesEndsTheConnection(Attack attack) throws IOException, WireFormatException {
        try (Attacker attacker = attacker(BAD).shakeHands(ConnectionType.CONTROL)) {
            attacker.awaitAnswerToPing();
            attack.deed.on(attacker);
            attacker.awaitClose();
        }
    }

    static Stream<Attack> harmlessMessages() {
        return Stream.of(
                new Attack("for another net", a -> a.send(pingOf(Nid.parse("10.0.0.1@tcp5")))),
                new Attack("GET from portal 64", a -> a.send(a.get(64, 0, 0, 8))),
                new Attack("GET from portal -1", a -> a.send(a.get(-1, 0, 0, 8))),
                new Attack("GET that nothing matches", a -> a.send(a.get(PORTAL, 2, 0, 8))),
                new Attack("GET behind the end", a -> a.send(a.get(PORTAL, 1, 5000, 8))),
                new Attack("GET at a negative offset", a -> a.send(a.get(PORTAL, 1, -8, 8))),
                new Attack("GET of 4 GiB", a -> a.send(a.get(PORTAL, 1, 0, -1))),
                new Attack("PUT to portal 64", a -> a.send(a.put(64, 0, 0, new byte[100]))),
                new Attack("PUT that nothing matches", a -> a.send(a.put(PORTAL, 2, 0, new byte[100_000]))),
                new Attack("PUT over the end", a -> a.send(a.put(PORTAL, 1, 4000, new byte[1000]))),
                new Attack("PUT at a negative offset", a -> a.send(a.put(PORTAL, 1, -8, new byte[8]))),
                new Attack("ACK for nobody", a -> a.send(a.ack(123, 456))),
                new Attack("ACK without a handle", a -> a.send(a.ack(Wire.NO_COOKIE, Wire.NO_COOKIE))),
                new Attack("REPLY to nobody", a -> a.send(a.reply(123, 456, new byte[Wire.MTU]))),
                new Attack("ping info of noise", a -> a.send(a.push(noise(200)))),
                new Attack("ping info without a byte", a -> a.send(a.push(new byte[0]))),
                new Attack("ping info of one byte", a -> a.send(a.push(new byte[1]))),
                new Attack("ping info with 0 entries", a -> a.send(a.push(Attacker.patched(info(BAD), 12, 0)))),
                new Attack("ping info with 4097 entries", a -> a.send(a.push(Attacker.patched(info(BAD), 12, 4097)))),
                new Attack("ping info with -1 entries", a -> a.send(a.push(Attacker.patched(info(BAD), 12, -1)))),
                new Attack(
                        "ping info that promises more than it has",
                        a -> a.send(a.push(Attacker.patched(info(BAD), 12, 4096)))),
                new Attack("ping info without features", a -> a.send(a.push(Attacker.patched(info(BAD), 4, 0)))),
                new Attack("ping info with all features", a -> a.send(a.push(Attacker.patched(info(BAD), 4, -1)))),
                new Attack("ping info with the NID of the node itself", a -> a.send(a.push(info(BAD, VICTIM)))),
                new Attack("ping info with the NID of the honest peer", a -> a.send(a.push(info(BAD, HONEST)))),
                new Attack("ping info with many NIDs", a -> a.send(a.push(manyNids()))),
                new Attack("source 0@lo", a -> a.send(pingFrom(Nid.LOOPBACK))),
                new Attack("source wildcard", a -> a.send(pingFrom(Nid.ANY))),
                new Attack("source is the node itself", a -> a.send(pingFrom(VICTIM))),
                new Attack("source on another net", a -> a.send(pingFrom(Nid.parse("10.0.0.1@o2ib3")))),
                new Attack("source of an unknown kind", a -> a.send(pingFrom(Nid.ofNid4(0x0077_0001_0000_0001L)))),
                new Attack("NOOP that says nothing", a -> a.send(Attacker.noop(0, 0))),
                new Attack("keepalives without end", a -> {
                    for (int i = 0; i < 10_000; i++) {
                        a.send(Attacker.noop(0, 1));
                    }
                }));
    }

    private static byte[] pingFrom(Nid source) {
        LNetHeader header = Attacker.header(source, VICTIM);
        header.setGet(1, 1, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 272);
        return Attacker.frame(header, new byte[0]);
    }

    private static byte[] info(Nid... nids) {
        PingInfo info = PingInfo.of(
                PingInfo.NI_STATUS | PingInfo.RTE_DISABLED | PingInfo.MULTI_RAIL | PingInfo.DISCOVERY,
                12_345,
                7,
                Stream.of(nids)
                        .map(nid -> new PingInfo.Entry(nid, PingInfo.STATUS_UP))
                        .toList());
        byte[] bytes = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    private static byte[] manyNids() {
        Nid[] nids = new Nid[4000];
        for (int i = 0; i < nids.length; i++) {
            nids[i] = Nid.parse("127.1." + (i >> 8) + "." + (i & 0xff) + "@tcp");
        }
        return info(nids);
    }

    @ParameterizedTest
    @MethodSource("harmlessMessages")
    void aMessageThatIsOnlyStrangeIsPassedOver(Attack attack) throws IOException, WireFormatException {
        try (Attacker attacker = attacker(BAD).shakeHands(ConnectionType.CONTROL)) {
            attack.deed.on(attacker);
            attacker.awaitAnswerToPing();
        }
    }

    @Test
    void aPayloadThatBreaksOffIsNoPut() throws IOException, WireFormatException {
        try (Attacker attacker = attacker(BAD).shakeHands(ConnectionType.CONTROL)) {
            attacker.send(Arrays.copyOf(attacker.put(PORTAL, 1, 0, new byte[1000]), 500));
        }
        assertServed();
    }

    /**
     * LNet can not tell who really speaks (spec 01 §5.3). What a forger said holds until the owner of the NID speaks.
     */
    @Test
    void whoSpeaksInTheNameOfAnotherIsForgottenWhenTheOtherSpeaks() throws IOException, WireFormatException {
        try (Attacker attacker = attacker(BAD).shakeHands(ConnectionType.CONTROL)) {
            byte[] info = info(BAD);
            LNetHeader header = Attacker.header(HONEST, VICTIM);
            header.setPut(info.length, 5, 5, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 0);
            attacker.send(Attacker.frame(header, info));
            attacker.awaitAnswerToPing();
        }
        Await.value(honest.discover(VICTIM, true));
        Await.until(
                () -> "the honest peer under its own name: " + victim.peers(),
                () -> victim.knownPrimaryNid(HONEST).equals(HONEST));
        PeerInfo peer = Await.value(victim.discover(HONEST, true));
        assertThat(peer.primaryNid()).isEqualTo(HONEST);
        assertThat(peer.nis().stream().map(PeerInfo.PeerNiInfo::nid)).containsExactly(HONEST);
    }
}
