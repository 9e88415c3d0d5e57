package org.railyard.fabric.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Node descriptions as people read them. Devices have 64 bytes, and nothing says which characters these are. */
final class NodeText {
    private static final int LAST_OF_ASCII = 0x7F;
    private static final int LAST_OF_LATIN_1 = 0xFF;

    private NodeText() {}

    /**
     * Returns what bytes say: UTF-8 where they are that, else ISO 8859-1.
     *
     * @param raw a character for each byte; a text with others is returned as it is
     */
    static String of(String raw) {
        boolean ascii = true;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c > LAST_OF_LATIN_1) {
                return raw;
            }
            ascii &= c <= LAST_OF_ASCII;
        }
        if (ascii) {
            return raw;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return raw;
        }
    }
}
