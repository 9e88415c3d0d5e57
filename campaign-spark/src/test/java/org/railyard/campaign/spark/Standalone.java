package org.railyard.campaign.spark;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A standalone master of Spark and its workers, processes on loopback. */
final class Standalone implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path folder;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    Standalone(Path folder, int workers) throws IOException {
        this.folder = folder;
        Path jars = Files.createDirectories(folder.resolve("home/jars"));
        int number = 0;
        for (String entry : classPath().split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            number++;
            if (entry.endsWith(".jar")) {
                Files.createSymbolicLink(jars.resolve(number + "-" + jar.getFileName()), jar.toAbsolutePath());
            }
        }
        Files.createFile(folder.resolve("home/RELEASE"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        start("org.apache.spark.deploy.master.Master", "--host", HOST, "--port", "" + port, "--webui-port", "0");
        await();
        for (int i = 0; i < workers; i++) {
            start(
                    "org.apache.spark.deploy.worker.Worker",
                    "--host",
                    HOST,
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--webui-port",
                    "0",
                    "--work-dir",
                    folder.resolve("work-" + i).toString(),
                    url());
        }
    }

    static String classPath() {
        return System.getProperty("java.class.path", "");
    }

    String url() {
        return "spark://" + HOST + ":" + port;
    }

    private void start(String main, String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", classPath(), main));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SPARK_HOME", folder.resolve("home").toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        builder.redirectOutput(folder.resolve("log-" + processes.size()).toFile());
        processes.add(builder.start());
    }

    /** Waits until the master listens. */
    private void await() throws IOException {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (true) {
            try (Socket _ = new Socket(HOST, port)) {
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end || !processes.getFirst().isAlive()) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Kills a worker and its executors. */
    void kill(int worker) {
        Process process = processes.get(worker + 1);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : processes) {
            process.onExit().join();
        }
    }
}
