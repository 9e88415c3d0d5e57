package org.railyard.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads whole files of people. How long one is shows when it is read: a device or a pipe has no size, and some do not
 * end.
 */
public final class WholeText {
    private WholeText() {}

    /**
     * Reads a file.
     *
     * @param maxBytes longest file, bytes, below 2 GiB
     * @param charset what its bytes are
     * @throws java.nio.charset.CharacterCodingException if they are not
     * @throws IOException if it is longer, or cannot be read
     */
    public static String read(Path file, int maxBytes, Charset charset) throws IOException {
        return charset.newDecoder()
                .decode(ByteBuffer.wrap(bytes(file, maxBytes)))
                .toString();
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
