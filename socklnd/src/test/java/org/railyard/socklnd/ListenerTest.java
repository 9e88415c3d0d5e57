package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.LndNi;

/** Listening sockets that come and go. */
class ListenerTest {
    private static final int TIMES = 200;

    @Test
    void anNiThatWentMayComeBackAtOnce() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.30.9"))) {
            port = free.getLocalPort();
        }
        try (Node node =
                new Node("127.0.30.8@tcp", new Node.Ports(), new RealHost(), config -> config.acceptPort(port))) {
            LndNi ni = node.ni;
            for (int i = 0; i < TIMES; i++) {
                node.lnd.shutdown(ni);
                ni = node.add(node.nid, Map.of());
                assertThat(node.lnd.listenPort(ni)).isEqualTo(port);
            }
        }
    }
}
