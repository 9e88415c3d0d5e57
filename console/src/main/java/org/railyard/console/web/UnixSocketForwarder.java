package org.railyard.console.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.railyard.host.UnixSocketPlace;

/**
 * A Unix socket that leads to the server, which can listen on TCP only: bytes go through unchanged. Only its owner can
 * connect. Thread-safe.
 */
public final class UnixSocketForwarder implements AutoCloseable {
    /** Most connections at a time; a further one is closed. */
    static final int MAX_CONNECTIONS = 64;

    private static final int BUFFER = 16 << 10;

    /** How long it waits after a failure, ms: without file descriptors the next attempt fails at once. */
    private static final int PAUSE_MILLIS = 100;

    private static final System.Logger LOG = System.getLogger(UnixSocketForwarder.class.getName());

    private final Path path;
    private final ServerSocketChannel listener;
    private final Acceptor acceptor;
    private final InetSocketAddress server;
    private final Semaphore room = new Semaphore(MAX_CONNECTIONS);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    /** Waits for a connection. */
    @FunctionalInterface
    interface Acceptor {
        SocketChannel accept(ServerSocketChannel listener) throws IOException;
    }

    private UnixSocketForwarder(Path path, ServerSocketChannel listener, Acceptor acceptor, InetSocketAddress server) {
        this.path = path;
        this.listener = listener;
        this.acceptor = acceptor;
        this.server = server;
    }

    /**
     * Starts to listen.
     *
     * @param socket where; a folder that is missing is made for its owner only, and a socket that one who was killed
     *     left behind is removed
     * @param server where the bytes go
     * @throws org.railyard.base.ErrnoException EADDRINUSE if somebody listens there, EEXIST if something else is there
     * @throws IOException if the socket can not be made
     */
    public static UnixSocketForwarder open(Path socket, InetSocketAddress server) throws IOException {
        return open(socket, server, ServerSocketChannel::accept);
    }

    static UnixSocketForwarder open(Path socket, InetSocketAddress server, Acceptor acceptor) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Path place;
        try {
            place = UnixSocketPlace.take(socket, "console", null, at -> listener.bind(UnixDomainSocketAddress.of(at)));
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
        UnixSocketForwarder forwarder = new UnixSocketForwarder(place, listener, acceptor, server);
        forwarder.workers.execute(forwarder::accept);
        return forwarder;
    }

    private void accept() {
        boolean failing = false;
        while (listener.isOpen()) {
            try {
                SocketChannel client = acceptor.accept(listener);
                failing = false;
                if (room.tryAcquire()) {
                    workers.execute(() -> serve(client));
                } else {
                    client.close();
                }
            } catch (ClosedChannelException e) {
                // The end, or a client that has gone: the listener tells.
            } catch (IOException e) {
                if (!failing) {
                    LOG.log(
                            System.Logger.Level.ERROR,
                            "connections at " + path + " fail; tried again until they do not",
                            e);
                }
                failing = true;
                if (!pause()) {
                    return;
                }
            }
        }
    }

    /** Returns false if it is to end. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void serve(SocketChannel client) {
        try (client;
                SocketChannel inside = SocketChannel.open(server)) {
            workers.execute(() -> requests(client, inside));
            pump(inside, client);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection at {0} ended: {1}", path, e.getMessage());
        } finally {
            room.release();
        }
    }

    /** Whoever stops to ask may still be listening. */
    private void requests(SocketChannel client, SocketChannel inside) {
        try {
            pump(client, inside);
            inside.shutdownOutput();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection at {0} ended: {1}", path, e.getMessage());
        }
    }

    private static void pump(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (from.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
            buffer.clear();
        }
    }

    /** Removes the socket, and ends all connections. */
    @Override
    public void close() {
        try {
            listener.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, path + " is left behind", e);
        }
        workers.shutdownNow();
    }
}
