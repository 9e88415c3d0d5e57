package org.railyard.fabric.format;

import java.util.function.Consumer;

/** Takes a text piece by piece, so that a long one is never in memory as a whole. */
@FunctionalInterface
public interface TextSink {
    /** Takes the next piece; the caller changes it afterwards. */
    void write(CharSequence piece);

    /** Returns what a writer writes, as one string: for texts that are short enough for that. */
    static String collect(Consumer<TextSink> writer) {
        StringBuilder all = new StringBuilder();
        writer.accept(all::append);
        return all.toString();
    }
}
