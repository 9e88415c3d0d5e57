package org.railyard.bench.sm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.railyard.base.text.Doc;
import org.railyard.bench.compare.ChildClassPath;
import org.railyard.bench.compare.Medians;
import org.railyard.bench.compare.PeakMemory;
import org.railyard.bench.peer.ExternalTool;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;

/** One subnet manager on one torus of ibsim: brings it up, and mends it when a cable is taken away. */
final class IbsimRun {
    private static final long QUIET_NANOS = 1_500_000_000L;
    private static final String CONF = "torus-2QoS.conf";

    private static final String MAIN = "org.railyard.cli.Main";
    private static final String MAIN_MODULE = "org.railyard.cli/" + MAIN;

    private final Path directory;
    private final int side;
    private final int cables;
    private final SampleTorus torus;
    private final long limitNanos;

    /**
     * What was seen: times from outside, in microseconds.
     *
     * @param up from the start of the program to its word that the subnet is up
     * @param upCpu what the program has had of a processor until then
     * @param firstPull of the first cable that is pulled: from the command to the simulator to the word that the subnet
     *     is up again
     * @param pull the same, median of all cables
     * @param pullCpu what the program had of a processor for one, median of all
     * @param peakKb most memory
     */
    record Seen(long up, long upCpu, long firstPull, long pull, long pullCpu, long peakKb) {
        /** Returns it for programs, in the units of {@link SmWorker}: ns and kB. */
        Map<String, Object> document() {
            return new Doc()
                    .put("up", up)
                    .put("up_cpu", upCpu)
                    .put("first_pull", firstPull)
                    .put("pull", pull)
                    .put("pull_cpu", pullCpu)
                    .put("peak_kb", peakKb)
                    .map();
        }
    }

    /**
     * Makes it.
     *
     * @param directory an empty one
     * @param side switches in each of three dimensions
     * @param cables that are pulled one after the other, each in a ring of its own; at most {@code side}
     * @param limitSeconds longest wait for each word of a program
     */
    IbsimRun(Path directory, int side, int cables, long limitSeconds) throws IOException {
        this.directory = directory;
        this.side = side;
        this.cables = Math.min(cables, side);
        torus = SampleTorus.torus(side, side, side, 1);
        limitNanos = TimeUnit.SECONDS.toNanos(limitSeconds);
        Files.writeString(directory.resolve(CONF), torus.conf(1), StandardCharsets.US_ASCII);
        Files.writeString(directory.resolve("opensm.conf"), "force_log_flush TRUE\n", StandardCharsets.US_ASCII);
    }

    /** Returns what is missing to run OpenSM there; empty if nothing is. */
    static Optional<String> missing() throws IOException {
        return ExternalTool.isInstalled("opensm") ? IbsimNet.missing() : Optional.of("no opensm (Debian: opensm)");
    }

    /** Runs OpenSM, torus-2QoS with QoS. */
    Seen opensm() throws IOException, InterruptedException {
        return measure(
                List.of(
                        "opensm",
                        "-F",
                        "opensm.conf",
                        "-R",
                        "torus-2QoS,no_fallback",
                        "-Q",
                        "--torus_config",
                        CONF,
                        "-D",
                        "0x3",
                        "-f",
                        "stdout",
                        "--dump_files_dir",
                        "."),
                "SUBNET UP");
    }

    /** Runs {@code railyard sm}, the start of its JVM included. */
    Seen railyard() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program());
        command.addAll(List.of("sm", "--device", "any", "--conf", CONF, "--opensm-lid-order", "--json"));
        command.addAll(List.of("--socket", directory.resolve("sm.sock").toString()));
        return measure(command, "\"result\":\"done\"");
    }

    /** Returns how this program was started, caches of classes included; without modules by a class path. */
    private static List<String> program() throws IOException {
        ProcessHandle.Info own = ProcessHandle.current().info();
        List<String> words = List.of(own.arguments().orElse(new String[0]));
        int main = words.indexOf(MAIN_MODULE);
        if (main >= 0 && own.command().isPresent()) {
            return LaunchedJvm.command(own.command().get(), words.subList(0, main + 1));
        }
        return LaunchedJvm.command(
                ChildClassPath.java(),
                List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", classPath(), MAIN));
    }

    /** Returns absolute paths: the program runs in another directory. */
    private static String classPath() throws IOException {
        String here = ChildClassPath.ofThis();
        return Stream.of(here.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Seen measure(List<String> command, String word) throws IOException, InterruptedException {
        Fabric fabric = torus.fabric();
        try (IbsimNet net = new IbsimNet(directory, fabric, limitNanos)) {
            long begin = System.nanoTime();
            try (ExternalTool manager = net.client(identity(fabric, fabric.switchCount()), command)) {
                manager.awaitOutput(word, 0, limitNanos);
                long up = System.nanoTime() - begin;
                long upCpu = manager.cpu().toNanos();
                double[] pulls = new double[cables];
                double[] cpus = new double[cables];
                for (int i = 0; i < cables; i++) {
                    int from = manager.awaitQuiet(QUIET_NANOS);
                    long before = manager.cpu().toNanos();
                    begin = System.nanoTime();
                    net.console(unlink(fabric, i));
                    manager.awaitOutput(word, from, limitNanos);
                    pulls[i] = System.nanoTime() - begin;
                    cpus[i] = manager.cpu().toNanos() - before;
                }
                return new Seen(
                        up / 1000,
                        upCpu / 1000,
                        (long) pulls[0] / 1000,
                        (long) Medians.of(pulls) / 1000,
                        (long) Medians.of(cpus) / 1000,
                        PeakMemory.kib(manager.pid()));
            }
        } finally {
            Files.deleteIfExists(directory.resolve("console"));
        }
    }

    /** Returns the command that takes a cable of the {@code i}th switch of the diagonal away. */
    private String unlink(Fabric fabric, int i) {
        int sw = i * (side * side + side + 1);
        return "Unlink \"" + identity(fabric, sw) + "\"[" + fabric.portNumber(SmWorker.cable(fabric, sw)) + "]";
    }

    /** Returns how the file names a node. */
    private static String identity(Fabric fabric, int node) {
        return "%s-%016x".formatted(fabric.isSwitch(node) ? "S" : "H", fabric.guid(node));
    }
}
