package org.railyard.bench.sm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.railyard.bench.peer.ExternalTool;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;

/** The simulator ibsim in a network namespace of its own, in which its clients run, too (spec 42 §1). */
final class IbsimNet implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("ibsim", "unshare", "nsenter", "mkfifo");
    private static final int ROOM = 64;
    private static final String ROOT = "0";

    private final Path directory;
    private final ExternalTool simulator;

    /**
     * Starts it.
     *
     * @param directory an empty one, for it and its clients
     * @param limitNanos how long it may take, ns
     */
    IbsimNet(Path directory, Fabric fabric, long limitNanos) throws IOException, InterruptedException {
        this.directory = directory;
        Files.writeString(directory.resolve("fabric.net"), NetFile.of(fabric).text(), StandardCharsets.US_ASCII);
        String start = "mkfifo console; exec 3<>console; exec ibsim -s -N %1$d -S %1$d -P %2$d -L %2$d fabric.net <&3"
                .formatted(fabric.nodeCount() + ROOM, fabric.portCount() + ROOM);
        List<String> command = new ArrayList<>(environment());
        command.addAll(List.of("unshare", "-n", "sh", "-c", start));
        simulator = ExternalTool.start(command);
        try {
            simulator.awaitOutput("Network simulator ready", 0, limitNanos);
        } catch (IOException | InterruptedException e) {
            simulator.close();
            throw e;
        }
    }

    /** Returns what is missing to run it; empty if nothing is. */
    static Optional<String> missing() throws IOException {
        for (String program : PROGRAMS) {
            if (!ExternalTool.isInstalled(program)) {
                return Optional.of("no " + program + " (Debian: ibsim-utils, util-linux, coreutils)");
            }
        }
        if (library().isEmpty()) {
            return Optional.of("no umad2sim/libumad2sim.so below /usr/lib (Debian: ibsim-utils)");
        }
        return String.valueOf(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
                        .equals(ROOT)
                ? Optional.empty()
                : Optional.of("only root may make a network namespace");
    }

    /** Returns the library that stands between a client and the kernel. */
    private static Optional<Path> library() {
        return List.of("x86_64-linux-gnu", "aarch64-linux-gnu", ".").stream()
                .map(triple -> Path.of("/usr/lib", triple, "umad2sim", "libumad2sim.so"))
                .filter(Files::exists)
                .findFirst();
    }

    private List<String> environment() {
        return List.of(
                "env", "-C", directory.toString(), "IBSIM_SOCKNAME=railyard", "OSM_CACHE_DIR=.", "OSM_TMP_DIR=.");
    }

    /** Starts a program at a host, named by its identity in the file. */
    ExternalTool client(String host, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(environment());
        command.addAll(List.of(
                "SIM_HOST=" + host,
                "nsenter",
                "--net=/proc/" + simulator.pid() + "/ns/net",
                "env",
                "LD_PRELOAD=" + library().orElseThrow()));
        command.addAll(program);
        return ExternalTool.start(command);
    }

    /** Gives the simulator's console a command. */
    void console(String command) throws IOException {
        Files.writeString(
                directory.resolve("console"), command + "\n", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    }

    @Override
    public void close() {
        simulator.close();
    }
}
