package org.railyard.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A way to one NID that can go silent: whoever dials its port is connected to the listener behind it, and both ends see
 * each other's real addresses. While it is silent it takes no bytes and tells nobody, as a cable that was pulled out of
 * the far end of a switch.
 */
final class Cable implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final List<Socket> ends = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    // Guarded by lock.
    private boolean silent;
    private boolean closed;

    /** Lays a cable to a listener; its own port is any free one at the same address. */
    Cable(InetAddress address, int listenerPort) {
        target = new InetSocketAddress(address, listenerPort);
        try {
            server = new ServerSocket();
            // Before it is bound: its connections take it over.
            server.setReceiveBufferSize(BUFFER);
            server.bind(new InetSocketAddress(address, 0));
        } catch (IOException e) {
            throw new UncheckedIOException("no port at " + address.getHostAddress(), e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns the port to dial instead of the listener's. */
    int port() {
        return server.getLocalPort();
    }

    void silence(boolean value) {
        synchronized (lock) {
            silent = value;
            lock.notifyAll();
        }
    }

    /** Waits while it is silent; false when it is closed. */
    private boolean awaitVoice() throws InterruptedException {
        synchronized (lock) {
            while (silent && !closed) {
                lock.wait();
            }
            return !closed;
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> connect(caller));
            }
        } catch (IOException e) {
            // Closed.
            closeEnds();
        }
    }

    private void connect(Socket caller) {
        Socket listener = new Socket();
        ends.add(caller);
        ends.add(listener);
        try {
            caller.setTcpNoDelay(true);
            listener.setTcpNoDelay(true);
            caller.setSendBufferSize(BUFFER);
            listener.setSendBufferSize(BUFFER);
            listener.setReceiveBufferSize(BUFFER);
            listener.bind(new InetSocketAddress(caller.getInetAddress(), 0));
            listener.connect(target);
            Thread.ofPlatform().daemon().start(() -> carry(caller, listener));
            carry(listener, caller);
        } catch (IOException e) {
            // Nobody listens any more.
            close(caller);
            close(listener);
        }
    }

    /** Carries bytes in one direction to the end, with which the other direction ends too. */
    private void carry(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            int bytes = from.getInputStream().read(buffer);
            while (bytes >= 0 && awaitVoice()) {
                to.getOutputStream().write(buffer, 0, bytes);
                bytes = from.getInputStream().read(buffer);
            }
        } catch (IOException e) {
            // One end is gone: so is the other.
            close(from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(from);
        close(to);
    }

    private void close(Socket end) {
        try {
            end.close();
        } catch (IOException e) {
            System.getLogger("org.railyard.cli").log(System.Logger.Level.DEBUG, "close of a cable's end", e);
        }
        ends.remove(end);
    }

    private void closeEnds() {
        ends.forEach(this::close);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        closeEnds();
    }
}
