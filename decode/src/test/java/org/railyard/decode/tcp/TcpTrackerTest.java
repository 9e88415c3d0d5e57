package org.railyard.decode.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.railyard.decode.capture.CaptureProblems;

class TcpTrackerTest {
    private static final int ISN = 0xfffffffd;

    private final List<String> complaints = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final TcpTracker tracker = new TcpTracker(Set.of(988), new Log(), new CaptureProblems(complaints::add));
    private long packet;

    /** Writes down what it learns: {@code c1> 0:text}, with {@code *} where a segment starts. */
    private final class Log implements ConnectionListener {
        @Override
        public Listeners opened(TcpConnection connection) {
            log.add("c" + connection.number() + " " + connection.initiator() + " " + connection.acceptor()
                    + (connection.complete() ? "" : " incomplete"));
            return new Listeners(stream("c" + connection.number() + "> "), stream("c" + connection.number() + "< "));
        }

        @Override
        public void flag(TcpConnection connection, boolean fromInitiator, Flag flag, TcpSegment segment) {
            log.add("c" + connection.number() + (fromInitiator ? "> " : "< ") + flag);
        }

        private StreamListener stream(String prefix) {
            return new StreamListener() {
                @Override
                public void data(long offset, MemorySegment bytes, TcpSegment segment, boolean segmentStart) {
                    String text = new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
                    log.add(prefix + offset + ":" + (segmentStart ? "*" : "") + text);
                }

                @Override
                public void gap(long offset, long length, TcpSegment noticed) {
                    log.add(prefix + offset + ":gap " + length);
                }

                @Override
                public void end() {
                    log.add(prefix + "end");
                }
            };
        }
    }

    private void a(int sequence, int flags, String text) {
        add(true, 1023, 988, sequence, flags, text, 0);
    }

    private void b(int sequence, int flags, String text) {
        add(false, 1023, 988, sequence, flags, text, 0);
    }

    private void add(boolean fromA, int portA, int portB, int sequence, int flags, String text, long missing) {
        TcpEndpoint a = new TcpEndpoint(Packets.A, portA);
        TcpEndpoint b = new TcpEndpoint(Packets.B, portB);
        MemorySegment payload = MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
        tracker.add(new TcpSegment(packet++, 24, 0, fromA ? a : b, fromA ? b : a, sequence, flags, payload, missing));
    }

    private void open() {
        a(ISN, TcpSegment.SYN, "");
        b(99, TcpSegment.SYN | TcpSegment.ACK, "");
        log.clear();
    }

    @Test
    void followsAConnectionFromSynToFin() {
        a(ISN, TcpSegment.SYN, "");
        a(ISN, TcpSegment.SYN, "");
        b(99, TcpSegment.SYN | TcpSegment.ACK, "");
        a(ISN + 1, TcpSegment.ACK, "hello");
        b(100, TcpSegment.ACK, "world");
        a(ISN + 6, TcpSegment.FIN | TcpSegment.ACK, "!");
        a(ISN + 6, TcpSegment.FIN | TcpSegment.ACK, "!");
        b(105, TcpSegment.FIN, "");
        a(ISN + 8, TcpSegment.RST, "");
        a(ISN + 8, TcpSegment.RST, "");
        tracker.end();
        assertThat(log)
                .containsExactly(
                        "c1 10.0.0.1:1023 10.0.0.2:988",
                        "c1> SYN",
                        "c1> SYN_AGAIN",
                        "c1> 0:*hello",
                        "c1< 0:*world",
                        "c1> 5:*!",
                        "c1> FIN",
                        "c1< FIN",
                        "c1> RST",
                        "c1> RST",
                        "c1> end",
                        "c1< end");
    }

    @Test
    void putsSegmentsIntoOrderAcrossTheWrapOfSequenceNumbers() {
        open();
        a(ISN + 4, 0, "def");
        a(ISN + 7, 0, "ghi");
        a(ISN + 1, 0, "abc");
        assertThat(log).containsExactly("c1> 0:*abc", "c1> 3:*def", "c1> 6:*ghi");
    }

