package org.railyard.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what is written, and remembers the first failure, which a {@link java.io.PrintWriter} above keeps to
 * itself. Not thread-safe.
 */
final class WatchedOutput extends OutputStream {
    private static final String BROKEN_PIPE = "Broken pipe";

    private final OutputStream real;
    private @Nullable IOException failure;

    WatchedOutput(OutputStream real) {
        this.real = real;
    }

    /** Returns the first failure; null if all was written. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /** Tells whether it failed because nobody reads any more, as {@code head} does when it has enough. */
    boolean readerHasLeft() {
        IOException known = failure;
        return known != null && BROKEN_PIPE.equals(known.getMessage());
    }

    private interface Action {
        void run() throws IOException;
    }

    private void watch(Action action) throws IOException {
        try {
            action.run();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    @Override
    public void write(int b) throws IOException {
        watch(() -> real.write(b));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        watch(() -> real.write(bytes, from, length));
    }

    @Override
    public void flush() throws IOException {
        watch(real::flush);
    }

    @Override
    public void close() throws IOException {
        watch(real::close);
    }
}
