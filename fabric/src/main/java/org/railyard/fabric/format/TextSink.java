package org.railyard.fabric.format;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Takes a text piece by piece, so that a long one is never in memory as a whole. */
@FunctionalInterface
public interface TextSink {
    /**
     * Takes the next piece: the first {@code length} characters, one byte each (ISO 8859-1). The caller changes them
     * afterwards.
     */
    void write(byte[] characters, int length);

    /** Takes a whole text; characters that ISO 8859-1 does not have become question marks. */
    default void write(String text) {
        byte[] characters = text.getBytes(StandardCharsets.ISO_8859_1);
        write(characters, characters.length);
    }

    /** Returns what a writer writes, as one string: for texts that are short enough for that. */
    static String collect(Consumer<TextSink> writer) {
        StringBuilder all = new StringBuilder();
        writer.accept(
                (characters, length) -> all.append(new String(characters, 0, length, StandardCharsets.ISO_8859_1)));
        return all.toString();
    }
}
