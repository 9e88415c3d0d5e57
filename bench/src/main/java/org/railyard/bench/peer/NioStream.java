package org.railyard.bench.peer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.CpuPlacement;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.RoundSettings;
import org.railyard.bench.compare.Sample;
import org.railyard.bench.compare.Side;

/**
 * Bytes in one direction with nothing around them: for each connection a thread that writes blocks from off-heap memory
 * and a thread that reads into {@value #TARGETS} targets of 1 MiB in turn, as a receiver with its own memory for each
 * block would.
 */
public final class NioStream implements Contender {
    /** Targets of one reader. */
    private static final int TARGETS = 16;

    private final Measure measure;
    private final String name;
    private final int connections;
    private final int blockBytes;

    private NioStream(Measure measure, String name, int connections, int blockBytes) {
        this.measure = measure;
        this.name = name;
        this.connections = connections;
        this.blockBytes = blockBytes;
    }

    /** Returns the contender that writes blocks of 1 MiB over one connection. */
    public static NioStream oneRail() {
        return new NioStream(Measure.BANDWIDTH_1_RAIL, "nio stream", 1, Measure.BLOCK_BYTES);
    }

    /** Returns the contender that writes blocks of 1 MiB over two connections. */
    public static NioStream twoRails() {
        return new NioStream(Measure.BANDWIDTH_2_RAILS, "nio stream", 2, Measure.BLOCK_BYTES);
    }

    /** Returns the contender that writes 64 bytes with each system call, over one connection. */
    public static NioStream messages() {
        return new NioStream(Measure.MESSAGE_RATE, "nio 64-byte writes", 1, Measure.MESSAGE_BYTES);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Measure measure() {
        return measure;
    }

    @Override
    public boolean isPeer() {
        return true;
    }

    @Override
    public Sample run(RoundSettings settings) throws IOException, InterruptedException {
        // Closing the ends comes before waiting for the threads: a thread that hangs in one of them is set free by it.
        try (ExecutorService threads = Threads.perTask("bench stream");
                LoopbackPairs rails = LoopbackPairs.open(connections)) {
            return stream(threads, rails.pairs(), settings);
        }
    }

    private Sample stream(ExecutorService threads, List<LoopbackPair> pairs, RoundSettings settings)
            throws IOException, InterruptedException {
        CpuPlacement placement = settings.placement();
        CountDownLatch placed = new CountDownLatch(2 * connections);
        List<Future<Long>> readers = pairs.stream()
                .map(p -> threads.submit(() -> {
                    placement.enter(Side.RECEIVER);
                    placed.countDown();
                    return read(p.server());
                }))
                .toList();
        long limit = Math.max(blockBytes, settings.byteLimit() / connections);
        List<Future<Long>> writers = pairs.stream()
                .map(p -> threads.submit(() -> {
                    placement.enter(Side.SENDER);
                    placed.countDown();
                    placed.await();
                    return write(p.client(), System.nanoTime() + settings.nanos(), limit);
                }))
                .toList();
        placed.await(settings.seconds(), TimeUnit.SECONDS);
        long start = System.nanoTime();
        long written = 0;
        for (Future<Long> writer : writers) {
            written += Threads.result(writer);
        }
        long received = 0;
        for (Future<Long> reader : readers) {
            received += Threads.result(reader);
        }
        long nanos = System.nanoTime() - start;
        if (received != written) {
            throw new IOException(received + " bytes arrived of " + written + " that were written");
        }
        return measure == Measure.MESSAGE_RATE
                ? new Sample.Rate(received / blockBytes, nanos)
                : new Sample.Bandwidth(received, nanos);
    }

    /** Writes whole blocks until the time or the limit is reached; returns the bytes. */
    private long write(SocketChannel channel, long end, long limit) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
        long bytes = 0;
        while (bytes + blockBytes <= limit && System.nanoTime() - end < 0) {
            block.clear();
            while (block.hasRemaining()) {
                channel.write(block);
            }
            bytes += blockBytes;
        }
        channel.shutdownOutput();
        return bytes;
    }

    /**
     * Reads until the end; returns the bytes. Closes its end, so that a writer never waits for a reader that is gone.
     */
    private static long read(SocketChannel channel) throws IOException {
        try (channel;
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate((long) TARGETS * Measure.BLOCK_BYTES, Long.BYTES);
            ByteBuffer[] targets = new ByteBuffer[TARGETS];
            for (int i = 0; i < TARGETS; i++) {
                targets[i] = memory.asSlice((long) i * Measure.BLOCK_BYTES, Measure.BLOCK_BYTES)
                        .asByteBuffer();
            }
            long bytes = 0;
            for (int i = 0; ; i = (i + 1) % TARGETS) {
                ByteBuffer target = targets[i].clear();
                while (target.hasRemaining()) {
                    int count = channel.read(target);
                    if (count < 0) {
                        return bytes;
                    }
                    bytes += count;
                }
            }
        }
    }
}
