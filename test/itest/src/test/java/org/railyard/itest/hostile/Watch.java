package org.railyard.itest.hostile;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.railyard.itest.kit.Await;

/** Looks at what bad peers may not use up: threads, memory outside the heap, log lines. */
final class Watch extends Handler {
    private static final int MORE_THREADS = 8;

    // Loggers are held weakly by the log manager.
    private final Logger logger = Logger.getLogger("org.railyard");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    private final long direct = directBytes();

    /** Starts to look; log lines of the product go here instead of the console. */
    Watch() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
        ManagementFactory.getThreadMXBean().resetPeakThreadCount();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Fails if bad peers have taken threads or lines of the log. */
    void assertQuiet(int mostLines) {
        int peak = ManagementFactory.getThreadMXBean().getPeakThreadCount();
        if (peak > threads + MORE_THREADS) {
            throw new AssertionError(peak + " threads, " + threads + " before");
        }
        if (lines.size() > mostLines) {
            throw new AssertionError(
                    lines.size() + " log lines, expected at most " + mostLines + ":\n" + String.join("\n", lines));
        }
    }

    /** Fails if there is more memory outside the heap than before, and so much on top. */
    void assertMemory(long more) {
        Await.until(() -> directBytes() + " bytes of direct memory, " + direct + " before", () -> {
            if (directBytes() <= direct + more) {
                return true;
            }
            // Buffers of closed connections are given back by the garbage collector.
            System.gc();
            return false;
        });
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.INFO.intValue()) {
            lines.add(entry.getLevel() + " " + entry.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
