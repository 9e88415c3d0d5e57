package org.railyard.fabric.torus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.conf.TorusConf;

/** OpenSM on the simulator ibsim, with one fabric, until closed. Files are in a directory of its own. */
final class LiveOpenSm implements AutoCloseable {
    private static final long SECONDS = 60;
    private static final String REFUSED = "No routing engine able to successfully configure";
    private static final Pattern SL = Pattern.compile("(?m)^\\s*sl\\.*0x([0-9A-Fa-f]+)$");

    private final Path directory;
    private final String socket;
    private final String host;
    private final List<Process> processes = new ArrayList<>();
    private final boolean routed;

    /** Starts both and waits for the verdict. */
    LiveOpenSm(Path directory, String socket, Fabric fabric, TorusConf conf) throws IOException, InterruptedException {
        this(directory, socket, fabric, conf, TorusEngine.NAME);
    }

    /** The same on a host of choice, which is a node index, and with 2^lmc LIDs for each port of a CA. */
    LiveOpenSm(Path directory, String socket, Fabric fabric, TorusConf conf, int host, int lmc)
            throws IOException, InterruptedException {
        this(directory, socket, fabric, conf, TorusEngine.NAME, host, List.of("-l", Integer.toString(lmc)));
    }

    /** The same with another routing engine. */
    LiveOpenSm(Path directory, String socket, Fabric fabric, TorusConf conf, String engine)
            throws IOException, InterruptedException {
        this(directory, socket, fabric, conf, engine, fabric.switchCount(), List.of());
    }

    private LiveOpenSm(
            Path directory, String socket, Fabric fabric, TorusConf conf, String engine, int node, List<String> options)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.socket = socket;
        this.host = "H-%016x".formatted(fabric.guid(node));
        write("fabric.net", NetFile.of(fabric).text());
        write("fabric.conf", conf.toText());
        write("opensm.conf", "force_log_flush TRUE\n");
        start(
                "ibsim",
                List.of(
                        "ibsim",
                        "-s",
                        "-N",
                        Integer.toString(fabric.nodeCount() + 8),
                        "-S",
                        Integer.toString(fabric.switchCount() + 8),
                        "-P",
                        Integer.toString(fabric.portCount() + 64),
                        "-L",
                        Integer.toString(fabric.portCount() + 64),
                        "fabric.net"));
        await("ibsim", "Network simulator ready");
        List<String> command = new ArrayList<>(List.of(
                "ibsim-run",
                "opensm",
                "-F",
                "opensm.conf",
                "-R",
                engine + ",no_fallback",
                "-Q",
                "--torus_config",
                "fabric.conf",
                "-D",
                "0x43",
                "-f",
                "opensm.log",
                "--dump_files_dir",
                "."));
        command.addAll(options);
        start("opensm", command);
        routed = await("opensm.log", "SUBNET UP|" + REFUSED).equals("SUBNET UP");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardCharsets.US_ASCII);
    }

    private Process start(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name).toFile());
        builder.environment()
                .putAll(Map.of("IBSIM_SOCKNAME", socket, "SIM_HOST", host, "OSM_CACHE_DIR", ".", "OSM_TMP_DIR", "."));
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Waits until a file of the directory has the text; returns which of the alternatives. */
    private String await(String file, String pattern) throws IOException, InterruptedException {
        Pattern wanted = Pattern.compile(pattern);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        boolean ended = false;
        while (true) {
            Path path = directory.resolve(file);
            String text = Files.exists(path) ? Files.readString(path, StandardCharsets.ISO_8859_1) : "";
            Matcher found = wanted.matcher(text);
            if (found.find()) {
                return found.group();
            }
            if (ended || System.nanoTime() > deadline) {
                break;
            }
            // What a program wrote before it ended is still read.
            ended = processes.getLast().waitFor(10, TimeUnit.MILLISECONDS);
        }
        throw new IllegalStateException("no \"" + pattern + "\" in " + directory.resolve(file));
    }

    /** Returns whether OpenSM routed the fabric. */
    boolean routed() {
        return routed;
    }

    /** Returns the SL of a path as its SA tells it; empty if it tells that there is none. */
    OptionalInt sl(int from, int to) throws IOException, InterruptedException {
        String name = "path-" + from + "-" + to;
        Process process = start(name, List.of("ibsim-run", "saquery", "--src-to-dst", from + ":" + to));
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("saquery did not end: " + text(name));
        }
        Matcher sl = SL.matcher(text(name));
        if (sl.find()) {
            return OptionalInt.of(Integer.parseInt(sl.group(1), 16));
        }
        // Of an answer without records it says nothing.
        if (process.exitValue() != 0 || !text(name).isBlank()) {
            throw new IllegalStateException("saquery says, code " + process.exitValue() + ": " + text(name));
        }
        return OptionalInt.empty();
    }

    /** Returns the text of a dump. */
    String text(String name) throws IOException {
        return Files.readString(directory.resolve(name), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        for (Process process : processes.reversed()) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
