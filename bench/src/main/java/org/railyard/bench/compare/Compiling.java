package org.railyard.bench.compare;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** How long the JVM has compiled: what runs meanwhile is slower, and allocates more, than it is going to. */
final class Compiling {
    /** From this share of the time on, figures are those of code that is not compiled yet. */
    static final double BUSY = 0.03;

    private Compiling() {}

    /** Returns how long its threads for that have compiled so far, together, ms; 0 if the JVM does not tell. */
    static long millis() {
        CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
        return bean != null && bean.isCompilationTimeMonitoringSupported() ? bean.getTotalCompilationTime() : 0;
    }
}
