package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** A stack that says late where payloads go, as a router does that is short of credits, misses none of the stream. */
class LateDecisionTest {
    private static final String NID = "127.0.6.1@tcp";
    private static final Nid SENDER = Nid.parse("10.0.0.9@tcp");

    private final Node node = new Node(NID, new Node.Ports(), new RealHost(), builder -> builder);

    /** A PUT of four bytes that says its number in its match bits. */
    private static String put(int number) {
        String bits = HexFormat.of().toHexDigits(Integer.reverseBytes(number)) + "00000000";
        return "c1000000" + "00".repeat(20) + "0106007f00000200" + "0900000a00000200" + "3930000039300000"
                + "0100000004000000" + "ff".repeat(16) + bits + "00".repeat(16) + "01020304";
    }

    private void assertAllArrive(int messages) throws IOException {
        try (RawPeer peer = RawPeer.connect("127.0.6.3", NID, node.port())) {
            peer.control(NID, SENDER.toString(), 1);
            StringBuilder stream = new StringBuilder();
            IntStream.range(0, messages).forEach(i -> stream.append(put(i)));
            peer.send(stream.toString());
            Await.until(
                    "all",
                    () -> node.stack.arrivals.size() == messages
                            || node.lnd.stats().closed() > 0);
            assertThat(node.stack.arrivals)
                    .extracting(arrival -> (int) arrival.header().matchBits())
                    .isEqualTo(IntStream.range(0, messages).boxed().toList());
            assertThat(node.stack.arrivals)
                    .allSatisfy(arrival -> assertThat(arrival.payload()).containsExactly(1, 2, 3, 4));
        } finally {
            node.close();
        }
    }

    @Test
    void whenWhatIsCompleteIsTold() throws IOException {
        // The I/O thread alone touches it.
        Queue<Runnable> waiting = new ArrayDeque<>();
        node.stack.policy = (ni, header, from, pid, receiver) -> {
            if (header.matchBits() % 20 != 0) {
                return node.stack.store(ni, header, from, pid, receiver);
            }
            waiting.add(() -> node.stack.store(ni, header, from, pid, receiver));
            return 0;
        };
        node.stack.atFlush = () -> {
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        };
        assertAllArrive(5000);
    }

    @Test
    void onAnotherThread() throws IOException {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            node.stack.policy = (ni, header, from, pid, receiver) -> decideOn(other, ni, header, from, pid, receiver);
            assertAllArrive(5000);
        }
    }

    private int decideOn(ExecutorService other, LndNi ni, LNetHeader header, Nid from, int pid, LndReceiver receiver) {
        other.execute(() -> node.stack.store(ni, header, from, pid, receiver));
        return 0;
    }
}
