package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.tune.SockTunable;

/** Messages that the stack hands over together: those that need no decision of their own are taken. */
class SendSomeTest {
    private static final int MAX_QUEUED = 64;
    private static final int BIG = 100_000;

    private final Node.Ports ports = new Node.Ports();
    private final Node from = node("127.0.8.1@tcp");
    private final Node to = node("127.0.8.2@tcp");
    private final Nid stranger = Nid.parse("127.0.8.3@tcp");

    private Node node(String nid) {
        return new Node(nid, ports, new RealHost(), builder -> builder.set(SockTunable.MAX_QUEUED, MAX_QUEUED));
    }

    @AfterEach
    void close() {
        from.close();
        to.close();
    }

    private TestMessage message(Nid target, int length, long number) {
        return TestMessage.put(from.nid, target, length, number);
    }

    private int sendSome(LndMessage... messages) {
        return from.lnd.sendSome(from.ni, messages, messages.length);
    }

    /** Connects, and returns when nothing is left to be done for it: before, each message is looked at. */
    private void connect() {
        from.put(to, 4, 0);
        Await.until("connections", () -> sendSome(message(to.nid, 4, 0)) == 1);
        Await.until("arrivals", () -> to.stack.arrivals.size() == 2);
    }

    @Test
    void withoutAConnectionNothingIsTaken() {
        assertThat(sendSome(message(to.nid, 4, 1), message(to.nid, 4, 2))).isZero();
        assertThat(from.lnd.stats().connectionsOpen()).isZero();
    }

    @Test
    void allSmallOnesToThePeerAreTaken() {
        connect();
        LndMessage[] messages =
                IntStream.range(0, 32).mapToObj(i -> message(to.nid, i, i)).toArray(LndMessage[]::new);
        assertThat(sendSome(messages)).isEqualTo(32);
        Await.until("arrivals", () -> to.stack.arrivals.size() == 34);
        Await.until("completions", () -> from.stack.completions.size() == 34);
        List<Integer> numbers = to.stack.arrivals.stream()
                .skip(2)
                .map(arrival -> (int) arrival.header().matchBits())
                .toList();
        assertThat(numbers).isEqualTo(IntStream.range(0, 32).boxed().toList());
    }

    @Test
    void whatIsBigOrForAnotherEndsThem() {
        connect();
        assertThat(sendSome(message(to.nid, 8, 1), message(to.nid, BIG, 2), message(to.nid, 8, 3)))
                .isEqualTo(1);
        assertThat(sendSome(message(to.nid, 8, 1), message(to.nid, 8, 2), message(stranger, 8, 3)))
                .isEqualTo(2);
        TestMessage otherProcess = message(to.nid, 8, 3);
        otherProcess.setNextHop(to.nid, 7 | ProcessId.USER_FLAG);
        assertThat(sendSome(message(to.nid, 8, 1), otherProcess)).isEqualTo(1);
        assertThat(sendSome(message(stranger, 8, 1), message(to.nid, 8, 2))).isZero();
        assertThat(sendSome(message(to.nid, BIG, 1), message(to.nid, 8, 2))).isZero();
        Await.until("completions", () -> from.stack.completions.size() == 6);
    }

    @Test
    void freedMemoryEndsThem() {
        connect();
        TestMessage freed;
        try (Arena arena = Arena.ofShared()) {
            freed = TestMessage.put(from.nid, to.nid, 1, arena.allocate(8).asByteBuffer());
        }
        assertThat(sendSome(message(to.nid, 8, 1), freed, message(to.nid, 8, 2)))
                .isEqualTo(1);
        assertThat(from.lnd.send(from.ni, freed)).isEqualTo(Errno.EFAULT.status());
        Await.until("completions", () -> from.stack.completions.size() == 3);
    }

    @Test
    void afterTheNiStoppedNothingIsTaken() {
        connect();
        from.lnd.shutdown(from.ni);
        assertThat(sendSome(message(to.nid, 4, 1))).isZero();
    }
}
