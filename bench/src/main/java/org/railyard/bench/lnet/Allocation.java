package org.railyard.bench.lnet;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Heap bytes that the whole process allocates while messages flow, all threads and both nodes included. Of the last
 * round alone: until the JVM has compiled a call of the C library together with its caller, each call allocates some
 * bytes, which is no property of what is measured.
 */
final class Allocation {
    /** Told if the JVM does not count. */
    private static final long UNKNOWN = -1;

    private final LongSupplier allocated;
    private long start;
    private long bytes;
    private long messages;

    Allocation() {
        this(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
                        ? bean::getTotalThreadAllocatedBytes
                        : () -> UNKNOWN);
    }

    /** Makes one for what counts the bytes that were allocated so far; −1 if they are not known. */
    Allocation(LongSupplier allocated) {
        this.allocated = allocated;
    }

    /** A round begins. */
    void begin() {
        start = allocated.getAsLong();
    }

    /** A round is over, in which so many messages arrived. */
    void end(long count) {
        long now = allocated.getAsLong();
        messages = start == UNKNOWN || now == UNKNOWN ? 0 : count;
        bytes = now - start;
    }

    /** Returns the figure of the last round as a sentence, or empty if there is none. */
    Optional<String> perMessage() {
        return messages == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%.3f bytes allocated per message in the whole process (%d messages of the last round)",
                        bytes / (double) messages,
                        messages));
    }
}
