package org.railyard.node.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.LnetOperation;

/** Requests that go wrong, and the answers to them. */
@Timeout(60)
final class ControlServerTest {
    @TempDir
    private Path dir = Path.of("");

    private ControlServer start(Dlc dlc) throws IOException {
        return ControlServer.start(dir.resolve("lnetd.sock"), null, dlc, Map.of());
    }

    @Test
    void anErrorIsAnsweredToo() throws IOException {
        Dlc outOfMemory = operation -> {
            throw new OutOfMemoryError("direct");
        };
        try (ControlServer server = start(outOfMemory)) {
            DlcException refused = catchThrowableOfType(
                    DlcException.class, () -> new RemoteDlc(server.socket()).execute(new LnetOperation.Status()));
            assertThat(refused.failure().errno()).isEqualTo(-5);
            assertThat(refused).hasMessageContaining("the service failed at it: java.lang.OutOfMemoryError: direct");
        }
    }

    @Test
    void whatGoesWrongWhileTheAnswerIsWrittenIsAnsweredToo() throws IOException {
        // Text that is made of it while the answer is written.
        Object unwritable = new Object() {
            @Override
            public String toString() {
                throw new OutOfMemoryError("heap");
            }
        };
        Dlc dlc = operation -> Map.of("a", unwritable);
        try (ControlServer server = start(dlc)) {
            DlcException refused = catchThrowableOfType(
                    DlcException.class, () -> new RemoteDlc(server.socket()).execute(new LnetOperation.Status()));
            assertThat(refused.failure().errno()).isEqualTo(-5);
        }
    }

    @Test
    void aBodyThatIsNestedTooDeeplyIsRefused() throws IOException {
        try (ControlServer server = start(operation -> Map.of())) {
            assertThat(post(server.socket(), "{name: " + "[".repeat(20_000)))
                    .startsWith("HTTP/1.1 400")
                    .contains("errno: -22", "found more than 64 levels of nesting, expected at most 64");
        }
    }

    @Test
    void aBodyWithoutAnEndIsRefused() throws IOException {
        try (ControlServer server = start(operation -> Map.of())) {
            assertThat(post(server.socket(), "name: &a [*a]"))
                    .startsWith("HTTP/1.1 400")
                    .contains("errno: -22", "1:11: found *a, an alias within what it stands for");
        }
    }

    private static String post(Path socket, String body) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            String request = "POST /v1/global/set HTTP/1.1\r\nHost: lnetd\r\nConnection: close\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body;
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
