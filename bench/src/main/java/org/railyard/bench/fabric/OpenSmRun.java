package org.railyard.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.railyard.bench.compare.Leftovers;
import org.railyard.bench.compare.PeakMemory;
import org.railyard.bench.peer.ExternalTool;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.model.Fabric;

/** Runs OpenSM once on ibsim and reads from its log how long it took to build the tables. */
final class OpenSmRun {
    private static final String BUILT = "torus-2QoS tables configured on all switches";
    private static final String BEGUN = "torus_build_lfts: Found fabric";
    private static final String ROUTING = "building routing with";
    private static final String CONFIGURED = "tables configured on all switches";
    private static final String UP = "SUBNET UP";
    private static final String REFUSED = "No routing engine able to successfully configure";
    private static final Pattern LANES = Pattern.compile("Lanes needed: (\\d+)");
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

    /** Returns what is missing to run it; empty if nothing is. */
    static Optional<String> missing() {
        return Stream.of("opensm", "ibsim", "ibsim-run")
                .filter(each -> !ExternalTool.isInstalled(each))
                .findFirst()
                .map(each -> "no " + each + " (Debian: opensm, ibsim-utils)");
    }

    /**
     * Runs torus-2QoS.
     *
     * @return nothing if the tables were not there in time, or a program is missing
     */
    static Optional<Seen> of(FabricCase torus, Path directory, long limitSeconds)
            throws IOException, InterruptedException {
        if (missing().isPresent()) {
            return Optional.empty();
        }
        Files.writeString(directory.resolve("fabric.conf"), torus.confText(), StandardCharsets.US_ASCII);
        List<String> options =
                List.of("-R", "torus-2QoS,no_fallback", "-Q", "--torus_config", "fabric.conf", "-D", "0x3");
        Ended ended = run(torus.fabric(), directory, options, List.of(BUILT), limitSeconds);
        return ended.log.contains(BUILT)
                ? Optional.of(new Seen(
                        Math.floorMod(clock(ended.log, BUILT) - clock(ended.log, BEGUN), MICROS_PER_DAY), ended.peakKb))
                : Optional.empty();
    }

    /**
     * What another engine made of a fabric.
     *
     * @param micros from its beginning to the tables made, by its own log
     * @param lanes VLs that it says it needs; 0 if it says nothing
     * @param load what the tables do to cables
     */
    record Routed(long micros, int lanes, LinkLoad load) {}

    /**
     * Runs another engine and reads its dumps.
     *
     * @param engine as OpenSM's option {@code -R} names it
     * @param more options
     * @return nothing if it refused the fabric, the dumps were not there in time, or a program is missing
     */
    static Optional<Routed> engine(Fabric fabric, Path directory, String engine, List<String> more, long limitSeconds)
            throws IOException, InterruptedException {
        if (missing().isPresent()) {
            return Optional.empty();
        }
        List<String> options = new ArrayList<>(List.of("-R", engine + ",no_fallback", "-Q", "-D", "0x47"));
        options.addAll(more);
        String log = run(fabric, directory, options, List.of(UP, REFUSED), limitSeconds).log;
        if (!log.contains(UP) || log.contains(REFUSED)) {
            return Optional.empty();
        }
        Fabric found = SubnetList.parse(text(directory, "opensm-subnet.lst")).fabric();
        LinkLoad load = LinkLoad.of(found, LftsDump.parse(text(directory, "opensm-lfts.dump"), found));
        Matcher lanes = LANES.matcher(log);
        return Optional.of(new Routed(
                Math.floorMod(clock(log, CONFIGURED) - clock(log, ROUTING), MICROS_PER_DAY),
                lanes.find() ? Integer.parseInt(lanes.group(1)) : 0,
                load));
    }

    private static String text(Path directory, String file) throws IOException {
        return Files.readString(directory.resolve(file), StandardCharsets.ISO_8859_1);
    }

    private record Ended(String log, long peakKb) {}

    /** Runs both programs until the log of OpenSM has one of some texts. */
    private static Ended run(
            Fabric fabric, Path directory, List<String> options, List<String> wanted, long limitSeconds)
            throws IOException, InterruptedException {
        Files.writeString(directory.resolve("fabric.net"), NetFile.of(fabric).text(), StandardCharsets.US_ASCII);
        Files.writeString(directory.resolve("opensm.conf"), "force_log_flush TRUE\n", StandardCharsets.US_ASCII);
        Files.deleteIfExists(directory.resolve("opensm.log"));
        Files.deleteIfExists(directory.resolve("ibsim"));
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
            await(directory.resolve("ibsim"), List.of("Network simulator ready"), simulator, deadline);
            List<String> command = new ArrayList<>(List.of("ibsim-run", "opensm", "-F", "opensm.conf"));
            command.addAll(options);
            command.addAll(List.of("-f", "opensm.log", "--dump_files_dir", "."));
            opensm = start(directory, "opensm", command.toArray(String[]::new));
            String log = await(directory.resolve("opensm.log"), wanted, opensm, deadline);
            return new Ended(log, opensm.isAlive() ? PeakMemory.kib(opensm.pid()) : 0);
        } finally {
            if (opensm != null) {
                Leftovers.end(opensm);
            }
            Leftovers.end(simulator);
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
        return Leftovers.start(builder);
    }

    /** Reads a growing file until it has one of the texts, the program ends, or time is up. */
    private static String await(Path file, List<String> wanted, Process program, long deadline)
            throws IOException, InterruptedException {
        boolean ended = false;
        while (true) {
            String text = Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
            if (wanted.stream().anyMatch(text::contains) || ended || System.nanoTime() > deadline) {
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
}
