package org.railyard.bench.lnet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;

/** 1 MiB transactions, a number of slots at a time, each with memory of its own on both sides: PUT+ACK or GET+REPLY. */
public final class BulkRate extends LNetContender {
    private static final int SLOTS = 8;

    private final boolean get;
    private final List<Md> slots = new ArrayList<>();
    private volatile @Nullable Round round;

    private BulkRate(String name, Measure measure, ProgramLayout layout, boolean get) {
        super(name, measure, layout, SLOTS);
        this.get = get;
    }

    /** Returns the contender that PUTs over one rail or two. */
    public static BulkRate put(int rails) {
        return new BulkRate("LNet PUT 1 MiB", measure(rails), layout(rails), false);
    }

    /** Returns the contender that GETs over one rail or two. */
    public static BulkRate get(int rails) {
        return new BulkRate("LNet GET 1 MiB", measure(rails), layout(rails), true);
    }

    /** Returns the contender that PUTs through a router. */
    public static BulkRate routedPut() {
        return new BulkRate("LNet PUT, router", Measure.ROUTED, ProgramLayout.ROUTED, false);
    }

    /** Returns the contender that GETs through a router. */
    public static BulkRate routedGet() {
        return new BulkRate("LNet GET, router", Measure.ROUTED, ProgramLayout.ROUTED, true);
    }

    /** Returns the contender that PUTs without the router, for comparison. */
    public static BulkRate directPut() {
        return new BulkRate("LNet PUT, direct", Measure.ROUTED, ProgramLayout.ONE_RAIL, false);
    }

    /** Returns the contender that GETs without the router, for comparison. */
    public static BulkRate directGet() {
        return new BulkRate("LNet GET, direct", Measure.ROUTED, ProgramLayout.ONE_RAIL, true);
    }

    /** Returns the contender that PUTs over InfiniBand on UDP. */
    public static BulkRate o2ibPut() {
        return new BulkRate("LNet PUT, o2ib", Measure.O2IB_BANDWIDTH, ProgramLayout.O2IB, false);
    }

    /** Returns the contender that GETs over InfiniBand on UDP. */
    public static BulkRate o2ibGet() {
        return new BulkRate("LNet GET, o2ib", Measure.O2IB_BANDWIDTH, ProgramLayout.O2IB, true);
    }

    /** Returns the contender over TCP that those over InfiniBand are compared with. */
    public static BulkRate besideO2ib() {
        return new BulkRate("LNet PUT, tcp", Measure.O2IB_BANDWIDTH, ProgramLayout.ONE_RAIL, false);
    }

    /** What goes through a router, or over InfiniBand, is compared with what does not. */
    @Override
    public boolean isPeer() {
        return measure() == Measure.ROUTED && layout() != ProgramLayout.ROUTED
                || measure() == Measure.O2IB_BANDWIDTH && layout() != ProgramLayout.O2IB;
    }

    private static ProgramLayout layout(int rails) {
        return rails == 1 ? ProgramLayout.ONE_RAIL : ProgramLayout.TWO_RAILS;
    }

    private static Measure measure(int rails) {
        return rails == 1 ? Measure.BANDWIDTH_1_RAIL : Measure.BANDWIDTH_2_RAILS;
    }

    /** One round. */
    private static final class Round {
        final AtomicLong bytes = new AtomicLong();
        final AtomicInteger running = new AtomicInteger(SLOTS);
        final CountDownLatch done = new CountDownLatch(1);
        final long end;
        final long limit;
        volatile @Nullable String failure;

        Round(RoundSettings settings) {
            end = System.nanoTime() + settings.nanos();
            limit = settings.byteLimit();
        }

        void slotEnded() {
            if (running.decrementAndGet() == 0) {
                done.countDown();
            }
        }
    }

    @Override
    void prepare(NodePair nodes) {
        MdOption operation = get ? MdOption.OP_GET : MdOption.OP_PUT;
        for (int i = 0; i < SLOTS; i++) {
            nodes.right.attach(
                    MeConfig.of(NodePair.PORTAL, i),
                    MdConfig.of(nodes.arena.allocate(Measure.BLOCK_BYTES, 4096))
                            .withOptions(operation, MdOption.MANAGE_REMOTE));
            int slot = i;
            slots.add(nodes.left.bind(MdConfig.of(nodes.arena.allocate(Measure.BLOCK_BYTES, 4096))
                    .withHandler(event -> onEvent(nodes, slot, event))));
        }
    }

    private void onEvent(NodePair nodes, int slot, Event event) {
        Round now = round;
        if (now == null) {
            return;
        }
        if (event.status() < 0) {
            now.failure = event.toString();
            now.slotEnded();
        } else if (event.kind() == EventKind.ACK || event.kind() == EventKind.REPLY) {
            long bytes = now.bytes.addAndGet(event.mlength());
            if (now.failure == null && bytes < now.limit && System.nanoTime() - now.end < 0) {
                start(nodes, slot, event.md());
            } else {
                now.slotEnded();
            }
        }
    }

    private void start(NodePair nodes, int slot, Md md) {
        if (get) {
            nodes.left.get(md, Nid.ANY, nodes.target, NodePair.PORTAL, slot, 0);
        } else {
            nodes.left.put(md, true, Nid.ANY, nodes.target, NodePair.PORTAL, slot, 0, 0);
        }
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        NodePair nodes = pair(settings.placement());
        Round now = new Round(settings);
        round = now;
        allocation().begin();
        long start = System.nanoTime();
        for (int slot = 0; slot < SLOTS; slot++) {
            start(nodes, slot, slots.get(slot));
        }
        new RoundProgress(System::nanoTime, now.bytes::get, "bytes")
                .awaitEnd(() -> now.done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) || now.failure != null);
        long nanos = System.nanoTime() - start;
        allocation().end(now.bytes.get() / Measure.BLOCK_BYTES);
        if (now.failure != null) {
            throw new IOException(now.failure);
        }
        return new Sample.Bandwidth(now.bytes.get(), nanos);
    }
}
