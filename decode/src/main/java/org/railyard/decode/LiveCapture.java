package org.railyard.decode;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program of libpcap that captures on an interface and writes what it captures to a pipe. Close it to end the
 * program.
 */
final class LiveCapture implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("tcpdump", "dumpcap");
    private static final int MAX_COMPLAINT = 4096;
    private static final int END_SECONDS = 2;

    private final String program;
    private final String device;
    private final Process process;
    private final Path complaints;

    private LiveCapture(String program, String device, Process process, Path complaints) {
        this.program = program;
        this.device = device;
        this.process = process;
        this.complaints = complaints;
    }

    /**
     * Starts a program.
     *
     * @param device a network interface, or {@code any}
     * @param ports TCP ports to capture
     * @param path where programs are looked for, in the form of {@code PATH}
     * @throws IOException if there is no such program, with what to do
     */
    static LiveCapture start(String device, Set<Integer> ports, String path) throws IOException {
        Path executable = PROGRAMS.stream()
                .flatMap(name -> found(name, path).stream())
                .findFirst()
                .orElseThrow(() -> new IOException("a live capture needs tcpdump or dumpcap, and neither is in PATH;"
                        + " install the package tcpdump, or capture elsewhere and decode the file"));
        String program = String.valueOf(executable.getFileName());
        Path complaints = Files.createTempFile("railyard-decode", ".log");
        Process process = new ProcessBuilder(command(executable.toString(), program, device, ports))
                .redirectError(complaints.toFile())
                .start();
        process.getOutputStream().close();
        return new LiveCapture(program, device, process, complaints);
    }

    private static Optional<Path> found(String name, String path) {
        return Stream.of(path.split(File.pathSeparator))
                .filter(each -> !each.isEmpty())
                .map(each -> Path.of(each, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns a command line: whole packets, each written as soon as it is there. */
    static List<String> command(String executable, String program, String device, Set<Integer> ports) {
        List<String> command = new ArrayList<>(List.of(executable, "-i", device, "-s", "0", "-w", "-"));
        String filter = ports.stream().sorted().map(port -> "tcp port " + port).collect(Collectors.joining(" or "));
        if (program.equals("tcpdump")) {
            command.addAll(List.of("-U", "--immediate-mode", filter));
        } else {
            command.addAll(List.of("-q", "-f", filter));
        }
        return command;
    }

    /** Returns what is captured. */
    InputStream output() {
        return process.getInputStream();
    }

    /**
     * Tells why nothing, or no more, is captured, once the output has ended; to be called before {@link #close}.
     *
     * @return empty if the program ended as it should
     */
    Optional<String> failure() throws IOException, InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS) || process.exitValue() == 0) {
            return Optional.empty();
        }
        byte[] text = Files.readAllBytes(complaints);
        String said = new String(text, 0, Math.min(text.length, MAX_COMPLAINT), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("; "));
        return Optional.of(program + " can not capture on " + device + ": " + said + advice(said));
    }

    private String advice(String said) {
        return said.contains("ermission") || said.contains("not permitted")
                ? ". Capturing needs root or CAP_NET_RAW: run this with sudo, or 'sudo tcpdump -U -i " + device
                        + " -w - tcp port 988 | railyard decode -'"
                : ". 'ip link' lists the interfaces";
    }

    @Override
    public void close() throws IOException {
        // Asked to end, it writes what it holds; nobody reads that any more.
        process.destroy();
        process.getInputStream().close();
        Files.deleteIfExists(complaints);
    }
}
