package org.railyard.itest.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ConnectionType;

/**
 * Too much of everything: callers, connections, messages, answers that nobody takes. An honest peer is served meanwhile
 * and afterwards.
 */
@Isolated
final class FloodTest {
    private static final Nid VICTIM = Nid.parse("127.0.8.1@tcp");
    private static final Nid HONEST = Nid.parse("127.0.8.2@tcp");
    /** Each newcomer is another one: the end of one connection of a peer is the end of all its connections. */
    private static final AtomicInteger NEWCOMERS = new AtomicInteger();

    private static final Nid BAD = Nid.parse("127.0.8.66@tcp");
    private static final int BATCH = 200;
    private static final int MOST_LINES = 12;
    private static final long MORE_DIRECT_BYTES = 8L << 20;
    /** What PUTs may take that wait for a descriptor. */
    private static final long MOST_DELAYED_BYTES = 64L << 20;

    private final int port = Loopback.freePort();
    private final LNet victim = Loopback.node(
            Loopback.transport(port).set(SockTunable.ACCEPT_TIMEOUT, 2), settings -> settings, VICTIM.toString());
    private final LNet honest = Loopback.node(port, HONEST.toString());
    private Watch watch = new Watch();

    @BeforeEach
    void look() throws IOException, WireFormatException {
        assertServed();
        watch.close();
        watch = new Watch();
    }

    @AfterEach
    void theHonestAreServed() throws IOException, WireFormatException {
        try {
            assertServed();
            watch.assertQuiet(MOST_LINES);
        } finally {
            watch.close();
            honest.close();
            victim.close();
        }
        watch.assertMemory(MORE_DIRECT_BYTES);
    }

    private static Nid newcomer() {
        int number = NEWCOMERS.getAndIncrement();
        return Nid.parse("127.210." + number / 250 + "." + (1 + number % 250) + "@tcp");
    }

    private void assertServed() throws IOException, WireFormatException {
        assertThat(Await.value("an answer to the honest peer", honest.ping(VICTIM, Nid.ANY, Duration.ofSeconds(10)))
                        .nids())
                .containsExactly(VICTIM);
        try (Attacker newcomer = new Attacker(VICTIM, port, newcomer()).shakeHands(ConnectionType.CONTROL)) {
            newcomer.awaitAnswerToPing();
        }
    }

    @Test
    void silentCallersBlockNobody() throws IOException, WireFormatException {
        List<Attacker> silent = new ArrayList<>();
        for (int i = 0; i < 480; i++) {
            silent.add(new Attacker(VICTIM, port, Nid.parse("127.0.9." + (1 + i % 4) + "@tcp")));
            if (i % 100 == 99) {
                assertServed();
            }
        }
        assertServed();
        for (Attacker attacker : silent) {
            assertThat(attacker.awaitClose()).isEmpty();
            attacker.close();
        }
    }

