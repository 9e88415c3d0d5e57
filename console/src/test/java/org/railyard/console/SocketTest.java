package org.railyard.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.ErrnoException;

/** A console at a Unix socket. */
final class SocketTest {
    @TempDir
    private Path dir = Path.of("");

    private final WebConsole console = console();

    private static WebConsole console() {
        try {
            return WebConsole.start(0, Map.of(), null, null, false, Duration.ofSeconds(1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        console.close();
    }

    private static String get(Path socket, String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theTokenLetsIn() throws IOException {
        Path socket = dir.resolve("new/console.sock");
        console.listenAt(socket);
        String token = console.url().substring(console.url().indexOf('?'));
        assertThat(get(socket, "/api/about" + token)).startsWith("HTTP/1.1 200").contains("\"nodes\"");
        assertThat(get(socket, "/lib/uplot/uPlot.esm.js" + token).length()).isGreaterThan(40_000);
        assertThat(get(socket, "/api/about")).startsWith("HTTP/1.1 403");
        assertThat(get(socket, "/api/about?token=no")).startsWith("HTTP/1.1 403");
    }

    @Test
    void onlyItsOwnerCanConnectAndItGoesWithTheConsole() throws IOException {
        Path socket = dir.resolve("new/console.sock");
        console.listenAt(socket);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("new"))))
                .isEqualTo("rwx------");
        try (var files = Files.list(dir.resolve("new"))) {
            assertThat(files).containsExactly(socket);
        }
        console.close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void whatIsLeftOfAKilledOneIsReplaced() throws IOException {
        Path socket = dir.resolve("console.sock");
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> console.listenAt(socket))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("another console listens at " + socket);
        }
        console.listenAt(socket);
        assertThat(get(socket, "/")).startsWith("HTTP/1.1 403");
    }

    @Test
    void aFileIsNotTakenForASocket() throws IOException {
        Path file = Files.writeString(dir.resolve("mine"), "precious");
        assertThatThrownBy(() -> console.listenAt(file))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("is there and no socket");
        assertThat(file).hasContent("precious");
    }
}
