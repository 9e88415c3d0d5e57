package org.railyard.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;

/** Runs OpenSM's torus-2QoS once on ibsim and reads from its log how long it took to build the tables. */
final class OpenSmRun {
    private static final String BUILT = "torus-2QoS tables configured on all switches";
    private static final String BEGUN = "torus_build_lfts: Found fabric";
    private static final Pattern CLOCK = Pattern.compile("(\\d\\d):(\\d\\d):(\\d\\d) (\\d{6}) ");
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /**
     * What was seen.
     *
     * @param tablesMicros from the fabric found to the tables made, by its own log
     * @param peakKb most memory
     */
    record Seen(long tablesMicros, long peakKb) {}

    private OpenSmRun() {}

    /**
     * Runs.
     *
     * @return nothing if the tables were not there in time
     */
    static Optional<Seen> of(FabricCase torus, Path directory, long limitSeconds)
            throws IOException, InterruptedException {
        Fabric fabric = torus.fabric();
        Files.writeString(directory.resolve("fabric.net"), NetFile.of(fabric).text(), StandardCharsets.US_ASCII);
        Files.writeString(directory.resolve("fabric.conf"), torus.confText(), StandardCharsets.US_ASCII);
        Files.writeString(directory.resolve("opensm.conf"), "force_log_flush TRUE\n", StandardCharsets.US_ASCII);
        Process simulator = start(
                directory,
                "ibsim",
                "ibsim",
                "-s",
                "-N",
                Integer.toString(fabric.nodeCount() + 8),
                "-S",
                Integer.toString(fabric.switchCount() + 8),
                "-P",
                Integer.toString(fabric.portCount() + 64),
                "-L",
                Integer.toString(fabric.maxLid() + 64),
                "fabric.net");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        Process opensm = null;
        try {
            await(directory.resolve("ibsim"), "Network simulator ready", simulator, deadline);
            opensm = start(
                    directory,
                    "opensm",
                    "ibsim-run",
                    "opensm",
                    "-F",
                    "opensm.conf",
                    "-R",
                    "torus-2QoS,no_fallback",
                    "-Q",
                    "--torus_config",
                    "fabric.conf",
                    "-D",
                    "0x3",
                    "-f",
                    "opensm.log",
                    "--dump_files_dir",
                    ".");
            String log = await(directory.resolve("opensm.log"), BUILT, opensm, deadline);
            return log.contains(BUILT)
                    ? Optional.of(new Seen(
                            Math.floorMod(clock(log, BUILT) - clock(log, BEGUN), MICROS_PER_DAY), peak(opensm)))
                    : Optional.empty();
        } finally {
            if (opensm != null) {
                opensm.destroyForcibly().waitFor();
            }
            simulator.destroyForcibly().waitFor();
        }
    }

    private static Process start(Path directory, String output, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output).toFile());
        builder.environment()
                .putAll(Map.of(
                        "IBSIM_SOCKNAME",
                        "railyard-bench-" + ProcessHandle.current().pid(),
                        "OSM_CACHE_DIR",
                        ".",
                        "OSM_TMP_DIR",
                        "."));
        return builder.start();
    }

    /** Reads a growing file until it has the text, the program ends, or time is up. */
    private static String await(Path file, String wanted, Process program, long deadline)
            throws IOException, InterruptedException {
        boolean ended = false;
        while (true) {
            String text = Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
            if (text.contains(wanted) || ended || System.nanoTime() > deadline) {
                return text;
            }
            ended = program.waitFor(100, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the time of day of the last line with a text, in microseconds. */
    private static long clock(String log, String wanted) {
        return log.lines()
                .filter(line -> line.contains(wanted))
                .reduce((first, last) -> last)
                .map(CLOCK::matcher)
                .filter(Matcher::find)
                .map(clock -> ((Long.parseLong(clock.group(1)) * 60 + Long.parseLong(clock.group(2))) * 60
                                        + Long.parseLong(clock.group(3)))
                                * 1_000_000
                        + Long.parseLong(clock.group(4)))
                .orElseThrow(() -> new IllegalStateException("no \"" + wanted + "\" in the log of opensm"));
    }

    private static long peak(Process opensm) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + opensm.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
