package org.railyard.itest.daemon;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.cli.Main;
import org.railyard.itest.kit.Await;
import org.railyard.node.control.RemoteDlc;

/** {@code railyard lnetd} as a process that can be killed; on a port of its own, without privileges. */
public final class Lnetd implements AutoCloseable {
    private static final int LIMIT_SECONDS = 60;
    private static final Pattern METRICS = Pattern.compile("metrics on port ([0-9]+)");

    private final Process process;
    private final Path socket;
    private final int metricsPort;

    /**
     * Starts it and waits until it can be controlled.
     *
     * @param folder where its socket, its state and its log are
     * @param port that its transport listens on
     * @param options more options
     */
    public Lnetd(Path folder, int port, List<String> options) throws IOException {
        socket = folder.resolve("lnetd.sock");
        Path log = folder.resolve("lnetd.log");
        // What this machine has in its usual place is no part of a test.
        Path config = folder.resolve("lnet.conf");
        if (!Files.exists(config)) {
            Files.writeString(config, "# nothing configured\n");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")
                        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                Main.class.getName(),
                "lnetd",
                "--config",
                config.toString(),
                "--socket",
                socket.toString(),
                "--state",
                folder.resolve("state").toString(),
                "--param",
                "accept=all",
                "--param",
                "accept_port=" + port,
                "--param",
                "accept_port_bulk=" + port,
                "--any-source-port"));
        command.addAll(options);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        metricsPort = awaitReady(log);
    }

    private int awaitReady(Path log) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        String line = reader.readLine();
        if (line == null || !line.contains("controlled at")) {
            close();
            throw new AssertionError("lnetd does not start: " + line + "\n" + Files.readString(log));
        }
        Matcher port = METRICS.matcher(line);
        return port.find() ? Integer.parseInt(port.group(1)) : 0;
    }

    /** Returns its control. */
    public RemoteDlc dlc() {
        return new RemoteDlc(socket);
    }

    /** Returns the port for those who watch, 0 if there is none. */
    public int metricsPort() {
        return metricsPort;
    }

    /** Ends it from one moment to the next, as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("lnetd does not stop");
            }
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    /** Asks it to end, and waits. */
    @Override
    public void close() {
        process.destroy();
        awaitEnd();
    }
}
