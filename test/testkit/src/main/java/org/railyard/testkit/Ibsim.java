package org.railyard.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The simulator ibsim in a network namespace of its own, until closed: nobody outside sees its sockets. Commands for
 * its console go through the named pipe {@code console}.
 */
public final class Ibsim implements AutoCloseable {
    private static final long SECONDS = 60;

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private int programs;
    private final long pid;

    /**
     * Starts it.
     *
     * @param directory an empty one, where it and its clients run
     * @param netFile the fabric, as ibsim reads it
     * @param nodes most nodes; at most so many of them are switches
     * @param ports most ports, and most LIDs
     */
    public Ibsim(Path directory, String netFile, int nodes, int ports) throws IOException, InterruptedException {
        this.directory = directory;
        Files.writeString(directory.resolve("fabric.net"), netFile, StandardCharsets.US_ASCII);
        String start = "mkfifo console; exec 3<>console; exec ibsim -s -N %1$d -S %1$d -P %2$d -L %2$d fabric.net <&3"
                .formatted(nodes, ports);
        Process ibsim = start("ibsim", List.of("unshare", "-n", "sh", "-c", start));
        pid = ibsim.pid();
        await("ibsim", "Network simulator ready");
    }

    private Process start(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name).toFile());
        builder.environment().put("IBSIM_SOCKNAME", "railyard");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private void await(String file, String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < deadline) {
            boolean ended = processes.getLast().waitFor(10, TimeUnit.MILLISECONDS);
            if (text(file).contains(text)) {
                return;
            }
            if (ended) {
                break;
            }
        }
        throw new IllegalStateException("no \"" + text + "\" in " + file + ": " + text(file));
    }

    /** Starts OpenSM at a host, and waits until it has brought the subnet up. */
    public void openSm(String host) throws IOException, InterruptedException {
        List<String> command = client(host);
        command.addAll(
                List.of("OSM_CACHE_DIR=.", "OSM_TMP_DIR=.", "opensm", "-f", "opensm.log", "--dump_files_dir", "."));
        Files.writeString(directory.resolve("opensm.conf"), "force_log_flush TRUE\n", StandardCharsets.US_ASCII);
        command.addAll(List.of("-F", "opensm.conf"));
        start("opensm", command);
        await("opensm.log", "SUBNET UP");
    }

    /** Returns the beginning of a command line that runs a program at a host. */
    private List<String> client(String host) throws IOException {
        return new ArrayList<>(List.of(
                "nsenter", "-t", Long.toString(pid), "-n", "env", "LD_PRELOAD=" + library(), "SIM_HOST=" + host));
    }

    /** Runs a Java program of this test run as a client at a host of the fabric; returns what it printed. */
    public String java(String host, Class<?> program, String... arguments) throws IOException, InterruptedException {
        return ended(start("client", java(host, program, List.of(arguments))));
    }

    /** Starts a Java program of this test run at a host, and waits until it has printed something; it goes on. */
    public Program javaUntil(String printed, String host, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        String file = "program" + programs++;
        Process process = start(file, java(host, program, List.of(arguments)));
        await(file, printed);
        return new Program(process, file);
    }

    /**
     * Starts OpenSM at a host, and does not wait for it.
     *
     * @param conf its {@code opensm.conf}
     */
    public Program openSm(String host, String conf) throws IOException {
        String name = "opensm" + programs++;
        Files.writeString(directory.resolve(name + ".conf"), conf, StandardCharsets.US_ASCII);
        List<String> command = client(host);
        command.addAll(List.of("OSM_CACHE_DIR=" + name, "OSM_TMP_DIR=" + name, "opensm", "-f", name + ".log"));
        command.addAll(List.of("--dump_files_dir", name, "-F", name + ".conf"));
        Files.createDirectory(directory.resolve(name));
        return new Program(start(name + ".out", command), name + ".out");
    }

    /** A program that goes on. */
    public final class Program {
        private final Process process;
        private final String file;

        private Program(Process process, String file) {
            this.process = process;
            this.file = file;
        }

        /** Returns what it has printed so far. */
        public String printed() throws IOException {
            return text(file);
        }

        /** Asks it to end (SIGTERM), and waits for that. */
        public void end() throws InterruptedException {
            process.destroy();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(file + " does not end");
            }
        }

        /** Kills it. */
        public void kill() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    /** Runs a command as a client at a host; returns what it printed, and its exit code in a last line. */
    public String run(String host, String... arguments) throws IOException, InterruptedException {
        List<String> command = client(host);
        command.addAll(List.of(arguments));
        return ended(start("client", command));
    }

    /** Gives the simulator's console a command. */
    public void console(String command) throws IOException {
        Files.writeString(
                directory.resolve("console"), command + "\n", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    }

    private List<String> java(String host, Class<?> program, List<String> arguments) throws IOException {
        List<String> command = client(host);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(program),
                program.getName()));
        command.addAll(arguments);
        return command;
    }

    private String ended(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the client does not end: " + text("client"));
        }
        return text("client") + "exit " + process.exitValue() + "\n";
    }

    /** Everything that this process has, as modules or not, and where the program itself is. */
    private static String classPath(Class<?> program) {
        String name = program.getName().replace('.', '/') + ".class";
        String own = Objects.requireNonNull(program.getResource("/" + name)).getPath();
        List<String> places = new ArrayList<>(List.of(own.substring(0, own.length() - name.length())));
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            for (String place : System.getProperty(property, "").split(":")) {
                if (!place.isEmpty()) {
                    places.add(Path.of(place).toAbsolutePath().toString());
                }
            }
        }
        return String.join(":", places);
    }

    /** The library that stands between a program and the kernel. */
    private static Path library() throws IOException {
        for (String triple : List.of("x86_64-linux-gnu", "aarch64-linux-gnu", ".")) {
            Path found = Path.of("/usr/lib", triple, "umad2sim", "libumad2sim.so");
            if (Files.exists(found)) {
                return found.toRealPath();
            }
        }
        throw new IOException("no umad2sim/libumad2sim.so below /usr/lib: it comes with ibsim-utils");
    }

    private String text(String name) throws IOException {
        Path file = directory.resolve(name);
        return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
    }

    @Override
    public void close() {
        for (Process process : processes.reversed()) {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
