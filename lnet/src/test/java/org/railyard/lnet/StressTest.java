package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.DirectLnd;
import org.railyard.lnet.sim.TestHost;
import org.railyard.testkit.Requirement;

/**
 * Many threads on two nodes whose transport delivers at once: whatever they do, nobody is stuck and nothing is lost or
 * left.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StressTest {
    private static final int THREADS = 6;

    /** All of them together are fewer requests than a peer NI may bring before one is answered. */
    private static final int ROUNDS = Boolean.getBoolean("railyard.long") ? 18_000 : 4_000;

    private static final int PORTAL = 33;
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid B = Nid.parse("10.0.0.2@tcp");

    private final TestHost hostA = new TestHost(1_700_000_000_000_000_000L);
    private final TestHost hostB = new TestHost(1_700_000_001_000_000_000L);
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final DirectLnd.Wire wire = new DirectLnd.Wire();

    /** What a thread does; it gets its number and the round. */
    private interface Work {
        void run(int thread, int round, Random random);
    }

    private void inParallel(Work work) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads.add(Thread.ofPlatform().start(() -> {
                Random random = new Random(number);
                try {
                    start.await();
                    for (int round = 0; round < ROUNDS; round++) {
                        work.run(number, round, random);
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    private void discoverEachOther(LNet a) {
        var found = a.discover(B, false);
        TestHost.settle(hostA, hostB);
        assertThat(found).isCompleted();
    }

    private static MdConfig memory(int bytes) {
        return MdConfig.of(Arena.ofAuto().allocate(bytes));
    }

    private static void isAtRest(LNet node) {
        node.close();
        assertThat(node.messagesInUse()).isZero();
        assertThat(node.nis()).allMatch(ni -> ni.credits() == ni.maxCredits());
        assertThat(node.peers())
                .allMatch(peer -> peer.nis().stream().allMatch(ni -> ni.credits() == 8 && ni.queuedBytes() == 0));
    }

    /** Notices when a handler is called by two threads at once, and counts. */
    private final class Counter implements EventHandler {
        final AtomicBoolean busy = new AtomicBoolean();
        final AtomicInteger events = new AtomicInteger();
        final AtomicInteger last = new AtomicInteger();
        private long sequence;

        @Override
        public void onEvent(Event event) {
            if (!busy.compareAndSet(false, true)) {
                failures.add(new AssertionError("two threads in one handler"));
            }
            if (event.sequence() <= sequence) {
                failures.add(new AssertionError("events of one descriptor out of order"));
            }
            if (last.get() > 0) {
                failures.add(new AssertionError(event.kind() + " after the last event"));
            }
            sequence = event.sequence();
            events.incrementAndGet();
            last.addAndGet(event.unlinked() ? 1 : 0);
            busy.set(false);
        }
    }

    @Test
    void manySendersOneSharedDescriptorOnEachSide() throws InterruptedException {
        LNet a = wire.node(hostA, A.toString(), "10.0.1.1@tcp");
        LNet b = wire.node(hostB, B.toString(), "10.0.1.2@tcp");
        discoverEachOther(a);
        Counter sink = new Counter();
        Counter source = new Counter();
        b.attach(
                MeConfig.of(PORTAL, 7),
                memory(64)
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .withHandler(sink));
        Md shared = a.bind(memory(64).withHandler(source));
        inParallel((thread, round, random) -> {
            if (thread % 2 == 0) {
                a.put(shared, true, Nid.ANY, ProcessId.of(B), PORTAL, 7, 0, round);
            } else {
                a.get(shared, Nid.ANY, ProcessId.of(B), PORTAL, 7, 0);
            }
        });
        shared.unlink();
        assertThat(sink.events.get()).isEqualTo(THREADS * ROUNDS);
        assertThat(source.events.get()).isEqualTo(2 * THREADS * ROUNDS + 1);
        isAtRest(a);
        isAtRest(b);
        assertThat(source.last.get()).isEqualTo(1);
        assertThat(sink.last.get()).isEqualTo(1);
    }

    @Test
    void descriptorsThatComeAndGoInBothDirections() throws InterruptedException {
        LNet a = wire.node(hostA, A.toString(), "10.0.1.1@tcp");
        LNet b = wire.node(hostB, B.toString(), "10.0.1.2@tcp");
        discoverEachOther(a);
        LNet[] nodes = {a, b};
        Nid[] nids = {A, B};
        for (LNet node : nodes) {
            node.attach(
                    MeConfig.of(PORTAL, 7),
                    memory(64)
                            .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
        }
        ConcurrentLinkedQueue<Counter> counters = new ConcurrentLinkedQueue<>();
        AtomicLong unlinks = new AtomicLong();
        inParallel((thread, round, random) -> {
            int side = random.nextInt(2);
            LNet node = nodes[side];
            ProcessId to = ProcessId.of(nids[1 - side]);
            Counter counter = new Counter();
            counters.add(counter);
            MdConfig config = memory(64).withHandler(counter);
            switch (random.nextInt(4)) {
                case 0 -> {
                    Md md = node.bind(config);
                    node.put(md, true, Nid.ANY, to, PORTAL, 7, 0, 0);
                    md.unlink();
                    unlinks.incrementAndGet();
                }
                case 1 -> node.get(node.bind(config.withThreshold(2).withAutoUnlink()), Nid.ANY, to, PORTAL, 7, 0);
                case 2 ->
                    node.put(node.bind(config.withThreshold(1).withAutoUnlink()), false, Nid.ANY, to, PORTAL, 7, 0, 0);
                default -> {
                    long bits = 1000L + thread;
                    Md md = node.attach(
                            MeConfig.of(PORTAL, bits), config.withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
                    LNet other = nodes[1 - side];
                    other.put(
                            other.bind(memory(8).withThreshold(2).withAutoUnlink()),
                            true,
                            Nid.ANY,
                            ProcessId.of(nids[side]),
                            PORTAL,
                            bits,
                            0,
                            0);
                    md.unlink();
                }
            }
        });
        isAtRest(a);
        isAtRest(b);
        assertThat(unlinks.get()).isPositive();
        assertThat(counters).hasSize(THREADS * ROUNDS).allMatch(counter -> counter.last.get() == 1);
    }

    @Test
    @Requirement("rsl-136")
    void partitionsOfNisChangeUnderManySenders() throws InterruptedException {
        TestHost host = new TestHost(1_700_000_000_000_000_000L, CpuLayout.grid(2, 2, 20));
        LNet a = wire.node(host, A.toString(), "10.0.1.1@tcp");
        LNet b = wire.node(hostB, B.toString(), "10.0.1.2@tcp");
        var found = a.discover(B, false);
        TestHost.settle(host, hostB);
        assertThat(found).isCompleted();
        Counter sink = new Counter();
        b.attach(
                MeConfig.of(PORTAL, 7),
                memory(64).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE).withHandler(sink));
        List<List<Integer>> maps = List.of(List.of(0), List.of(1), List.of());
        ConcurrentLinkedQueue<Counter> counters = new ConcurrentLinkedQueue<>();
        inParallel((thread, round, random) -> {
            if (thread == 0) {
                a.selection().setNiCpts(a.nids().get(random.nextInt(2)), maps.get(random.nextInt(maps.size())));
                return;
            }
            Counter counter = new Counter();
            counters.add(counter);
            a.put(
                    a.bind(memory(8).withThreshold(2).withAutoUnlink().withHandler(counter)),
                    true,
                    Nid.ANY,
                    ProcessId.of(B),
                    PORTAL,
                    7,
                    0,
                    0);
        });
        assertThat(sink.events.get()).isEqualTo((THREADS - 1) * ROUNDS);
        assertThat(counters).allMatch(counter -> counter.events.get() == 2 && counter.last.get() == 1);
        isAtRest(a);
        isAtRest(b);
    }

    @Test
    void aCloseInTheMiddleOfEverything() throws InterruptedException {
        LNet a = wire.node(hostA, A.toString());
        LNet b = wire.node(hostB, B.toString());
        discoverEachOther(a);
        b.attach(
                MeConfig.of(PORTAL, 7),
                memory(64).withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        ConcurrentLinkedQueue<Counter> counters = new ConcurrentLinkedQueue<>();
        inParallel((thread, round, random) -> {
            if (thread == 0 && round == ROUNDS / 2) {
                a.close();
            }
            try {
                Counter counter = new Counter();
                MdConfig config = memory(8).withThreshold(2).withAutoUnlink().withHandler(event -> {
                    counter.onEvent(event);
                    if (event.status() < 0 && !event.unlinked() && !event.md().isUnlinked()) {
                        event.md().unlink();
                    }
                });
                Md md = a.bind(config);
                counters.add(counter);
                a.put(md, true, Nid.ANY, ProcessId.of(B), PORTAL, 7, 0, 0);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ESHUTDOWN && e.errno() != Errno.ENOENT) {
                    throw e;
                }
            }
        });
        assertThat(counters).allMatch(counter -> counter.last.get() == 1);
        assertThat(a.messagesInUse()).isZero();
        isAtRest(b);
    }
}
