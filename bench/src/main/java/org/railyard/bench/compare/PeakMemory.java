package org.railyard.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory that a program ever had, as Linux counts it. */
public final class PeakMemory {
    private PeakMemory() {}

    /**
     * Returns the peak resident set of a running program, KiB; 0 if the kernel does not tell.
     *
     * @param pid its number
     * @throws IOException if there is no such program, or this is not Linux
     */
    public static long kib(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    /** Returns that of this process, KiB. */
    public static long ownKib() throws IOException {
        return kib(ProcessHandle.current().pid());
    }
}
