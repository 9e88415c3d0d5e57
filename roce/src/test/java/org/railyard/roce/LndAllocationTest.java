package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.host.Duty;
import org.railyard.base.host.Host;
import org.railyard.base.host.NodeClock;
import org.railyard.base.host.Worker;
import org.railyard.base.wire.Wire;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.roce.api.RoceSettings;

/**
 * Steady traffic of small LNet messages over InfiniBand over UDP allocates next to nothing, in all layers below LNet
 * together.
 */
class LndAllocationTest {
    /** Many messages share a call of the system, and the calls have to be compiled before they allocate nothing. */
    private static final int WARM_UP = 50_000;

    private static final int MEASURED = 5_000;

    /** What is compiled allocates nothing; on a busy machine the compiler may come late. */
    private static final int ROUNDS = 10;

    /** What is measured when all is compiled. */
    private static final long STEADY_BYTES_PER_MESSAGE = 64;

    /** Tasks handed to another thread take a node of its queue; counting allocates, too. */
    private static final long MOST_BYTES_PER_MESSAGE = 128;

    private static final int WINDOW = 8;
    private static final String HERE = "127.0.43.1";
    private static final String THERE = "127.0.43.2";

    private record TestNi(Nid nid, Net net) implements LndNi {
        TestNi(String text) {
            this(Nid.parse(text), Nid.parse(text).net());
        }

        @Override
        public String interfaceName() {
            return "lo";
        }

        @Override
        public NetTunables tunables() {
            return NetTunables.DEFAULT;
        }

        @Override
        public Map<String, Integer> lndTunables() {
            return Map.of();
        }
    }

    /**
     * The real machine, where time goes by slowly: what is done now and then, such as a look at the interfaces, is done
     * hardly ever.
     */
    private record SlowHost(Host real, NodeClock clock) implements Host {
        private static final int FACTOR = 1000;

        SlowHost(Host real) {
            this(real, slow(real.clock()));
        }

        private static NodeClock slow(NodeClock clock) {
            return new NodeClock() {
                @Override
                public long nanoTime() {
                    return clock.nanoTime() / FACTOR;
                }

                @Override
                public long wallNanos() {
                    return clock.wallNanos();
                }
            };
        }

        @Override
        public RandomGenerator random() {
            return real.random();
        }

        @Override
        public Worker startWorker(String name, Duty duty) {
            return real.startWorker(name, now -> duty.run(now / FACTOR) * FACTOR);
        }
    }

    /** A message over the same memory again and again. */
    private static final class Repeated implements LndMessage {
        private final LNetHeader header = new LNetHeader();
        private final ByteBuffer[] fragments;
        private final Nid to;
        private int length;

        Repeated(Nid from, Nid to, int length) {
            this.to = to;
            this.fragments = new ByteBuffer[] {ByteBuffer.allocateDirect(length)};
            header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, 7, 1, 0, 0);
            header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
            rewind(length);
        }

        Repeated rewind(int bytes) {
            length = bytes;
            fragments[0].clear().limit(bytes);
            return this;
        }

        @Override
        public LNetHeader header() {
            return header;
        }

        @Override
        public Nid nextHop() {
            return to;
        }

        @Override
        public int nextHopPid() {
            return ProcessId.LUSTRE_PID;
        }

        @Override
        public int payloadLength() {
            return length;
        }

        @Override
        public ByteBuffer[] fragments() {
            return fragments;
        }

        @Override
        public int fragmentCount() {
            return 1;
        }

        @Override
        public long timeoutNanos() {
            return 0;
        }
    }

    /** Receives every message into the same memory and counts. */
    private static final class CountingStack implements LndUpcalls {
        final AtomicLong done = new AtomicLong();
        final Repeated target = new Repeated(Nid.ANY, Nid.ANY, 1 << 20);

        @Override
        public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
            int length = header.payloadLength();
            receiver.receive(target.rewind(length), length, length);
            return 0;
        }

        @Override
        public void complete(LndMessage message, int status, HealthStatus health) {
            if (status != 0) {
                throw new AssertionError("message failed: " + status);
            }
            if (message != target) {
                done.incrementAndGet();
            }
        }

        @Override
        public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
            // Both stay alive.
        }

        @Override
        public void deviceEvent(LndNi ni, DeviceEvent event) {
            // Devices stay as they are.
        }
    }

    private static long allocated() {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("roce") || thread == Thread.currentThread())
                .mapToLong(Thread::threadId)
                .toArray();
        return Arrays.stream(bean.getThreadAllocatedBytes(threads)).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 3976})
    void steadyTrafficAllocatesNextToNothing(int size) {
        Host host = new SlowHost(new RealHost());
        RoceSettings settings = RoceSettings.DEFAULT.withUdpPort(14_795);
        CountingStack stack = new CountingStack();
        try (RoceProvider near = RoceProvider.open(host, List.of(HERE), settings);
                RoceProvider far = RoceProvider.open(host, List.of(THERE), settings);
                O2ibLnd lnd = new O2ibLnd(stack, host, near, Tunables.DEFAULT);
                O2ibLnd farLnd = new O2ibLnd(new CountingStack(), host, far, Tunables.DEFAULT)) {
            LndNi ni = new TestNi(HERE + "@o2ib");
            LndNi farNi = new TestNi(THERE + "@o2ib");
            lnd.startup(ni);
            farLnd.startup(farNi);
            Repeated[] messages = new Repeated[WINDOW];
            for (int i = 0; i < WINDOW; i++) {
                messages[i] = new Repeated(ni.nid(), farNi.nid(), size);
            }
            send(lnd, ni, messages, stack, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least >= STEADY_BYTES_PER_MESSAGE; round++) {
                long before = allocated();
                send(lnd, ni, messages, stack, MEASURED);
                least = Math.min(least, (allocated() - before) / MEASURED);
            }
            assertThat(least)
                    .as("bytes allocated per message of " + size + " bytes")
                    .isLessThan(MOST_BYTES_PER_MESSAGE);
        }
    }

    /** Sends a window of messages, and each window when the one before has come back. */
    private static void send(O2ibLnd lnd, LndNi ni, Repeated[] messages, CountingStack stack, int count) {
        for (int sent = 0; sent < count; sent += messages.length) {
            long goal = stack.done.get() + messages.length;
            for (Repeated message : messages) {
                int status = lnd.send(ni, message.rewind(message.payloadLength()));
                if (status < 0) {
                    throw new AssertionError("not taken: " + status);
                }
            }
            while (stack.done.get() < goal) {
                LockSupport.parkNanos(1000);
            }
        }
    }
}
