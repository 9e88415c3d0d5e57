package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines come out as they stand in the text, however it is cut into pieces. */
class LineScannerTest {
    /** Gives a few characters at a time. */
    private static final class Drops extends Reader {
        private final String text;
        private int at;

        Drops(String text) {
            this.text = text;
        }

        @Override
        public int read(char[] into, int from, int length) {
            int count = Math.min(Math.min(length, 3), text.length() - at);
            text.getChars(at, at + count, into, from);
            at += count;
            return count == 0 ? -1 : count;
        }

        @Override
        public void close() {}
    }

    private static List<String> lines(Reader text) {
        LineScanner in = new LineScanner(text);
        List<String> lines = new ArrayList<>();
        while (in.nextLine()) {
            lines.add(in.current());
            assertThat(in.line()).isEqualTo(lines.size());
        }
        return lines;
    }

    @Test
    void linesInPiecesAndWhole() {
        for (String text :
                List.of("", "\n", "a", "a\n", "\r\n\nab\r\nabc\n\n", "abcdefghijk\r\nabcdef\n.\r", "ab\n\ncde")) {
            List<String> expected = text.lines().toList();
            List<String> found = lines(Reader.of(text));
            assertThat(found).isEqualTo(expected);
            assertThat(lines(new Drops(text))).isEqualTo(found);
        }
        String longer = "x".repeat(LineScanner.MAX_LINE) + "\n" + "y".repeat(100) + "\n";
        assertThat(lines(Reader.of(longer.repeat(20))))
                .hasSize(40)
                .isEqualTo(longer.repeat(20).lines().toList());
    }

    /** Wherever it ends, and wherever the pieces do in which it is read. */
    @Test
    void aLineIsAsLongAsItMayBe() {
        String longest = "x".repeat(LineScanner.MAX_LINE);
        for (int before = 1; before < 5; before++) {
            for (String end : List.of("", "\n", "\r\n", "\r", "\n\n")) {
                String text = "\n" + (longest + "\n").repeat(before);
                List<String> expected = (text + longest + end).lines().toList();
                assertThat(lines(Reader.of(text + longest + end))).isEqualTo(expected);
                assertThat(lines(new Drops(text + longest + end))).isEqualTo(expected);
                for (Reader tooLong :
                        List.of(Reader.of(text + longest + "x" + end), new Drops(text + longest + "x" + end))) {
                    assertThatThrownBy(() -> lines(tooLong))
                            .isInstanceOf(FormatException.class)
                            .hasMessage(
                                    "line %d, column 4097: found \"more\", expected a line of at most 4096 characters"
                                            .formatted(before + 2));
                }
            }
        }
    }

    @Test
    void aLineThatDoesNotEndIsRefused() {
        for (Reader text : List.of(Reader.of("a\n" + "x".repeat(1_000_000)), new Drops("a\n" + "x".repeat(10_000)))) {
            assertThatThrownBy(() -> lines(text))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("a line of at most " + LineScanner.MAX_LINE);
        }
    }

    @Test
    void whatCanNotBeReadIsTold() {
        Reader broken = new Reader() {
            @Override
            public int read(char[] into, int from, int length) throws IOException {
                throw new IOException("unplugged");
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> lines(broken))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("unplugged");
    }
}
