package org.railyard.fabric.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Node descriptions as people read them. Devices have 64 bytes, and nothing says which characters these are. */
public final class NodeText {
    private static final int LAST_OF_LATIN_1 = 0xFF;

    private NodeText() {}

    /**
     * Returns what bytes say, safe to print: UTF-8 where they are that, else ISO 8859-1, with {@code _} for each
     * character that nobody sees and a terminal or a log may follow, such as ends of lines.
     *
     * @param raw a character for each byte; a text with others is read as it is
     */
    public static String of(String raw) {
        boolean plain = true;
        boolean bytes = true;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            plain &= c >= ' ' && c <= '~';
            bytes &= c <= LAST_OF_LATIN_1;
        }
        return plain ? raw : visible(bytes ? decoded(raw) : raw);
    }

    private static String decoded(String raw) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return raw;
        }
    }

    private static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> switch (Character.getType(point)) {
                    case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                        '_';
                    default -> point;
                })
                .forEach(visible::appendCodePoint);
        return visible.toString();
    }
}
