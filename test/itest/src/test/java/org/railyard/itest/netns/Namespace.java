package org.railyard.itest.netns;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.railyard.testkit.Program;

/**
 * A network namespace, deleted when closed. Its name tells who made it, so that what a killed run left behind is
 * deleted by the next one, and what belongs to a run beside this one is not.
 */
public final class Namespace implements AutoCloseable {
    private static final String PREFIX = "railyard-itest-";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name;

    /** Makes one with a loopback device. */
    public Namespace() {
        name = PREFIX + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        Program.line("ip netns add " + name).run();
        ip("link set lo up");
    }

    /** Deletes the namespaces of test runs that have ended. Synchronized, since several classes begin at a time. */
    public static synchronized void deleteLeftOvers() {
        Program.line("ip netns list")
                .run()
                .lines()
                .map(line -> line.split(" ")[0])
                .filter(name -> name.startsWith(PREFIX) && !isAlive(name))
                .forEach(name -> Program.line("ip netns delete " + name).run());
    }

    private static boolean isAlive(String name) {
        return Files.exists(Path.of("/proc", name.substring(PREFIX.length()).split("-")[0]));
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Runs {@code ip} in it. */
    public String ip(String words) {
        return Program.line("ip -n " + name + " " + words).run();
    }

    /** Lays a cable to another namespace; the device has the same name at both ends. */
    public void cable(Namespace other, String device) {
        ip("link add " + device + " type veth peer name " + device + " netns " + other.name);
        ip("link set " + device + " up");
        other.ip("link set " + device + " up");
    }

    /** Makes a bridge that forwards at once. */
    public void bridge(String bridge) {
        ip("link add " + bridge + " type bridge forward_delay 0");
        ip("link set " + bridge + " up");
    }

    /**
     * Lays a cable from another namespace to a bridge in this one.
     *
     * @param device its name there
     * @param port its name here
     */
    public void plug(String bridge, String port, Namespace other, String device) {
        other.ip("link add " + device + " type veth peer name " + port + " netns " + name);
        other.ip("link set " + device + " up");
        ip("link set " + port + " master " + bridge);
        ip("link set " + port + " up");
    }

    /** Gives a device an address that can be used at once. */
    public void address(String device, String address) {
        // Duplicate address detection would keep an IPv6 address back for a second.
        ip("addr add " + address + " dev " + device + (address.contains(":") ? " nodad" : ""));
    }

    /** Starts a Java program of this test run in it; its errors go to this process's standard error. */
    public Process java(Class<?> program, String... arguments) throws IOException {
        return java(List.of(), program, arguments);
    }

    /** Starts a Java program that may have so many files open. */
    Process javaWithFiles(int files, Class<?> program, String... arguments) throws IOException {
        return java(List.of("sh", "-c", "ulimit -n " + files + "; exec \"$@\"", "sh"), program, arguments);
    }

    private Process java(List<String> wrapper, Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
        command.addAll(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp"));
        command.add(System.getProperty("java.class.path")
                .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Override
    public void close() {
        Program.line("ip netns delete " + name).run();
    }
}
