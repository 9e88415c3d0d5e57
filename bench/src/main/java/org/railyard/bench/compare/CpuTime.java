package org.railyard.bench.compare;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of this process and of the programs that it ran, user and system. */
final class CpuTime {
    /** What {@link #nanos} returns if it is not known. */
    static final long UNKNOWN = -1;

    /** The kernel counts in 1/100 s wherever Java runs on Linux. */
    private static final long TICK_NANOS = 10_000_000L;

    // Fields of /proc/self/stat behind the name of the program, which may hold blanks (proc(5): 16 and 17).
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    private CpuTime() {}

    /** Returns the time so far, ns; programs count when they have ended. {@link #UNKNOWN} if this is not Linux. */
    static long nanos() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean)) {
            return UNKNOWN;
        }
        try {
            return bean.getProcessCpuTime() + children(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Returns the time of children that have ended, ns, by a line of {@code /proc/PID/stat}. */
    static long children(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM])) * TICK_NANOS;
    }
}
