package org.railyard.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A port for a tool that cannot choose one itself. */
final class LoopbackPort {
    /** The address the tools bind and connect to. */
    static final String ADDRESS = "127.0.0.1";

    private LoopbackPort() {}

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
