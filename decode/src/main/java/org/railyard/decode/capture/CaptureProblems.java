package org.railyard.decode.capture;

import java.util.function.Consumer;

/** Counts what is wrong with a capture and passes the first {@link #MAX_SHOWN} lines on. Not thread-safe. */
public final class CaptureProblems {
    /** Most lines that are passed on. */
    public static final int MAX_SHOWN = 100;

    private final Consumer<String> out;
    private long count;

    /** Makes a counter that passes lines to {@code out}. */
    public CaptureProblems(Consumer<String> out) {
        this.out = out;
    }

    /**
     * Reports a problem.
     *
     * @param offset where in the file, bytes
     * @param found what stands there
     * @param expected what should stand there
     */
    public void report(long offset, String found, String expected) {
        count++;
        if (count <= MAX_SHOWN) {
            out.accept("offset " + offset + ": found " + found + ", expected " + expected);
        }
    }

    /** Returns how many problems there were, shown or not. */
    public long count() {
        return count;
    }
}
