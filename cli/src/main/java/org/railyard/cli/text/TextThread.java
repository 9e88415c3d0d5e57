package org.railyard.cli.text;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Writes the texts of a service by a thread of its own: whoever has one never waits for who reads, such as a terminal
 * that was stopped or a program behind a pipe that stands still. Texts that find no room are counted, and their number
 * is told when there is room again. Thread-safe.
 */
public final class TextThread implements AutoCloseable {
    /** Most texts that wait to be written. */
    static final int MAX_TEXTS = 1024;

    private static final long LAST_TEXTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> sink;
    private final LongFunction<String> leftOut;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Queue<String> texts = new ArrayDeque<>();

    @GuardedBy("lock")
    private long lost;

    @GuardedBy("lock")
    private boolean writing;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Starts the thread.
     *
     * @param name of the thread
     * @param sink writes a text, and may take long
     * @param leftOut makes a text of how many found no room
     */
    public TextThread(String name, Consumer<String> sink, LongFunction<String> leftOut) {
        this.sink = sink;
        this.leftOut = leftOut;
        Thread thread = new Thread(this::write, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes a text, with the end of its line. */
    public void add(String text) {
        synchronized (lock) {
            if (texts.size() >= MAX_TEXTS) {
                lost++;
                return;
            }
            texts.add(text);
            lock.notifyAll();
        }
    }

    /** Returns a writer that hands on each line at its end: what is flushed together is one text. */
    public PrintWriter writer() {
        Writer collector = new Writer() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public void write(char[] from, int begin, int count) {
                synchronized (lock) {
                    text.append(from, begin, count);
                }
            }

            @Override
            public void flush() {
                synchronized (lock) {
                    if (!text.isEmpty()) {
                        add(text.toString());
                        text.setLength(0);
                    }
                }
            }

            @Override
            public void close() {
                flush();
            }
        };
        return new PrintWriter(collector, true);
    }

    private void write() {
        try {
            for (String text = next(); !text.isEmpty(); text = next()) {
                sink.accept(text);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next text, or, behind the last one that found room, how many did not; nothing at the end. */
    private String next() throws InterruptedException {
        synchronized (lock) {
            writing = false;
            lock.notifyAll();
            while (texts.isEmpty() && lost == 0 && !closed) {
                lock.wait();
            }
            String text = texts.poll();
            if (text == null && lost > 0) {
                text = leftOut.apply(lost);
                lost = 0;
            }
            writing = text != null;
            return text == null ? "" : text;
        }
    }

    /** Gives the texts that wait a second, and ends the thread. */
    @Override
    public void close() {
        long end = System.nanoTime() + LAST_TEXTS_NANOS;
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
            try {
                for (long left = LAST_TEXTS_NANOS; left > 0 && (writing || lost > 0 || !texts.isEmpty()); ) {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                    left = end - System.nanoTime();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
