package org.railyard.node.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client makes of answers that are not whole. */
class ControlClientTest {
    @TempDir
    private Path dir = Path.of("");

    /** Asks a service that gives this answer and closes the connection. */
    private Map<String, Object> ask(String answer) throws IOException, InterruptedException {
        Path socket = dir.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread service = Thread.ofVirtual().start(() -> serve(server, answer));
            try {
                return new ControlClient(socket).post("net/show", Map.of());
            } finally {
                service.join();
            }
        }
    }

    private static void serve(ServerSocketChannel server, String answer) {
        try (SocketChannel client = server.accept()) {
            // It is read, or the end of the connection would be an error.
            client.read(ByteBuffer.allocate(1 << 16));
            client.write(StandardCharsets.UTF_8.encode(answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"n\": \"ä\"",
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 11\r\n\r\n"
            })
    void anAnswerThatBreaksOffIsNone(String answer) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ask(answer))
                .withMessageContaining("the service broke off before it answered");
    }

    @Test
    void anAnswerThatIsWhole() throws IOException, InterruptedException {
        assertThat(ask("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"n\": \"ä\"}"))
                .isEqualTo(Map.of("n", "ä"));
        dir.resolve("socket").toFile().delete();
        assertThat(ask("HTTP/1.1 200 OK\r\n\r\n{\"n\": 1}")).containsKey("n");
    }
}
