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
    /** Port of the control socket of {@link #overUdp}, on all addresses of its namespace. */
    public static final int UDP_PORT = 7070;

    private static final long SECONDS = 60;
    private static final String OWN_ADDRESS = "127.0.0.1";

    private final Path directory;
    private final boolean udp;
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
        this(directory, netFile, nodes, ports, false);
    }

    private Ibsim(Path directory, String netFile, int nodes, int ports, boolean udp)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.udp = udp;
        Files.writeString(directory.resolve("fabric.net"), netFile, StandardCharsets.US_ASCII);
        String start = "%3$smkfifo console; exec 3<>console; exec ibsim -s%4$s -N %1$d -S %1$d -P %2$d -L %2$d"
                        .formatted(nodes, ports, udp ? "ip link set lo up; " : "", udp ? " -r -l " + UDP_PORT : "")
                + " fabric.net <&3";
        Process ibsim = start("ibsim", List.of("unshare", "-n", "sh", "-c", start));
        pid = ibsim.pid();
        await("ibsim", "Network simulator ready");
    }

    /**
     * Starts it with UDP sockets, {@link #UDP_PORT} and those behind it, in place of local ones. Programs of {@link
     * #javaInside} can talk to it without the library that stands between a program and the kernel.
     */
    public static Ibsim overUdp(Path directory, String netFile, int nodes, int ports)
            throws IOException, InterruptedException {
        return new Ibsim(directory, netFile, nodes, ports, true);
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
        await(processes.getLast(), file, List.of(text));
    }

    /** Waits until a file of a program has these texts, one behind the other. */
    private void await(Process process, String file, List<String> texts) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < deadline) {
            boolean ended = process.waitFor(10, TimeUnit.MILLISECONDS);
            if (hasAll(text(file), texts)) {
                return;
            }
            if (ended) {
                break;
            }
        }
        throw new IllegalStateException("no " + texts + " in " + file + ": " + text(file) + printed());
    }

    private static boolean hasAll(String whole, List<String> texts) {
        int from = 0;
        for (String text : texts) {
            int at = whole.indexOf(text, from);
            if (at < 0) {
                return false;
            }
            from = at + text.length();
        }
        return true;
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
        List<String> command = inside();
        command.addAll(List.of("env", "LD_PRELOAD=" + library(), "SIM_HOST=" + host));
        if (udp) {
            command.addAll(List.of("IBSIM_SERVER_NAME=" + OWN_ADDRESS, "IBSIM_SERVER_PORT=" + UDP_PORT));
        }
        return command;
    }

    /** Returns the beginning of a command line that runs a program in the namespace. */
    private List<String> inside() {
        return new ArrayList<>(List.of("nsenter", "-t", Long.toString(pid), "-n"));
    }

    /** Runs a Java program of this test run in the simulator's namespace; returns what it printed. */
    public String javaInside(Class<?> program, String... arguments) throws IOException, InterruptedException {
        return ended(start("client", java(inside(), program, List.of(arguments))));
    }

    /** Runs a Java program of this test run as a client at a host of the fabric; returns what it printed. */
    public String java(String host, Class<?> program, String... arguments) throws IOException, InterruptedException {
        return ended(start("client", java(client(host), program, List.of(arguments))));
    }

    /** Starts a Java program of this test run at a host, and waits until it has printed something; it goes on. */
    public Program javaUntil(String printed, String host, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        String file = "program" + programs++;
        Process process = start(file, java(client(host), program, List.of(arguments)));
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
        Files.writeString(
                directory.resolve(name + ".conf"), conf + "force_log_flush TRUE\n", StandardCharsets.US_ASCII);
        List<String> command = client(host);
        command.addAll(List.of("OSM_CACHE_DIR=" + name, "OSM_TMP_DIR=" + name, "opensm", "-f", name + ".log"));
        command.addAll(List.of("--dump_files_dir", name, "-F", name + ".conf"));
        Files.createDirectory(directory.resolve(name));
        return new Program(start(name + ".out", command), name + ".log");
    }

    /** Returns what all programs that went on have printed so far. */
    public String printed() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < programs; i++) {
            all.append(text("program" + i)).append(text("opensm" + i + ".out")).append(text("opensm" + i + ".log"));
        }
        return all.toString();
    }

    /** A program that goes on. */
    public final class Program {
        private final Process process;
        private final String file;

        private Program(Process process, String file) {
            this.process = process;
            this.file = file;
        }

        /** Waits until it has printed these texts, one behind the other. */
        public void await(String... texts) throws IOException, InterruptedException {
            Ibsim.this.await(process, file, List.of(texts));
        }

        /** Waits until it has printed these texts, one behind the other, and behind what it had printed before. */
        public void awaitBehind(String before, String... texts) throws IOException, InterruptedException {
            List<String> all = new ArrayList<>(List.of(before));
            all.addAll(List.of(texts));
            Ibsim.this.await(process, file, all);
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

    private static List<String> java(List<String> command, Class<?> program, List<String> arguments) {
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
