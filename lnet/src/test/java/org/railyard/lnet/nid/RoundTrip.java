package org.railyard.lnet.nid;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** What the fuzz tests ask of every reader of text. */
final class RoundTrip {
    private RoundTrip() {}

    /** A text either is refused, with a place inside it, or reads back from what it prints as an equal value. */
    static <T> void check(byte[] bytes, Function<String, T> parser) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        T value;
        try {
            value = parser.apply(text);
        } catch (NidFormatException e) {
            assertThat(e.column()).isBetween(1, text.length() + 1);
            return;
        }
        assertThat(parser.apply(value.toString())).isEqualTo(value);
    }
}
