package org.railyard.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Browsers that are suspended, and read nothing any more. */
@Timeout(60)
final class EventHubTest {
    /** More than a connection keeps. */
    private static final LiveEvent LARGE = new LiveEvent(": " + "x".repeat(32 << 20) + "\n\n");

    private static final LiveEvent SMALL = new LiveEvent(": x\n\n");

    private final EventHub hub = new EventHub();

    @Test
    void aBrowserThatReadsNothingGivesItsPlaceToAnother() throws IOException {
        List<Socket> suspended = new ArrayList<>();
        hub.add(() -> List.of(LARGE));
        try (WebServer server =
                WebServer.start(0, Assets.read(EventHubTest.class, "none", List.of()), hub, Map.of(), Map.of())) {
            for (int i = 0; i < EventHub.MAX_CLIENTS; i++) {
                suspended.add(follow(server));
            }
            assertThat(hub.enter()).as("a place for one more").isFalse();
            for (int i = 0; i <= EventHub.MAX_WAITING; i++) {
                hub.publish(() -> List.of(SMALL));
            }
            while (!hub.enter()) {
                assertThat(Thread.currentThread().isInterrupted())
                        .as("waited too long")
                        .isFalse();
                Thread.onSpinWait();
            }
            hub.leave();
            try (Socket other = follow(server)) {
                assertThat(other.isConnected()).isTrue();
            }
        } finally {
            for (Socket each : suspended) {
                each.close();
            }
        }
    }

    /** Returns once it is told events. */
    private static Socket follow(WebServer server) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        String token = server.url().substring(server.url().indexOf('?'));
        String request = "GET /events" + token + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder told = new StringBuilder();
        while (told.indexOf("retry:") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("%s", told).isNotNegative();
            told.append((char) next);
        }
        assertThat(told).startsWith("HTTP/1.1 200");
        return socket;
    }
}
