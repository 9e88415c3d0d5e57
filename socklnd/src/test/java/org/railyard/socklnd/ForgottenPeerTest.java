package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Peers without connections are forgotten, at any moment. */
class ForgottenPeerTest {
    private static final String NID = "127.0.6.1@tcp";
    private static final int CALLERS = 1000;

    @Test
    void aCallerIsNotForgottenBetweenItsHandshakeAndItsConnection() throws Exception {
        VirtualHost host = new VirtualHost();
        try (Node node = new Node(NID, new Node.Ports(), host, builder -> builder)) {
            Thread reaper = Thread.ofPlatform().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    host.advance(0);
                }
            });
            try {
                call(node);
            } finally {
                reaper.interrupt();
                reaper.join();
            }
        }
    }

    private static void call(Node node) throws IOException {
        for (int i = 1; i <= CALLERS; i++) {
            int gone = i - 1;
            try (RawPeer caller = RawPeer.connect("127.0.6.2", NID, node.port())) {
                caller.control(NID, "10.0.0.2@tcp", i);
                Await.until(
                        "accepted",
                        () -> node.lnd.stats().connectionsOpen() == 1
                                || node.lnd.stats().closed() > gone);
                assertThat(node.lnd.stats().closed()).isEqualTo(gone);
            }
            Await.until("closed", () -> node.lnd.stats().closed() > gone);
        }
    }
}
