package org.railyard.node.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.text.DocReader;
import org.railyard.base.text.JsonText;
import org.railyard.control.DlcException;
import org.railyard.control.DocumentSink;
import org.railyard.control.Failure;

/** Asks a daemon over its control socket; a connection for each request. Thread-safe. */
public final class ControlClient {
    private static final int MAX_ANSWER = 256 << 20;
    private static final int BUFFER = 1 << 16;
    private static final int OK = 200;
    static final String END_OF_HEAD = "\r\n\r\n";

    private static final Pattern CONTENT_LENGTH =
            Pattern.compile("^content-length: *([0-9]{1,9}) *$", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private final Path socket;

    /** Makes a client; connects when there is something to ask. */
    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Loads on a thread of its own what a connection needs, in programs so short that this is a part of their time. The
     * JDK makes a source of random numbers before the first socket of this kind, which takes as long as all the rest.
     */
    public static void loadAhead() {
        Thread.ofPlatform().daemon().name("load-ahead").start(() -> {
            try {
                SocketChannel.open(StandardProtocolFamily.UNIX).close();
                DocReader.mapping("{}");
            } catch (IOException e) {
                // Told where a connection is wanted.
            }
        });
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
        byte[] answer;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            write(channel, request(path, fields));
            answer = readAll(channel);
        } catch (IOException e) {
            throw unreachable(e);
        }
        return read(answer);
    }

    /**
     * Asks for documents that come one after another, until no more are wanted.
     *
     * @param path what is behind the version
     * @param fields of the request
     * @throws UncheckedIOException if nobody listens at the socket, the connection breaks, or the daemon ends
     * @throws DlcException if the daemon refuses
     * @throws InterruptedException if the thread is interrupted
     */
    void follow(String path, Map<String, Object> fields, DocumentSink to) throws InterruptedException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            write(channel, request(path, fields));
            AnswerLines lines = new AnswerLines(channel);
            String head = lines.head();
            if (!head.contains(" " + OK + " ")) {
                read((head + END_OF_HEAD + lines.rest()).getBytes(StandardCharsets.UTF_8));
                return;
            }
            String line = lines.next();
            while (line != null && to.take(DocReader.mapping(line))) {
                line = lines.next();
            }
            if (line == null) {
                throw new IOException("lnetd has ended");
            }
        } catch (ClosedByInterruptException e) {
            throw interrupted(e);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private UncheckedIOException unreachable(IOException e) {
        return new UncheckedIOException("at " + socket + ": " + e.getMessage(), e);
    }

    private static InterruptedException interrupted(ClosedByInterruptException e) {
        // It comes with the mark still set, which is for those who do not throw.
        Thread.interrupted();
        InterruptedException ended = new InterruptedException("the reader of events is to end");
        ended.initCause(e);
        return ended;
    }

    private static byte[] request(String path, Map<String, Object> fields) {
        byte[] body = JsonText.of(fields).getBytes(StandardCharsets.UTF_8);
        String head = "POST " + ControlHandler.PREFIX + path
                + " HTTP/1.1\r\nHost: lnetd\r\nConnection: close\r\nAccept: application/json\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length + END_OF_HEAD;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(body);
        return all.toByteArray();
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static byte[] readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            if (all.size() > MAX_ANSWER) {
                throw new IOException("the service answers with more than " + MAX_ANSWER + " bytes");
            }
        }
        return all.toByteArray();
    }

    /** Returns how long a head says that the body is, bytes; 0 if it does not say. */
    private static int length(String head) {
        Matcher length = CONTENT_LENGTH.matcher(head);
        return length.find() ? Integer.parseInt(length.group(1)) : 0;
    }

    private static Map<String, Object> read(byte[] bytes) {
        String answer = new String(bytes, StandardCharsets.UTF_8);
        int end = answer.indexOf(END_OF_HEAD);
        String[] status = answer.split(" ", 3);
        if (end < 0
                || status.length < 3
                || !status[1].matches("[0-9]{3}")
                || bytes.length - end - END_OF_HEAD.length() < length(answer.substring(0, end))) {
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
