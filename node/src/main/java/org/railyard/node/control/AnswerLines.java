package org.railyard.node.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An answer that is read while it comes: its head, then line after line. Not thread-safe. */
final class AnswerLines {
    /** Longest line, and longest head, bytes. */
    static final int MAX_LINE = 1 << 20;

    private static final int BUFFER = 1 << 13;

    private final ReadableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).flip();

    AnswerLines(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Reads the head, without the empty line behind it.
     *
     * @throws IOException if it does not come, or is too long
     */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = next(); line != null && !line.equals("\r"); line = next()) {
            head.append(line).append('\n');
            if (head.length() > MAX_LINE) {
                throw tooLong();
            }
        }
        return head.toString().stripTrailing();
    }

    /**
     * Returns the next line without its end, null if the answer is over; a line that broke off is none.
     *
     * @throws IOException if the connection breaks, or the line is too long
     */
    @Nullable
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (!buffer.hasRemaining() && !fill()) {
                return null;
            }
            byte read = buffer.get();
            if (read == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(read);
            if (line.size() > MAX_LINE) {
                throw tooLong();
            }
        }
    }

    /** Returns all that is left. */
    String rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (buffer.hasRemaining() || fill()) {
            all.write(buffer.get());
            if (all.size() > MAX_LINE) {
                throw tooLong();
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private boolean fill() throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        buffer.flip();
        return count > 0;
    }

    private static IOException tooLong() {
        return new IOException("the service answers with a line of more than " + MAX_LINE + " bytes");
    }
}
