package org.railyard.bench.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * The least a JVM can do: 64 bytes and back over one TCP connection, the echo in a thread of its own. What LNet adds to
 * this is its cost.
 */
public final class NioPingPong implements Contender {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;

    /** Exchanges before the clock starts: the connection and the caches are then warm. */
    private static final int UNTIMED = 1_000;

    private final Waiting waiting;

    /** How a thread waits for bytes. */
    public enum Waiting {
        /** In a blocking read. */
        BLOCKING("nio blocking") {
            @Override
            MessageLine line(SocketChannel channel) {
                return new MessageLine.Blocking(channel);
            }
        },
        /** In a selector, with non-blocking reads and writes. */
        SELECTOR("nio selector") {
            @Override
            MessageLine line(SocketChannel channel) throws IOException {
                return new MessageLine.Selecting(channel);
            }
        };

        private final String contender;

        Waiting(String contender) {
            this.contender = contender;
        }

        abstract MessageLine line(SocketChannel channel) throws IOException;
    }

    /** Makes the contender that waits in the given way, on both ends. */
    public NioPingPong(Waiting waiting) {
        this.waiting = waiting;
    }

    @Override
    public String name() {
        return waiting.contender;
    }

    @Override
    public Measure measure() {
        return Measure.ROUND_TRIP;
    }

    @Override
    public boolean isPeer() {
        return true;
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        // Both ends are closed before the threads are awaited: an echo that still waits is set free by it.
        try (ExecutorService threads = Threads.perTask("bench echo");
                LoopbackPair pair = LoopbackPair.open()) {
            Future<Long> echo = threads.submit(() -> {
                settings.placement().enter(Side.RECEIVER);
                return echo(pair.server());
            });
            settings.placement().enter(Side.SENDER);
            Sample sample;
            try (MessageLine client = waiting.line(pair.client())) {
                sample = exchange(client, settings);
            }
            Threads.result(echo);
            return sample;
        }
    }

    /** Answers until the client closes; returns how many exchanges there were. */
    private long echo(SocketChannel server) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(Measure.MESSAGE_BYTES);
        long exchanges = 0;
        try (MessageLine line = waiting.line(server)) {
            while (line.receive(message)) {
                line.send(message.flip());
                message.clear();
                exchanges++;
            }
        }
        return exchanges;
    }

    private static Sample exchange(MessageLine client, RoundSettings settings) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(Measure.MESSAGE_BYTES);
        for (int i = 0; i < UNTIMED; i++) {
            roundTrip(client, message);
        }
        Histogram histogram = new Histogram(LONGEST_NANOS, DIGITS);
        long limit = Math.max(1, settings.byteLimit() / Measure.MESSAGE_BYTES);
        long start = System.nanoTime();
        long before = start;
        for (long i = 0; i < limit && before - start < settings.nanos(); i++) {
            roundTrip(client, message);
            long now = System.nanoTime();
            histogram.recordValue(Math.min(now - before, LONGEST_NANOS));
            before = now;
        }
        return Sample.Latency.of(histogram);
    }

    private static void roundTrip(MessageLine client, ByteBuffer message) throws IOException {
        client.send(message.clear());
        if (!client.receive(message.clear())) {
            throw new IOException("the echo closed the connection");
        }
    }
}
