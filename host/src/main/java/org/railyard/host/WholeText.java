package org.railyard.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads whole files of people. How long one is shows when it is read: a device or a pipe has no size, and some do not
 * end.
 */
public final class WholeText {
    /** What some editors put before a text in UTF-8; it is no part of the first word. */
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private WholeText() {}

    /**
     * Reads a file, without the byte order mark that it may begin with.
     *
     * @param maxBytes longest file, bytes, below 2 GiB
     * @param charset what its bytes are
     * @throws java.nio.charset.CharacterCodingException if they are not
     * @throws IOException if it is longer, or cannot be read
     */
    public static String read(Path file, int maxBytes, Charset charset) throws IOException {
        byte[] bytes = bytes(file, maxBytes);
        int start = startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0;
        return charset.newDecoder()
                .decode(ByteBuffer.wrap(bytes, start, bytes.length - start))
                .toString();
    }

    /**
     * Passes over the byte order mark that a text may begin with.
     *
     * @param in can be marked
     */
    public static void skipMark(InputStream in) throws IOException {
        in.mark(BYTE_ORDER_MARK.length);
        if (!startsWithMark(in.readNBytes(BYTE_ORDER_MARK.length))) {
            in.reset();
        }
    }

    private static boolean startsWithMark(byte[] text) {
        int length = BYTE_ORDER_MARK.length;
        return text.length >= length && Arrays.equals(text, 0, length, BYTE_ORDER_MARK, 0, length);
    }

    /**
     * Reads a file as it is.
     *
     * @param maxBytes longest file, bytes, below 2 GiB
     * @throws IOException if it is longer, or cannot be read
     */
    public static byte[] bytes(Path file, int maxBytes) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new IOException("more than " + maxBytes + " bytes");
            }
            return bytes;
        }
    }
}
