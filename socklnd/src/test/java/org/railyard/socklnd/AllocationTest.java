package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/** Steady traffic allocates nothing, on no thread. */
class AllocationTest {
    private static final int WINDOW = 16;
    /** Messages; what is allocated once for all of them, such as by the measurement itself, does not count. */
    private static final int ROUND = 10_000;

    private static final int MOST_ROUNDS = 20;

    /** Receives every message into the same memory and counts. */
    private static final class CountingStack implements LndUpcalls {
        final AtomicLong sent = new AtomicLong();
        final AtomicLong received = new AtomicLong();
        final TestMessage target = new TestMessage(ByteBuffer.allocateDirect(1 << 20));

        @Override
        public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
            int length = header.payloadLength();
            target.fragments()[0].clear().limit(length);
            receiver.receive(target, length, length);
            return 0;
        }

        @Override
        public void complete(LndMessage message, int status, HealthStatus health) {
            if (status != 0) {
                throw new AssertionError("message failed: " + status);
            }
            (message == target ? received : sent).incrementAndGet();
        }

        @Override
        public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {}

        @Override
        public void deviceEvent(LndNi ni, DeviceEvent event) {}
    }

    private static LndNi start(SockLnd lnd, Nid nid) {
        LndNi ni = new TestNi(nid, nid.net(), "lo", NiRequest.ofNid(nid).tunables(), Map.of());
        lnd.startup(ni);
        return ni;
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096, 65_536})
    void steadyTrafficAllocatesNothing(int size) {
        Node.Ports ports = new Node.Ports();
        SockLndConfig config = SockLndConfig.builder()
                .acceptPort(0)
                .accept(AcceptPolicy.ALL)
                .sourcePorts(SourcePorts.ANY)
                .set(SockTunable.NSCHEDS, 1)
                .peerPorts(ports)
                .linkMonitor((device, address) -> DeviceLinkState.UP)
                .build();
        CountingStack left = new CountingStack();
        CountingStack right = new CountingStack();
        Nid a = Nid.parse("127.0.4.1@tcp");
        Nid b = Nid.parse("127.0.4.2@tcp");
        try (SockLnd sender = new SockLnd(config, left, new RealHost());
                SockLnd receiver = new SockLnd(config, right, new RealHost())) {
            LndNi from = start(sender, a);
            ports.set(b, receiver.listenPort(start(receiver, b)));
            TestMessage[] messages = new TestMessage[WINDOW];
            for (int i = 0; i < WINDOW; i++) {
                messages[i] = TestMessage.put(a, b, size, i);
            }
            exchange(sender, from, messages, left, right, 1);
            // From here on one connection carries everything: a target can serve only one.
            Await.until("each type", () -> sender.stats().connectionsOpen() == 3);
            // The compiler decides when what does not leave a method stops being allocated: the best of some rounds.
            long[] path = threadsOfThePath();
            assertThat(path).hasSizeGreaterThanOrEqualTo(3);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS && least > 0; round++) {
                long before = allocated(path);
                exchange(sender, from, messages, left, right, ROUND);
                least = Math.min(least, (allocated(path) - before) / ROUND);
            }
            assertThat(least).as("bytes allocated per message").isZero();
        }
    }

    /** The sending thread and all I/O threads; the worker that runs four times a second is none of them. */
    private static long[] threadsOfThePath() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread == Thread.currentThread() || thread.getName().startsWith("socklnd-io"))
                .mapToLong(Thread::threadId)
                .toArray();
    }

    private static long allocated(long[] path) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadAllocatedBytes(path)).sum();
    }

    @SuppressWarnings("ThreadPriorityCheck") // A wait of its own would allocate.
    private static void exchange(
            SockLnd lnd, LndNi from, TestMessage[] messages, CountingStack left, CountingStack right, int count) {
        long sentBefore = left.sent.get();
        long receivedBefore = right.received.get();
        long deadline = System.nanoTime() + 60_000_000_000L;
        for (int i = 0; i < count; i++) {
            // The window moves with the slowest: messages are used again in order.
            while (i - (left.sent.get() - sentBefore) >= WINDOW
                    || i - (right.received.get() - receivedBefore) >= WINDOW) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("stuck at message " + i);
                }
                Thread.yield();
            }
            TestMessage message = messages[i % WINDOW];
            message.fragments()[0].clear();
            if (lnd.send(from, message) != 0) {
                throw new AssertionError("not taken");
            }
        }
        Await.until(
                "all received",
                () -> right.received.get() - receivedBefore == count && left.sent.get() - sentBefore == count);
    }
}
