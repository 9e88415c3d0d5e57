package org.railyard.bench.lnet;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
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

/** One 64-byte PUT at a time; the ACK's handler sends the next. */
public final class PutAckLatency extends LNetContender {
    private static final int UNTIMED = 1_000;
    private static final long LONGEST_NANOS = 10_000_000_000L;
    private static final int DIGITS = 3;

    private @Nullable Md source;
    private volatile @Nullable Round round;

    /** Makes the contender. */
    public PutAckLatency() {
        super("LNet PUT+ACK", Measure.ROUND_TRIP, ProgramLayout.ONE_RAIL, 8);
    }

    /** One round. Written by the one thread that handles the source's events. */
    private static final class Round {
        final Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);
        final CountDownLatch done = new CountDownLatch(1);
        final AtomicLong answers = new AtomicLong();
        final long limit;
        final long nanos;
        int untimed = UNTIMED;
        long start;
        long before;

        @Nullable
        String failure;

        Round(RoundSettings settings) {
            nanos = settings.nanos();
            limit = Math.max(1, settings.byteLimit() / Measure.MESSAGE_BYTES);
        }

        /** Notes an answer; returns whether to go on. */
        boolean answered() {
            answers.lazySet(answers.getPlain() + 1);
            long now = System.nanoTime();
            if (untimed > 0) {
                untimed--;
                start = now;
            } else {
                histogram.recordValue(Math.min(now - before, LONGEST_NANOS));
            }
            before = now;
            return now - start < nanos && histogram.getTotalCount() < limit;
        }
    }

    @Override
    void prepare(NodePair nodes) {
        nodes.right.attach(
                MeConfig.of(NodePair.PORTAL, 1),
                MdConfig.of(nodes.arena.allocate(Measure.MESSAGE_BYTES, 64))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
        source = nodes.left.bind(MdConfig.of(nodes.arena.allocate(Measure.MESSAGE_BYTES, 64))
                .withHandler(event -> onEvent(nodes, event)));
    }

    private void onEvent(NodePair nodes, Event event) {
        Round now = round;
        if (now == null) {
            return;
        }
        if (event.status() < 0) {
            now.failure = event.toString();
            now.done.countDown();
        } else if (event.kind() == EventKind.ACK) {
            if (now.answered()) {
                send(nodes, event.md());
            } else {
                now.done.countDown();
            }
        }
    }

    private static void send(NodePair nodes, Md md) {
        nodes.left.put(md, true, Nid.ANY, nodes.target, NodePair.PORTAL, 1, 0, 0);
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        NodePair nodes = pair(settings.placement());
        Round now = new Round(settings);
        round = now;
        Md md = source;
        if (md == null) {
            throw new IllegalStateException("not prepared");
        }
        allocation().begin();
        send(nodes, md);
        new RoundProgress(System::nanoTime, now.answers::get, "answers")
                .awaitEnd(() -> now.done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        allocation().end(now.histogram.getTotalCount() + UNTIMED);
        if (now.failure != null) {
            throw new IOException(now.failure);
        }
        return Sample.Latency.of(now.histogram);
    }
}
