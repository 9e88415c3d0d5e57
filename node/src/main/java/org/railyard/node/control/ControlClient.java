package org.railyard.node.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.text.DocReader;
import org.railyard.base.text.JsonText;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;

/** Asks a daemon over its control socket; a connection for each request. Thread-safe. */
public final class ControlClient {
    private static final int MAX_ANSWER = 256 << 20;
    private static final int BUFFER = 1 << 16;
    private static final int OK = 200;
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final Path socket;

    /** Makes a client; connects when there is something to ask. */
    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Asks.
     *
     * @param path what is behind the version
     * @param fields of the request
     * @throws UncheckedIOException if nobody listens at the socket, or the connection breaks
     * @throws DlcException if the daemon refuses
     */
    public Map<String, Object> post(String path, Map<String, Object> fields) {
        byte[] body = JsonText.of(fields).getBytes(StandardCharsets.UTF_8);
        String head = "POST " + ControlHandler.PREFIX + path
                + " HTTP/1.1\r\nHost: lnetd\r\nConnection: close\r\nAccept: application/json\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length + END_OF_HEAD;
        String answer;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            write(channel, head.getBytes(StandardCharsets.US_ASCII));
            write(channel, body);
            answer = readAll(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read(answer);
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static String readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            if (all.size() > MAX_ANSWER) {
                throw new IOException("the service answers with more than " + MAX_ANSWER + " bytes");
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> read(String answer) {
        int end = answer.indexOf(END_OF_HEAD);
        String[] status = answer.split(" ", 3);
        if (end < 0 || status.length < 3 || !status[1].matches("[0-9]{3}")) {
            throw new UncheckedIOException(new IOException("the service broke off before it answered"));
        }
        Map<String, Object> document;
        try {
            document = DocReader.mapping(answer.substring(end + END_OF_HEAD.length()));
        } catch (IllegalArgumentException e) {
            throw new DlcException(
                    "manage", "service", Errno.EPROTO.status(), "the service answers what can not be read");
        }
        if (Integer.parseInt(status[1]) == OK) {
            return document;
        }
        if (document.get("failures") instanceof List<?> failures && !failures.isEmpty()) {
            throw new DlcException(failures.stream()
                    .map(each -> Failure.ofDocument((Map<?, ?>) each))
                    .toList());
        }
        throw new DlcException(List.of(Failure.ofDocument(document)));
    }
}
