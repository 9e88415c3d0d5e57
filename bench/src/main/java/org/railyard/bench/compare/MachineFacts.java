package org.railyard.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.text.Doc;

/**
 * What figures depend on and a reader must know.
 *
 * @param cores processors the JVM may use
 * @param processor model name, or {@code unknown}
 * @param kernel name and version of the operating system
 * @param jdk vendor and version
 * @param load mean number of runnable tasks over the last minute before the run, or negative if unknown
 * @param congestionControl TCP congestion control of the system, or {@code unknown}
 */
public record MachineFacts(
        int cores, String processor, String kernel, String jdk, double load, String congestionControl) {
    private static final String UNKNOWN = "unknown";

    /** Load per core above which other work is reported to have disturbed the run. */
    private static final double BUSY_LOAD_PER_CORE = 0.25;

    /** Most bytes read of a file of the kernel. */
    private static final int FILE_LIMIT = 1 << 16;

    /** Looks at this machine. */
    public static MachineFacts read() {
        return new MachineFacts(
                Runtime.getRuntime().availableProcessors(),
                processor(text(Path.of("/proc/cpuinfo"))),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                orUnknown(text(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"))));
    }

    private static String text(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(FILE_LIMIT), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            // Not Linux, or hidden in this container; the fact is then reported as unknown.
            return "";
        }
    }

    private static String orUnknown(String text) {
        return text.isEmpty() ? UNKNOWN : text;
    }

    private static String processor(String cpuinfo) {
        return cpuinfo.lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Tells whether other work was running before the run. */
    boolean isBusy() {
        return load > BUSY_LOAD_PER_CORE * cores;
    }

    /** Returns the facts as some lines, each ended by a line feed. */
    public String asText() {
        TextTable table = new TextTable();
        table.addSpanning("machine", cores + " cores, " + processor);
        table.addSpanning("kernel", kernel + ", TCP congestion control " + congestionControl);
        table.addSpanning("JDK", jdk);
        if (isBusy()) {
            table.addSpanning(
                    "load", String.format(Locale.ROOT, "%.1f before the run: other work disturbs the figures", load));
        }
        return table.render();
    }

    /** Returns the facts by name. */
    public Map<String, Object> asMap() {
        return new Doc()
                .put("cores", cores)
                .put("processor", processor)
                .put("kernel", kernel)
                .put("jdk", jdk)
                .put("load_before", load)
                .put("tcp_congestion_control", congestionControl)
                .map();
    }
}
