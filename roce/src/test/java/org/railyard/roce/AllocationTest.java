package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steady traffic between two queue pairs allocates nothing on the threads of the providers. */
class AllocationTest {
    /** Many messages share a call of the system, and the calls have to be compiled before they allocate nothing. */
    private static final int WARM_UP = 50_000;

    private static final int MEASURED = 20_000;

    /** What is compiled allocates nothing; on a busy machine the compiler may come late. */
    private static final int ROUNDS = 10;

    /**
     * A thread of a provider looks at the interface four times a second, which does allocate; divided by the messages
     * that is less.
     */
    private static final long STEADY_BYTES_PER_MESSAGE = 8;

    /**
     * A call of the system makes a slice of the memory for its errno, some 50 bytes, which the compiler takes away, but
     * not on a machine that is too busy for it to get its turn; a message takes part of a call.
     */
    private static final long MOST_BYTES_PER_MESSAGE = 64;

    @ParameterizedTest
    @ValueSource(ints = {64, 4096, 65_536})
    void steadyTrafficAllocatesNothing(int size) {
        int count = size > 4096 ? MEASURED / 2 : MEASURED;
        try (StreamPair pair = new StreamPair(size)) {
            pair.run(size > 4096 ? WARM_UP / 5 : WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least >= STEADY_BYTES_PER_MESSAGE; round++) {
                long before = allocated();
                pair.run(count);
                least = Math.min(least, (allocated() - before) / count);
            }
            assertThat(least)
                    .as("bytes allocated per message of " + size + " bytes")
                    .isLessThan(MOST_BYTES_PER_MESSAGE);
        }
    }

    @Test
    void whatIsMeasuredIsThere() {
        try (StreamPair pair = new StreamPair(64)) {
            pair.run(10);
            assertThat(threads()).hasSize(2);
        }
    }

    private static long allocated() {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(bean.getThreadAllocatedBytes(
                        threads().stream().mapToLong(Thread::threadId).toArray()))
                .sum();
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("roce"))
                .toList();
    }
}
