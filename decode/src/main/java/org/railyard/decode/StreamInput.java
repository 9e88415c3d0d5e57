package org.railyard.decode;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.capture.CaptureBytes;

/**
 * A stream that Ctrl-C ends, as the end of its input does: what came before is still decoded. A program that writes
 * into the same pipe gets the signal as well and then writes what it still holds, so for {@link #GRACE} the end of the
 * input is waited for. Close it to give Ctrl-C its usual meaning back.
 */
final class StreamInput implements CaptureBytes.Supply, AutoCloseable {
    /** How long input is still taken after Ctrl-C. */
    static final Duration GRACE = Duration.ofSeconds(2);

    private static final int CHUNK = 1 << 16;
    private static final int MAX_WAITING = 64;
    private static final byte[] END = {};
    private static final String INTERRUPT = "INT";

    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final @Nullable Object previous;
    private volatile @Nullable IOException failure;
    private volatile long deadline;
    private volatile boolean interrupted;

    /** Begins to read. The stream is not closed: a thread may wait in it for ever. */
    StreamInput(InputStream in) {
        Thread.ofPlatform().daemon().name("decode-input").start(() -> read(in));
        previous = Signals.register(INTERRUPT, this::interrupt);
    }

    /** Ends the stream, after the time that it has for its last words. */
    void interrupt() {
        if (!interrupted) {
            deadline = System.nanoTime() + GRACE.toNanos();
            interrupted = true;
        } else {
            // Somebody does not want to wait.
            deadline = System.nanoTime();
        }
        // Wakes the reader, if there is room; else it has something to do already.
        waiting.offer(new byte[0]);
    }

    private void read(InputStream in) {
        byte[] chunk = new byte[CHUNK];
        try {
            // A stream that gives nothing at once waits; it never returns 0.
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                waiting.put(Arrays.copyOf(chunk, n));
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            waiting.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public byte @Nullable [] next() {
        try {
            while (true) {
                boolean ending = interrupted;
                long left = deadline - System.nanoTime();
                if (ending && left <= 0) {
                    return null;
                }
                byte[] next = ending ? waiting.poll(left, TimeUnit.NANOSECONDS) : waiting.take();
                if (next == null || next == END) {
                    return null;
                }
                if (next.length > 0) {
                    return next;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Tells whether Ctrl-C ended it. */
    boolean wasInterrupted() {
        return interrupted;
    }

    /** Throws what kept the input from being read to its end, if something did. */
    void check() throws IOException {
        IOException known = failure;
        if (known != null) {
            throw known;
        }
    }

    @Override
    public void close() {
        Signals.unregister(INTERRUPT, previous);
    }
}