    @Test
    void halfHandshakesBlockNobody() throws IOException, WireFormatException {
        List<Attacker> half = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Attacker attacker = new Attacker(VICTIM, port, Nid.parse("127.0.9." + (1 + i % 4) + "@tcp"));
            attacker.send(attacker.request());
            half.add(attacker);
        }
        assertServed();
        for (Attacker attacker : half) {
            assertThat(attacker.awaitClose()).isEmpty();
            attacker.close();
        }
    }

    @Test
    void aPeerHasOnlySoManyConnections() throws IOException, WireFormatException {
        int limit = SockTunable.MAX_CONNECTIONS_PER_PEER.spec().defaultValue();
        List<Attacker> connected = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < limit + 50; i++) {
            Attacker attacker = new Attacker(VICTIM, port, BAD);
            connected.add(attacker);
            try {
                attacker.shakeHands(ConnectionType.BULK_OUT);
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).isEqualTo(50);
        assertServed();
        for (Attacker attacker : connected) {
            attacker.close();
        }
    }

    @Test
    void peersWithoutNumber() throws IOException, WireFormatException {
        for (int i = 0; i < 500; i++) {
            try (Attacker attacker =
                    new Attacker(VICTIM, port, Nid.parse("127.0." + (10 + i / 250) + "." + (1 + i % 250) + "@tcp"))) {
                attacker.shakeHands(ConnectionType.CONTROL);
                attacker.send(attacker.ping(1));
            }
        }
        assertServed();
    }

    @Test
    void stormOfMessagesThatNothingMatches() throws IOException, WireFormatException {
        victim.attach(
                MeConfig.of(40, 1),
                MdConfig.of(MemorySegment.ofArray(new byte[8])).withOptions(MdOption.OP_PUT));
        try (Attacker attacker = new Attacker(VICTIM, port, BAD).shakeHands(ConnectionType.CONTROL)) {
            storm(attacker, 20_000, attacker.get(40, 3, 0, 4096));
            assertServed();
            storm(attacker, 20_000, attacker.put(40, 3, 0, new byte[2048]));
            assertServed();
            attacker.awaitAnswerToPing();
        }
        assertThat(victim.dropCount()).isGreaterThanOrEqualTo(40_000);
    }

    @Test
    void putsThatWaitForADescriptorHaveALimit() throws IOException, WireFormatException {
        try (Attacker attacker = new Attacker(VICTIM, port, BAD).shakeHands(ConnectionType.CONTROL)) {
            // A portal that was never used is lazy.
            byte[] put = attacker.put(41, 3, 0, new byte[256 << 10]);
            for (int i = 0; i < 1000; i++) {
                attacker.send(put);
            }
            attacker.awaitAnswerToPing();
            watch.assertMemory(MOST_DELAYED_BYTES + MORE_DIRECT_BYTES);
            assertServed();
        }
    }

    @Test
    void stormOfGuessedAcksAndReplies() throws IOException, WireFormatException {
        try (Attacker attacker = new Attacker(VICTIM, port, BAD).shakeHands(ConnectionType.CONTROL)) {
            for (int batch = 0; batch < 100; batch++) {
                ByteArrayOutputStream frames = new ByteArrayOutputStream();
                for (int i = 0; i < BATCH; i++) {
                    long guess = (long) batch * BATCH + i;
                    frames.writeBytes(attacker.ack(guess, guess));
                    frames.writeBytes(attacker.reply(guess, guess << 2 | 1, new byte[48]));
                }
                attacker.send(frames.toByteArray());
            }
            attacker.awaitAnswerToPing();
        }
    }

    @Test
    void stormOfBadPushes() throws IOException, WireFormatException {
        try (Attacker attacker = new Attacker(VICTIM, port, BAD).shakeHands(ConnectionType.CONTROL)) {
            for (int i = 0; i < 200; i++) {
                attacker.send(attacker.push(new byte[100]));
            }
            attacker.awaitAnswerToPing();
        }
    }

    private static void storm(Attacker attacker, int messages, byte[] frame) throws IOException {
        byte[] batch = new byte[frame.length * BATCH];
        for (int i = 0; i < BATCH; i++) {
            System.arraycopy(frame, 0, batch, i * frame.length, frame.length);
        }
        for (int i = 0; i < messages / BATCH; i++) {
            attacker.send(batch);
        }
    }

    @Test
    void answersThatNobodyReads() throws IOException, WireFormatException {
        AtomicLong batches = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        try (Attacker attacker = new Attacker(VICTIM, port, BAD).shakeHands(ConnectionType.CONTROL)) {
            Thread.ofVirtual().start(() -> {
                try {
                    // Far more answers than sockets can hold.
                    for (int i = 0; i < 2000; i++) {
                        storm(attacker, BATCH, attacker.ping(i));
                        batches.incrementAndGet();
                    }
                } catch (IOException e) {
                    // The node, or the end of the test, has closed the connection.
                } finally {
                    ended.set(true);
                }
            });
            Await.until("some questions", () -> batches.get() > 20 || ended.get());
            for (int i = 0; i < 50; i++) {
                assertServed();
            }
        }
        Await.until("the end of the questions", ended::get);
    }
}
