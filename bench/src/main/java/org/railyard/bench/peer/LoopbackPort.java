package org.railyard.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A port for a tool that cannot choose one itself. */
final class LoopbackPort {
    /** The address the tools bind and connect to. */
    static final String ADDRESS = "127.0.0.1";

    private static final Path TABLE = Path.of("/proc/net/tcp");
    private static final Path TABLE6 = Path.of("/proc/net/tcp6");
    private static final long LOOK_NANOS = 5_000_000L;

    /** State LISTEN as the kernel writes it. */
    private static final String LISTEN = "0A";

    private LoopbackPort() {}

    /**
     * Waits until a tool listens that does not say so, without calling it.
     *
     * @throws IOException if it does not in time
     */
    static void awaitListener(int port, long limitNanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (!isListening(Files.readAllLines(TABLE), port)
                && !(Files.exists(TABLE6) && isListening(Files.readAllLines(TABLE6), port))) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("nobody listens at port " + port + " in time");
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
        }
    }

    /** Looks into the kernel's table of sockets. */
    static boolean isListening(List<String> table, int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        for (String line : table) {
            String[] words = line.strip().split(" +");
            if (words.length > 3 && words[1].endsWith(end) && words[3].equals(LISTEN)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a port that was free a moment ago; if another program takes it meanwhile, the tool says so and the round
     * fails.
     */
    static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(ADDRESS), 0));
            return socket.getLocalPort();
        }
    }
}