    @Test
    void deliversEachByteOnce() {
        open();
        a(ISN + 1, 0, "abc");
        a(ISN + 1, 0, "abc");
        a(ISN, 0, "x");
        a(ISN + 2, 0, "bcde");
        a(ISN + 9, 0, "ij");
        a(ISN + 9, 0, "ijkl");
        a(ISN + 9, 0, "i");
        a(ISN + 6, 0, "fghi");
        assertThat(log).containsExactly("c1> 0:*abc", "c1> 3:de", "c1> 5:*fghi", "c1> 9:jkl");
    }

    @Test
    void declaresAGapAtTheEnd() {
        open();
        a(ISN + 1, 0, "ab");
        a(ISN + 5, 0, "ef");
        a(ISN + 10, 0, "k");
        tracker.end();
        assertThat(log)
                .containsExactly(
                        "c1> 0:*ab", "c1> 2:gap 2", "c1> 4:*ef", "c1> 6:gap 3", "c1> 9:*k", "c1> end", "c1< end");
    }

    @Test
    void boundsWhatWaits() {
        open();
        for (int i = 0; i <= TcpStream.MAX_WAITING; i++) {
            a(ISN + 11 + i, 0, "x");
        }
        assertThat(log).hasSize(TcpStream.MAX_WAITING + 2).startsWith("c1> 0:gap 10", "c1> 10:*x");
        log.clear();
        String large = "y".repeat(1 << 20);
        for (int i = 0; i <= 16; i++) {
            a(ISN + 100_000 + i * (1 << 20), 0, large);
        }
        assertThat(log).anyMatch(line -> line.contains("gap"));
    }

    @Test
    void takesWhatWasNotCapturedForAGap() {
        open();
        add(true, 1023, 988, ISN + 1, 0, "ab", 3);
        a(ISN + 6, 0, "fg");
        assertThat(log).containsExactly("c1> 0:*ab", "c1> 2:gap 3", "c1> 5:*fg");
    }

    @Test
    void reportsASequenceNumberFromElsewhere() {
        open();
        a(ISN + (1 << 30) + 2, 0, "far");
        assertThat(log).isEmpty();
        assertThat(complaints)
                .containsExactly(
                        "offset 24: found sequence number 1073741823, expected one near those of the connection");
    }

    @Test
    void takesTheSameEndsForAnotherConnectionAfterANewSyn() {
        open();
        a(ISN + 1, 0, "one");
        a(5000, TcpSegment.SYN, "");
        a(5001, 0, "two");
        tracker.end();
        assertThat(log)
                .containsExactly(
                        "c1> 0:*one",
                        "c1> end",
                        "c1< end",
                        "c2 10.0.0.1:1023 10.0.0.2:988",
                        "c2> SYN",
                        "c2> 0:*two",
                        "c2> end",
                        "c2< end");
    }

    @Test
    void guessesWhoOpenedAConnectionThatWasOpenBefore() {
        b(100, 0, "data");
        a(7, 0, "more");
        assertThat(log).containsExactly("c1 10.0.0.1:1023 10.0.0.2:988 incomplete", "c1< 0:*data", "c1> 0:*more");
        log.clear();
        add(false, 1022, 988, 99, TcpSegment.SYN | TcpSegment.ACK, "", 0);
        add(false, 1022, 988, 100, 0, "x", 0);
        assertThat(log).containsExactly("c2 10.0.0.1:1022 10.0.0.2:988 incomplete", "c2< 0:*x");
    }

    @Test
    void countsConnectionsToOtherPorts() {
        add(true, 1023, 22, 1, TcpSegment.SYN, "", 0);
        add(false, 1023, 22, 1, TcpSegment.SYN, "", 0);
        add(true, 1024, 22, 1, TcpSegment.SYN, "", 0);
        assertThat(tracker.skippedConnections()).isEqualTo(2);
        assertThat(log).isEmpty();
    }

    @Test
    void boundsConnections() {
        for (int i = 0; i < TcpTracker.MAX_CONNECTIONS + 5; i++) {
            a(i * 10, TcpSegment.SYN, "");
        }
        assertThat(log).filteredOn(line -> line.endsWith("SYN")).hasSize(TcpTracker.MAX_CONNECTIONS);
        assertThat(complaints).singleElement().asString().contains("at most 65536");
    }
}
