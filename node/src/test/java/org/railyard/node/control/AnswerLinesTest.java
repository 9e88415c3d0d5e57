package org.railyard.node.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** An answer line by line, whatever comes. */
final class AnswerLinesTest {
    private static AnswerLines lines(String text) {
        return new AnswerLines(Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void headThenLines() throws IOException {
        AnswerLines lines = lines("HTTP/1.1 200 OK\r\ncontent-type: text\r\n\r\n{\"a\":1}\n{\"ü\":2}\nbroken o");
        assertThat(lines.head()).isEqualTo("HTTP/1.1 200 OK\r\ncontent-type: text");
        assertThat(lines.next()).isEqualTo("{\"a\":1}");
        assertThat(lines.next()).isEqualTo("{\"ü\":2}");
        assertThat(lines.next()).as("a line that broke off").isNull();
    }

    @Test
    void whatIsLeft() throws IOException {
        AnswerLines lines = lines("HTTP/1.1 400 Bad Request\r\n\r\none\ntwo");
        assertThat(lines.head()).isEqualTo("HTTP/1.1 400 Bad Request");
        assertThat(lines.rest()).isEqualTo("one\ntwo");
        assertThat(lines("").head()).isEmpty();
    }

    @Test
    void noLineIsLongerThanTheLimit() {
        String endless = "x".repeat(AnswerLines.MAX_LINE + 1);
        assertThatThrownBy(() -> lines(endless).next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1048576");
        assertThatThrownBy(() -> lines(endless).rest()).isInstanceOf(IOException.class);
        assertThatThrownBy(() ->
                        lines("header\n".repeat(AnswerLines.MAX_LINE / 7 + 1)).head())
                .isInstanceOf(IOException.class);
    }
}
