package org.railyard.socklnd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A path that can stall and break: whoever dials its port is connected to the listener behind it. Bytes go through
 * small buffers, so that a stall is soon felt. Both ends see each other's real addresses.
 */
final class Relay implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    /** A direction between two addresses. */
    record Way(InetAddress from, InetAddress to) {}

    /** What all relays of a test have in common: which ways are stalled. */
    static final class Weather {
        private final Set<Way> stalled = new HashSet<>();

        synchronized void stall(InetAddress from, InetAddress to, boolean value) {
            Way way = new Way(from, to);
            if (value ? stalled.add(way) : stalled.remove(way)) {
                notifyAll();
            }
        }

        synchronized void awaitFree(Way way) throws InterruptedException {
            while (stalled.contains(way)) {
                wait();
            }
        }
    }

    private record Pair(Socket caller, Socket listener) {
        boolean isBetween(InetAddress one, InetAddress other) {
            Set<InetAddress> ends = Set.of(caller.getInetAddress(), listener.getInetAddress());
            return ends.contains(one) && ends.contains(other);
        }

        /** Ends both connections; with a reset, if so wanted. */
        void close(boolean reset) {
            try {
                close(caller, reset);
                close(listener, reset);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void close(Socket socket, boolean reset) throws IOException {
            synchronized (socket) {
                if (!socket.isClosed()) {
                    if (reset) {
                        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
                    }
                    socket.close();
                }
            }
        }
    }

    private final Weather weather;
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();

    Relay(Weather weather, InetSocketAddress target) {
        this.weather = weather;
        this.target = target;
        try {
            this.server = new ServerSocket(0, 50, target.getAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> connect(caller));
            }
        } catch (IOException e) {
            // Closed.
            pairs.forEach(pair -> pair.close(false));
        }
    }

    private void connect(Socket caller) {
        Socket listener = new Socket();
        Pair pair = new Pair(caller, listener);
        try {
            caller.setTcpNoDelay(true);
            listener.setTcpNoDelay(true);
            listener.bind(new InetSocketAddress(caller.getInetAddress(), 0));
            listener.connect(target);
            pairs.add(pair);
            Way there = new Way(caller.getInetAddress(), target.getAddress());
            Way back = new Way(target.getAddress(), caller.getInetAddress());
            Thread.ofVirtual().start(() -> pump(pair, caller, listener, there));
            pump(pair, listener, caller, back);
        } catch (IOException e) {
            // Nobody listens any more.
            pair.close(true);
        }
    }

    private void pump(Pair pair, Socket from, Socket to, Way way) {
        byte[] buffer = new byte[BUFFER];
        boolean reset = true;
        try {
            for (int bytes = from.getInputStream().read(buffer);
                    bytes >= 0;
                    bytes = from.getInputStream().read(buffer)) {
                weather.awaitFree(way);
                to.getOutputStream().write(buffer, 0, bytes);
            }
            reset = false;
        } catch (IOException e) {
            // One end broke: so does the other.
            reset = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pair.close(reset);
        pairs.remove(pair);
    }

    /** Breaks the connections between two addresses. */
    void reset(InetAddress one, InetAddress other) {
        for (Pair pair : pairs) {
            if (pair.isBetween(one, other)) {
                pair.close(true);
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pairs.forEach(pair -> pair.close(true));
    }
}
