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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.LnetOperation;
import org.railyard.control.StatsOperation;

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

    /** As RFC 9110 has it: 405 is about the method, and lists those that there are. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /v1/stats/reset, 'POST',      expected POST",
        "DELETE, /v1/stats/show,  'POST, GET', expected POST or GET",
        "DELETE, /v1/more/do,     'POST',      expected POST"
    })
    void anotherMethodIsAnsweredWithThoseThatThereAre(String method, String path, String allowed, String why)
            throws IOException {
        Map<String, Extension> more = Map.of("more", (_, _) -> Map.of());
        try (ControlServer server = ControlServer.start(dir.resolve("lnetd.sock"), null, operation -> Map.of(), more)) {
            assertThat(ask(server.socket(), method + " " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 405 ")
                    .containsIgnoringCase("\r\nallow: " + allowed + "\r\n")
                    .contains("errno: -95", method + " of " + path + "; " + why);
        }
    }

    /** No other method would help. */
    @Test
    void whatCanNotBeDoneHereIsNotAboutTheMethod() throws IOException {
        Dlc other = operation -> {
            throw new ErrnoException(Errno.EOPNOTSUPP, "not here");
        };
        try (ControlServer server = start(other)) {
            assertThat(post(server.socket(), "{}"))
                    .startsWith("HTTP/1.1 501 ")
                    .contains("errno: -95", "not here")
                    .doesNotContainIgnoringCase("\r\nallow: ");
        }
    }

    /** What there is of such a request could be another one than was meant. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /v1/stats/reset HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                "POST /v1/stats/reset HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}1",
                "POST /v1/stats/reset HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
                "\0\0\0\0\r\n\r\n",
            })
    void whatIsNoHttpIsRefusedAndNotDone(String request) throws IOException {
        List<Object> executed = new CopyOnWriteArrayList<>();
        Dlc dlc = operation -> {
            executed.add(operation);
            return Map.of();
        };
        try (ControlServer server = start(dlc)) {
            assertThat(ask(server.socket(), request))
                    .startsWith("HTTP/1.1 400")
                    .contains("errno: -22", "this is no request of HTTP: ");
        }
        assertThat(executed).isEmpty();
    }

    @Test
    void answersComeInTheOrderOfRequests() throws IOException {
        List<Object> executed = new CopyOnWriteArrayList<>();
        CountDownLatch goOn = new CountDownLatch(1);
        Dlc dlc = operation -> {
            executed.add(operation);
            if (operation instanceof LnetOperation.Status) {
                await(goOn);
            }
            return Map.of("of", operation.getClass().getSimpleName());
        };
        try (ControlServer server = start(dlc);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(server.socket()))) {
            write(
                    channel,
                    "GET /v1/lnet/status HTTP/1.1\r\n\r\nGET /v1/stats/show HTTP/1.1\r\nConnection: close\r\n\r\n");
            // Whoever comes by another connection is answered meanwhile.
            for (int i = 0; i < 20; i++) {
                assertThat(ask(server.socket(), "GET /v1/peer/list HTTP/1.1\r\nConnection: close\r\n\r\n"))
                        .contains("of: List");
            }
            assertThat(executed).doesNotContain(new StatsOperation.Show());
            goOn.countDown();
            String answers = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).containsSubsequence("200 OK", "of: Status", "200 OK", "of: Show");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String post(Path socket, String body) throws IOException {
        return ask(
                socket,
                "POST /v1/global/set HTTP/1.1\r\nHost: lnetd\r\nConnection: close\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body);
    }

    private static String ask(Path socket, String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            write(channel, request);
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void write(SocketChannel channel, String request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
