package org.railyard.bench.lnet;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Heap bytes that the whole process allocates while messages flow, all threads and both nodes included. The first round
 * warms up and does not count.
 */
final class Allocation {
    private final @Nullable ThreadMXBean threads =
            ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean ? bean : null;
    private long bytes;
    private long messages;
    private long start;
    private boolean warm;

    Allocation() {}

    /** A round begins. */
    void begin() {
        start = threads == null ? 0 : threads.getTotalThreadAllocatedBytes();
    }

    /** A round is over; the first one only warmed up. */
    void end(long count) {
        if (warm && threads != null) {
            bytes += threads.getTotalThreadAllocatedBytes() - start;
            messages += count;
        }
        warm = true;
    }

    /** Returns the figure as a sentence, or empty if there is none. */
    Optional<String> perMessage() {
        return messages == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%.3f bytes allocated per message in the whole process (%d messages)",
                        bytes / (double) messages,
                        messages));
    }
}
