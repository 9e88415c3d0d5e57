package org.railyard.bench.lnet;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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

/** 64-byte PUTs without ACK, a window of them under way: each SEND event sends the next. What arrives counts. */
public final class PutRate extends LNetContender {
    /** About as many as one write of a connection takes; more of them make it no faster. All have a credit. */
    private static final int TCP_WINDOW = 400;

    /** Half of them have a credit, about as many as the protocol can count. */
    private static final int O2IB_WINDOW = 512;

    private static final long REST_NANOS = 20_000;

    private final int window;
    private final AtomicLong arrived = new AtomicLong();
    private @Nullable Md source;
    private volatile @Nullable Round round;

    private PutRate(String name, Measure measure, ProgramLayout layout, int window, int credits) {
        super(name, measure, layout, credits);
        this.window = window;
    }

    /** Returns the contender over TCP. */
    public static PutRate overTcp() {
        return new PutRate("LNet PUT", Measure.MESSAGE_RATE, ProgramLayout.ONE_RAIL, TCP_WINDOW, TCP_WINDOW);
    }

    /** Returns the contender over InfiniBand on UDP. */
    public static PutRate overO2ib() {
        return new PutRate("LNet PUT, o2ib", Measure.O2IB_RATE, ProgramLayout.O2IB, O2IB_WINDOW, O2IB_WINDOW / 2);
    }

    /** Returns the contender over TCP that the one over InfiniBand is compared with. */
    public static PutRate besideO2ib() {
        return new PutRate("LNet PUT, tcp", Measure.O2IB_RATE, ProgramLayout.ONE_RAIL, O2IB_WINDOW, O2IB_WINDOW / 2);
    }

    /** What goes over InfiniBand is compared with what does not. */
    @Override
    public boolean isPeer() {
        return measure() == Measure.O2IB_RATE && layout() != ProgramLayout.O2IB;
    }

    /** One round. Written by whoever handles the source's events. */
    private static final class Round {
        final CountDownLatch done = new CountDownLatch(1);
        final long end;
        final long limit;
        long sent;
        int underWay;
        boolean over;

        volatile @Nullable String failure;

        Round(RoundSettings settings, int window) {
            sent = window;
            underWay = window;
            end = System.nanoTime() + settings.nanos();
            limit = Math.max(window, settings.byteLimit() / Measure.MESSAGE_BYTES);
        }

        /** Looks at the clock now and then only: that would be a good part of what a message costs. */
        boolean hasTime() {
            if (sent % Measure.MESSAGES_PER_LOOK == 0) {
                over |= System.nanoTime() - end >= 0;
            }
            return !over;
        }
    }

    @Override
    void prepare(NodePair nodes) {
        nodes.right.attach(
                MeConfig.of(NodePair.PORTAL, 1),
                MdConfig.of(nodes.arena.allocate(Measure.MESSAGE_BYTES, 64))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(event -> arrived.lazySet(arrived.getPlain() + 1)));
        source = nodes.left.bind(MdConfig.of(nodes.arena.allocate(Measure.MESSAGE_BYTES, 64))
                .withHandler(event -> onEvent(nodes, event)));
    }

    private void onEvent(NodePair nodes, Event event) {
        Round now = round;
        if (now == null || event.kind() != EventKind.SEND) {
            return;
        }
        now.underWay--;
        if (event.status() < 0) {
            now.failure = event.toString();
        }
        if (now.failure == null && now.sent < now.limit && now.hasTime()) {
            now.sent++;
            now.underWay++;
            send(nodes, event.md());
        } else if (now.underWay == 0) {
            now.done.countDown();
        }
    }

    private static void send(NodePair nodes, Md md) {
        nodes.left.put(md, false, Nid.ANY, nodes.target, NodePair.PORTAL, 1, 0, 0);
    }

    /** Tells whether everything came, or something failed; waits shortly before it says no, as the rest is near. */
    private boolean isOver(Round now, long before) {
        if (arrived.get() - before >= now.sent || now.failure != null) {
            return true;
        }
        LockSupport.parkNanos(REST_NANOS);
        return false;
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        NodePair nodes = pair(settings.placement());
        Md md = source;
        if (md == null) {
            throw new IllegalStateException("not prepared");
        }
        Round now = new Round(settings, window);
        allocation().begin();
        long before = arrived.get();
        long start = System.nanoTime();
        round = now;
        for (int i = 0; i < window; i++) {
            send(nodes, md);
        }
        RoundProgress progress = new RoundProgress(System::nanoTime, () -> arrived.get() - before, "PUTs");
        progress.awaitEnd(() -> now.done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) || now.failure != null);
        progress.awaitEnd(() -> isOver(now, before));
        long nanos = System.nanoTime() - start;
        allocation().end(arrived.get() - before);
        if (now.failure != null) {
            throw new IOException(now.failure);
        }
        return new Sample.Rate(arrived.get() - before, nanos);
    }
}
