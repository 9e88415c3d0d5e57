package org.railyard.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Two ends of a TCP connection over loopback, with TCP_NODELAY and else with what the system gives, blocking until told
 * otherwise.
 *
 * @param client the end that connected
 * @param server the end that accepted
 */
record LoopbackPair(SocketChannel client, SocketChannel server) implements AutoCloseable {
    /** Connects the ends. */
    static LoopbackPair open() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            SocketChannel client = SocketChannel.open(listener.getLocalAddress());
            SocketChannel server = null;
            try {
                server = listener.accept();
                if (!server.getRemoteAddress().equals(client.getLocalAddress())) {
                    throw new IOException(
                            "a stranger, " + server.getRemoteAddress() + ", connected instead of the client");
                }
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                server.setOption(StandardSocketOptions.TCP_NODELAY, true);
                return new LoopbackPair(client, server);
            } catch (IOException e) {
                client.close();
                if (server != null) {
                    server.close();
                }
                throw e;
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (client) {
            server.close();
        }
    }
}
